// SPDX-License-Identifier: Apache-2.0
// The experiments about containment: a bomb beside a periodic player under TimeGraph; and the bounds that the readings
// give for them, from the Spec (docs/concepts/readings.md, TimeGraph; docs/concepts/drivers.md, Containment).
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "model/command_scheduling/task_table.h"
#include "model/record/driver/driver_facts.h"
#include "model/spec/loader.h"
#include "tests/model/command_scheduling/timegraph_windows.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {

inline constexpr std::uint16_t kPlayer = 0;  // the first process of each of them

inline spec::Spec containment(const std::string& experiment) {
  return spec::load_experiment(std::string(TESSERA_SOURCE_DIR "/configs/experiments/timegraph_") + experiment +
                               ".yaml");
}

// The other side of an experiment.
inline spec::Spec baseline_of(spec::Spec spec) {
  spec.scheduler = spec.baseline.value();
  spec.driver = spec.baseline_driver;
  return spec;
}

// ---- simulation --------------------------------------------------------------------------------------------------

class DriverRecords : public record::ISink {
 public:
  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override {
    if (record::is_of_driver(record.kind)) records.push_back(record);
  }
  std::vector<Record> records;
};

// Its results, and the records of the driver alone; invariants are checked.
inline Log simulate_driver(const spec::Spec& spec) {
  const auto task = [&]() -> nlohmann::json {
    throw_on_systemc_reports();
    DriverRecords sink;
    const record::RunResult result = simulate(spec, {&sink}, never_interrupted);
    return {{"result", result}, {"records", sink.records}};
  };
  const nlohmann::json answer = run_in_workers({task}, 1).front();
  Log log{answer.at("result").get<record::RunResult>(), answer.at("records").get<std::vector<Record>>()};
  for (const auto& [invariant, verdict] : log.result.invariants) EXPECT_EQ(verdict, "ok") << invariant;
  return log;
}

inline const record::FrameResult& frames_of_player(const Log& log) { return log.result.processes.at(kPlayer).frames; }

// A group as the driver's records tell of it.
struct ChargedGroup {
  std::uint16_t process = 0;
  Cycle submitted = 0;
  Cycle predicted = 0;
  Cycle charged = 0;
};

// Those of a reserve that are done, in the order in which they were submitted.
inline std::vector<ChargedGroup> groups_of_reserve(const spec::Spec& spec, const Log& log, std::size_t reserve) {
  const record::DriverFacts facts = record::make_driver_facts(spec);
  std::map<std::uint64_t, Cycle> charged;
  for (const Record& record : log.all(Kind::kGroupDone)) charged[record.value] = record.cycles;
  std::vector<ChargedGroup> groups;
  for (const Record& record : log.all(Kind::kGroupSubmitted)) {
    if (facts.reserve_of(record.process) != reserve || charged.count(record.value) == 0) continue;
    groups.push_back({record.process, record.cycle, record.cycles, charged[record.value]});
  }
  return groups;
}

// ---- bounds --------------------------------------------------------------------------------------------------------

// From the Spec, before anything runs.
struct ContainmentBounds {
  explicit ContainmentBounds(const spec::Spec& its_spec)
      : spec(its_spec), host(spec), plan(command_scheduling::make_task_table(spec)) {}

  // What a group of one kernel is charged at most (readings 5, 12): the driver, the way there and back, the kernel; and
  // where channels take turns, what is left of another one's quantum (Channels 1, 3).
  Cycle longest(const spec::KernelSpec& kernel) const {
    const Cycle driver = host.clock.cycles_in(std::max(spec.driver.arrival, spec.driver.completion));
    const Cycle mean = host.clock.cycles_in(kernel.kernel_time.value());
    const Cycle spread = mul_div_ceil(mean, kernel.kernel_time_spread_ppm, 1'000'000);
    return driver + host.to_arrival() + mean + spread + host.to_process() + quantum();
  }
  // Of all kernels of a process.
  Cycle longest(std::size_t process) const {
    Cycle most = 0;
    for (const spec::KernelSpec& kernel : application(process).kernels) most = std::max(most, longest(kernel));
    return most;
  }
  Cycle quantum() const {
    const bool has_turns = spec.gpu.framework.channels == spec::Channels::kOne;
    return has_turns ? host.clock.cycles_in(spec.gpu.framework.channel_quantum) : 0;
  }
  const spec::ApplicationSpec& application(std::size_t process) const {
    return spec.applications.at(spec.processes.at(process).application);
  }
  const command_scheduling::ReserveParameters& reserve(std::size_t id) const { return plan.reserves.at(id).parameters; }

  // What a frame of the player takes at most where `blocking` is all that it waits for: its CPU time, the first launch,
  // and its groups one after the other (PRT; HT is faster). The next one waits when a group is done (reading 5), so
  // nobody gets in between, and the channel stays: its quantum is waited for once.
  Cycle frame(Cycle blocking) const {
    const std::vector<spec::HostStep>& program = application(kPlayer).program;
    const Cycle on_cpu = host.clock.cycles_in(std::get<spec::CpuPhase>(program.at(0)).time);
    const Cycle groups = std::get<spec::Loop>(program.at(1)).count * (longest(kPlayer) - quantum());
    return on_cpu + host.launch + blocking + quantum() + groups + host.synchronise;
  }
  Cycle frame_period() const { return host.clock.cycles_in(spec.processes.at(kPlayer).releases.value().period); }

  const spec::Spec& spec;
  HostLatencies host;
  command_scheduling::TaskTable plan;
};

// Readings, invariants: what is charged for groups that are submitted within W stays below
//   (cap + ceil(W / T) C) + online x longest,   cap: C under PE, max(C, the largest prediction) under AE.
// For a group needs e > 0, so what was charged before the last one stays below the cap and the grants; the last one is
// not charged yet, nor are those that are online beside it (reading 22). Under AE predictions that are exact take
// the last term away; here nobody promises that they are.
inline void expect_contained(const ContainmentBounds& bounds, const Log& log, std::size_t id, Cycle longest,
                             std::uint64_t online = 1) {
  const command_scheduling::ReserveParameters& reserve = bounds.reserve(id);
  const std::vector<ChargedGroup> groups = groups_of_reserve(bounds.spec, log, id);
  ASSERT_GT(groups.size(), 10U);
  Cycle cap = reserve.capacity;
  for (const ChargedGroup& group : groups) {
    EXPECT_LE(group.charged, longest);
    cap = std::max(cap, group.predicted);
  }
  const auto is_within = [&](Cycle sum, Cycle num_periods) {
    return sum < cap + num_periods * reserve.capacity + online * longest;
  };
  command_scheduling::test::expect_in_all_windows(groups, reserve.period, is_within);
  // The whole simulation, and its worst period, as the summary has them.
  const record::ReserveResult& result = log.result.driver.reserves.at(id);
  EXPECT_TRUE(is_within(result.used_cycles, (log.result.cycles + reserve.period - 1) / reserve.period));
  EXPECT_TRUE(is_within(result.worst_window, 1));
  // The same for one moment: e > 0, and then what is online is charged.
  EXPECT_LT(result.worst_debt, online * longest);
}

}  // namespace tessera::platform::test
