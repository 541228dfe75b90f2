// SPDX-License-Identifier: Apache-2.0
// docs/concepts/readings.md, Agreement of the models: what the transaction-level and the clocked one do agrees, and
// gating a clock changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/record/names.h"
#include "model/record/record_log.h"
#include "model/record/trace/csv_sink.h"
#include "model/spec/loader.h"
#include "platform/clocked/clocked_core.h"
#include "platform/clocked/clocked_replay.h"
#include "platform/clocked/verilated_scheduler.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "tests/platform/machine_bench.h"
#include "verification/agreement/agreement_run.h"
#include "verification/random/random_experiment.h"

namespace tessera::platform {
namespace {

using testing::IsEmpty;
using verification::AgreementResult;
using verification::compare_abstractions;
using verification::LogDepth;
using verification::random_experiment;
using verification::RandomDriver;
using verification::Verdict;

bool uninterrupted() { return false; }

void expect_agreement(const std::vector<spec::Spec>& specs) {
  for (const AgreementResult& result : compare_abstractions(specs, LogDepth::kWhole, 2, uninterrupted)) {
    EXPECT_NE(result.agreement.verdict, Verdict::kUnexplained)
        << result.name << ": " << result.agreement.first_difference;
    EXPECT_THAT(result.faults, IsEmpty()) << result.name;
  }
}

TEST(Agreement, RandomExperimentsDifferOnlyAfterAnEventInsideADecision) {
  std::vector<spec::Spec> specs;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) specs.push_back(random_experiment(seed, RandomDriver::kToken));
  expect_agreement(specs);
}

// The check of each log counts residents against it.
TEST(Agreement, QuotasOfKernelsHoldInBothModels) {
  std::vector<spec::Spec> specs;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    spec::Spec spec = random_experiment(seed);
    std::uint32_t quota = 0;
    for (spec::ApplicationSpec& application : spec.applications) {
      for (spec::KernelSpec& kernel : application.kernels) {
        if (!kernel.event_driven) kernel.max_tbs_per_sm = 1 + quota++ % 3;
      }
    }
    specs.push_back(std::move(spec));
  }
  expect_agreement(specs);
}

// Each was reported once: events that wait for the port (100118, 101802), arrivals that wait for a copy (100244) or a
// command buffer (201641), a tick in a decision (101509), TBs that change places (201380, 301156), handles that
// take longer than their contexts (201420), and one launch that starves in one log only, by right decisions (201449).
TEST(Agreement, WhatWaitsOrChangesPlacesIsNoDisagreement) {
  std::vector<spec::Spec> specs;
  for (const std::uint64_t seed : {100118, 100244, 101509, 101802, 201380, 201420, 201449, 201641, 301156})
    specs.push_back(random_experiment(seed));
  expect_agreement(specs);
}

struct Slots {
  std::vector<nlohmann::json> issued;   // TBs
  std::vector<nlohmann::json> counted;  // kSmSlots
  std::uint64_t preempted = 0;
  std::uint64_t without_demand = 0;
};

Slots slots_of(const spec::Spec& spec, Abstraction abstraction) {
  MachineOptions machine;
  machine.abstraction = abstraction;
  Slots slots;
  for (const record::Record& record : test::simulate_checked(spec, machine).records) {
    if (record.kind == record::Kind::kTbIssued) slots.issued.emplace_back(record);
    if (record.kind != record::Kind::kSmSlots) continue;
    slots.counted.emplace_back(record);
    slots.preempted += record.bytes;
    slots.without_demand += record.value;
  }
  return slots;
}

TEST(Agreement, SlotsAreCountedAlikeToTheCycleWhereTbsAreIssuedAlike) {
  std::size_t num_alike = 0;
  std::uint64_t preempted = 0;
  std::uint64_t without_demand = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const spec::Spec spec = random_experiment(seed);
    const Slots tlm = slots_of(spec, Abstraction::kTlm);
    const Slots clocked = slots_of(spec, Abstraction::kRtlModel);
    if (tlm.issued != clocked.issued) continue;
    EXPECT_EQ(tlm.counted, clocked.counted) << "seed " << seed;
    ++num_alike;
    preempted += tlm.preempted;
    without_demand += tlm.without_demand;
  }
  EXPECT_GE(num_alike, 3U);
  EXPECT_GT(preempted, 0U);
  EXPECT_GT(without_demand, 0U);
}

