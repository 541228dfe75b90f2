// SPDX-License-Identifier: Apache-2.0
// The contract of kSmCycles (docs/hardware/register_map.md): whatever engine stands behind the register, it is the sum
// over the record log of the SMs that count for a process.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "model/record/memory_sink.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "platform/machine.h"
#include "platform/worker_pool.h"
#include "tests/tlm/sm_usage_of_log.h"

namespace tessera::platform {
namespace {

using tlm_model::test::SmUsageOfLog;
using tlm_model::test::UsageDelays;

// As a debugger reads it, when the simulation has ended.
std::uint64_t read_register(tlm_model::Gpu& gpu, std::size_t context) {
  std::array<std::uint64_t, 1> value{};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(tlm_model::reg::kSmCycles + 8 * context);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(value.data()));
  payload.set_data_length(sizeof(value));
  payload.set_streaming_width(sizeof(value));
  EXPECT_EQ(gpu.front_end().registers_tsock.get_base_export()->transport_dbg(payload), sizeof(value));
  return value[0];
}

// Registers, and what the log says they should be.
nlohmann::json usage_of(const spec::Spec& spec, Abstraction abstraction, ClockDrive clock = ClockDrive::kGated) {
  record::MemorySink sink;
  record::RecordLog log;
  log.add_sink(&sink);
  MachineOptions options;
  options.abstraction = abstraction;
  options.clock = clock;
  const workload::KernelTimes times(spec);
  Machine machine("machine", spec, times, log, options);
  machine.run([] { return false; });
  const Cycle now = tlm_model::CycleTime(spec.gpu.clock_hz).now();
  const UsageDelays of_tlm = spec::has_one_job_engine(spec) ? tlm_model::test::kOneJobUsage : UsageDelays{};
  const UsageDelays delays = abstraction == Abstraction::kTlm ? of_tlm : tlm_model::test::kClockedUsage;
  const SmUsageOfLog expected(sink.records(), spec.processes.size(), spec.gpu.num_sms, now, delays);
  std::vector<std::uint64_t> used;
  for (std::size_t i = 0; i < spec.processes.size(); ++i) used.push_back(read_register(machine.gpu(), i));
  return {{"used", used}, {"expected", expected.used()}, {"moves", expected.num_moves()}};
}

void expect_as_logged(const nlohmann::json& usage) {
  EXPECT_EQ(usage.at("used"), usage.at("expected"));
  EXPECT_GT(usage.at("moves").get<std::uint64_t>(), 0U) << "no SM was taken from a kernel";
  const auto used = usage.at("used").get<std::vector<std::uint64_t>>();
  EXPECT_LT(std::count(used.begin(), used.end(), 0U), static_cast<std::ptrdiff_t>(used.size()) - 1) << "one alone";
}

spec::Spec preempting_experiment(const std::string& policy) {
  return spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/context_switch_thrashing.yaml",
                               {"scheduler.policy=" + policy, "stop.max_time_us=60000"});
}

TEST(SmCycles, AreTheSumOfTheLogInEveryModelAndEqualInTheClockedOnes) {
  for (const char* policy : {"ppq", "dss"}) {
    SCOPED_TRACE(policy);
    const spec::Spec spec = preempting_experiment(policy);
    const auto usages = run_in_workers(
        {[&] { return usage_of(spec, Abstraction::kTlm); }, [&] { return usage_of(spec, Abstraction::kRtlModel); },
         [&] { return usage_of(spec, Abstraction::kRtl); }},
        2);
    for (const nlohmann::json& usage : usages) expect_as_logged(usage);
    EXPECT_EQ(usages[1], usages[2]);
  }
}

TEST(SmCycles, AreTheSumOfTheLogOnTheIdealEngine) {
  spec::Spec spec = preempting_experiment("dss");
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.tb_issue_cycles = 1;
  expect_as_logged(run_in_workers({[&] { return usage_of(spec, Abstraction::kTlm); }}, 1).front());
}

}  // namespace
}  // namespace tessera::platform