// One context, nothing to preempt, and no event that a decision could miss.
TEST(Agreement, ApplicationsAloneTakeTheSameTime) {
  std::vector<spec::Spec> specs;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/configs/applications")) {
    if (entry.path().extension() != ".yaml") continue;
    spec::Spec spec = spec::load_experiment(
        TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml",
        {"workload.processes=[{name: alone, application: ../applications/" + entry.path().filename().string() + "}]",
         "stop.min_runs=1", "baseline.policy=fcfs"});
    spec.name = entry.path().stem().string();
    specs.push_back(spec);
  }
  ASSERT_GE(specs.size(), 10U);
  for (const AgreementResult& result : compare_abstractions(specs, LogDepth::kDecisions, 2, uninterrupted)) {
    EXPECT_EQ(result.agreement.kernels, result.agreement.kernels_within)
        << result.name << ": " << result.agreement.first_difference;
    EXPECT_THAT(result.faults, IsEmpty()) << result.name;
  }
}

// ---- gated and free-running clocks -----------------------------------------------------------------------------

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The record log with every thread block, and the waveform.
nlohmann::json logs_of(const spec::Spec& spec, Abstraction abstraction, ClockDrive clock) {
  const std::filesystem::path vcd =
      std::filesystem::path(testing::TempDir()) / ("clock_" + std::to_string(getpid()) + ".vcd");
  std::ostringstream csv;
  {
    WaveformRequest request;
    request.vcd = vcd;
    request.length = 20'000'000;
    request.max_bytes = 1'000'000'000;
    Waveform waveform(request);
    record::CsvSink sink(csv, record::make_names(spec));
    MachineOptions options;
    options.abstraction = abstraction;
    options.clock = clock;
    options.waveform = &waveform;
    simulate(spec, {&sink}, uninterrupted, options);
  }
  const nlohmann::json logs{{"csv", csv.str()}, {"vcd", contents(vcd)}};
  std::filesystem::remove(vcd);
  std::filesystem::path gtkw = vcd;
  std::filesystem::remove(gtkw.replace_extension(".gtkw"));
  return logs;
}

// Commands of the hosts fall on edges: their phases are whole cycles.
void expect_gated_as_free(const spec::Spec& spec, Abstraction abstraction) {
  const auto answers = run_in_workers({[&] { return logs_of(spec, abstraction, ClockDrive::kGated); },
                                       [&] { return logs_of(spec, abstraction, ClockDrive::kFree); }},
                                      2);
  EXPECT_EQ(answers[0].at("csv"), answers[1].at("csv")) << spec.name;
  EXPECT_TRUE(answers[0].at("vcd") == answers[1].at("vcd")) << spec.name;
  EXPECT_GT(answers[0].at("vcd").get<std::string>().size(), 1000U) << spec.name;
}

TEST(GatedClock, WritesTheLogAndTheWaveformOfTheFreeRunningOne) {
  for (const std::uint64_t seed : {3U, 8U, 21U, 30U}) {
    spec::Spec spec = random_experiment(seed);
    spec.stop.max_time = 100'000'000;
    spec.scheduler.tbs_per_cycle = seed % 2 == 0 ? 1 : std::min(spec.gpu.num_sms, 3U);
    expect_gated_as_free(spec, Abstraction::kRtlModel);
  }
}

TEST(GatedClock, OfTheVerilogCoreWritesWhatTheFreeRunningOneDoes) {
  spec::Spec spec = random_experiment(67);  // ppq on four SMs
  spec.stop.max_time = 100'000'000;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  for (const std::uint32_t clock_ratio : {1U, 3U}) {
    spec.scheduler.tbs_per_cycle = clock_ratio;
    expect_gated_as_free(spec, Abstraction::kRtl);
  }
}

// One kernel, from its command to its end, on an engine that `drive` drives.
template <typename Drive>
nlohmann::json log_of_a_kernel(Drive drive) {
  spec::Spec spec = random_experiment(1);
  spec.gpu.clock_hz = 1'000'000'000;  // a period that an sc_clock can have
  spec.checks.enable_context_check = false;
  std::ostringstream csv;
  record::CsvSink sink(csv, record::make_names(spec));
  record::RecordLog log;
  log.add_sink(&sink);
  ClockedCore core(spec, log, nullptr);
  tlm_model::KernelLaunch launch;
  launch.num_tbs = 50;
  launch.regs_per_tb = 32;
  launch.threads_per_tb = 64;
  launch.durations = workload::TbDurations({300, 100}, 7);
  core.send({0, 0, launch});
  drive(core);
  core.finish(20'000);
  log.finish(20'000);
  return csv.str();
}

// The modules in somebody else's design: bound to an sc_clock, whose first rising edge ends cycle 0.
TEST(FreeRunningModules, RunOnAnScClock) {
  const auto gated = [] {
    return log_of_a_kernel([](ClockedCore& core) {
      for (; core.next_event() < 20'000; core.take_done()) core.run_until(20'000);
    });
  };
  const auto clocked = [] {
    const sc_core::sc_time period(1, sc_core::SC_NS);
    const sc_core::sc_clock clock("clock", period, 0.5, period);
    return log_of_a_kernel([&](ClockedCore& core) {
      core.engine().bind_clock(clock);
      sc_core::sc_start(20'000 * period);
    });
  };
  const std::vector<nlohmann::json> logs = run_in_workers({gated, clocked}, 2);
  EXPECT_EQ(logs[0], logs[1]);
  EXPECT_NE(logs[0].get<std::string>().find("kernel_finished"), std::string::npos);
}

// ---- logs of a cycle-level simulator ---------------------------------------------------------------------------

void expect_replays_exactly(const std::filesystem::path& folder, const rtl_model::SchedulerFactory& make_scheduler) {
  std::uint32_t num_logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    ++num_logs;
    const auto replay = [&]() -> nlohmann::json {  // SystemC elaborates once in a process
      const ClockedReplay replayed =
          replay_log_clocked(workload::read_tb_log_file(entry.path().string()), make_scheduler);
      return {replayed.replay.sm_mismatches, replayed.replay.slot_mismatches, replayed.replay.start_mismatches,
              replayed.replay.max_added_latency};
    };
    EXPECT_EQ(run_in_workers({replay}, 1).front(), nlohmann::json({0, 0, 0, 0})) << entry.path();
  }
  EXPECT_GT(num_logs, 0U);
}

void expect_simulators_logs_replay_exactly(const rtl_model::SchedulerFactory& make_scheduler) {
  const char* const data = std::getenv("TESSERA_DATA_DIR");
  const std::filesystem::path folder =
      std::filesystem::path(data != nullptr ? data : TESSERA_SOURCE_DIR "/../shared/data") / "gpgpusim_tb_logs";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no logs of a simulator (TESSERA_DATA_DIR) in " << folder;
  expect_replays_exactly(folder, make_scheduler);
}

constexpr char kLogsByHand[] = TESSERA_SOURCE_DIR "/tests/data/tb_logs";

TEST(ClockedReplay, EveryTbOfLogsByHandGoesToItsSmAndSlotInItsCycle) { expect_replays_exactly(kLogsByHand, {}); }

TEST(ClockedReplay, EveryTbOfTheSimulatorsLogsGoesToItsSmAndSlotInItsCycle) {
  expect_simulators_logs_replay_exactly({});
}

// The scheduler's clock is the faster the larger the machine: what it counts is largest here.
TEST(ClockedReplay, TheLongestTimesOnTheLargestMachineEnd) {
  const Cycle longest = (Cycle{1} << 46) - 1;  // of the core's clock 2^11 as many
  const auto replay = [longest]() -> nlohmann::json {
    workload::TbLog log{spec::kMaxSms, spec::kMaxTbsPerSm, {{1, 0, 0, longest}}};
    return replay_log_clocked(log).replay.tbs.front().end;
  };
  EXPECT_EQ(run_in_workers({replay}, 1).front(), nlohmann::json(longest));
}

TEST(ClockedReplay, TheVerilogCoreDoesTheSame) { expect_simulators_logs_replay_exactly(verilated_scheduler(false)); }

TEST(ClockedReplay, TheVerilogCoreDoesTheSameWithLogsByHand) {
  expect_replays_exactly(kLogsByHand, verilated_scheduler(false));
}

}  // namespace
}  // namespace tessera::platform
