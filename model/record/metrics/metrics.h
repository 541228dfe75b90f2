// SPDX-License-Identifier: Apache-2.0
// What one run comes to: counted from the log while it runs, without per-TB records and in flat memory.
// All numbers are integers, so a RunResult survives its way through JSON between processes unchanged.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/driver_metrics.h"
#include "model/record/metrics/frames.h"
#include "model/record/metrics/gloop_metrics.h"
#include "model/record/metrics/histogram.h"
#include "model/record/metrics/partitions.h"
#include "model/record/metrics/victims.h"
#include "model/record/record.h"
#include "model/record/run_start.h"

namespace tessera::record {

struct ProcessResult {
  std::uint64_t runs = 0;               // completed ones
  std::uint64_t turnaround_cycles = 0;  // their sum
  // Where the process has a deadline: kernels that met or missed it, and the longest from arrival to end. One that is
  // open when the simulation ends counts once its deadline has passed.
  std::uint64_t deadline_kernels = 0;
  std::uint64_t deadline_misses = 0;
  Cycle worst_response_cycles = 0;
  FrameResult frames{};           // where its runs are released
  std::uint64_t killed_runs = 0;  // that ended with a kernel killed ([G16]): not completed
};

struct PreemptionResult {
  CycleStats latency;                // from request to done; its count is the number of preemptions done
  std::uint64_t bytes_saved = 0;     // by the preemptions that are done; where victims are chosen, of all that left so
  std::uint64_t bytes_restored = 0;  // by the restores that are done
  std::uint64_t tbs_flushed = 0;
  std::uint64_t cycles_flushed = 0;  // that these had run
};

// Of the slots that SMs have for the kernels that hold them, in cycles: all of them, those in which TBs ran, and those
// that were free or stood still: because of a preemption, because no TB waited. The rest is issue.
struct SlotCycles {
  std::uint64_t all = 0;
  std::uint64_t run = 0;
  std::uint64_t preempted = 0;
  std::uint64_t without_demand = 0;
};

struct RunResult {
  // Set by whoever ran the model: did it end as the Spec asks, why did it end, what do the invariants say?
  bool complete = false;
  std::string stop_reason;                        // "min_runs", "max_time", "interrupted"
  std::map<std::string, std::string> invariants;  // name -> "ok" or the first violation

  // Set by MetricsSink.
  Cycle cycles = 0;                 // simulated
  std::uint64_t tbs_completed = 0;  // of finished kernels and of those still active
  std::uint64_t open_saves = 0;     // bytes of contexts saved and not restored at the end
  std::uint64_t busy_sm_cycles = 0;
  SlotCycles slots;                      // all zero where two kernels share an SM: it has no number of slots then
  std::vector<ProcessResult> processes;  // as in Spec::processes
  std::map<std::string, PreemptionResult> preemptions;  // by to_string(Technique); others than kTechniques if used
  CycleStats decisions;                                 // of the policy: until nothing is left to do
  CycleStats first_decisions;                           // of those that moved something: until the first move
  std::vector<CycleRange> decision_histogram;           // of decisions
  std::vector<CycleRange> first_decision_histogram;     // of first_decisions
  std::uint64_t policy_invocations = 0;
  std::uint64_t withheld_sm_cycles = 0;     // SMs idle by rule
  VictimResult victims;                     // empty where the technique chooses none
  DriverResult driver;                      // empty where the driver holds nothing back
  std::vector<PartitionResult> partitions;  // empty where there are none
  std::vector<GloopProcessResult> gloop;    // as processes; empty without event-driven kernels
};

// JSON in both directions; reading throws nlohmann::json::exception.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessResult, runs, killed_runs, turnaround_cycles, deadline_kernels,
                                   deadline_misses, worst_response_cycles, frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PreemptionResult, latency, bytes_saved, bytes_restored, tbs_flushed, cycles_flushed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SlotCycles, all, run, preempted, without_demand)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunResult, complete, stop_reason, invariants, cycles, tbs_completed, open_saves,
                                   busy_sm_cycles, slots, processes, preemptions, decisions, first_decisions,
                                   decision_histogram, first_decision_histogram, policy_invocations, withheld_sm_cycles,
                                   victims, driver, partitions, gloop)

class MetricsSink : public ISink {
 public:
  // `deadlines`: of the processes' kernels, in cycles from their arrival, 0: none; of those it leaves out, none.
  // `latency_limit`: within which a kernel's places are to be granted, 0: none. `starts`: of the processes' runs; of
  // those it leaves out, back to back. `driver`: whose records may come. `partitions`: static ones, if there are.
  explicit MetricsSink(std::size_t num_processes, std::vector<Cycle> deadlines = {}, Cycle latency_limit = 0,
                       const std::vector<RunStart>& starts = {}, DriverFacts driver = {},
                       PartitionFacts partitions = {});

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;

  // Valid after finish().
  const RunResult& result() const { return result_; }

 private:
  // Those with an entry in any case.
  static constexpr std::array kTechniques{Technique::kContextSwitch, Technique::kDrain};

  void kernel_arrived(const Record& record);
  void kernel_finished(const Record& record);
  void judge(std::uint16_t process, Cycle response);
  PreemptionResult& of(Technique technique);
  void preemption_requested(const Record& record);
  void preemption_done(const Record& record);
  void restore_done(const Record& record);
  void sm_flushed(const Record& record);
  void sm_slots(const Record& record);
  void run_changed(const Record& record, bool is_killed);
  void run_ended(const Record& record);
  void sms_withheld(std::uint64_t count, Cycle now);

  struct OpenKernel {
    std::uint16_t process;
    Cycle arrived;
  };

  RunResult result_;
  std::vector<Cycle> deadlines_;                        // by process
  std::map<std::uint16_t, Cycle> slots_counted_until_;  // by SM: its set-up, or the last kSmSlots
  std::unordered_map<std::uint32_t, OpenKernel> open_;  // by launch: those with a deadline
  std::map<Technique, Histogram> latencies_;
  Technique mover_ = Technique::kContextSwitch;  // whose contexts are moved, and whose thread blocks are dropped
  VictimCounter victims_;
  std::map<std::uint16_t, FrameCounter> frames_;  // by process: those with releases
  DriverCounter driver_;
  PartitionCounter partitions_;
  GloopCounter gloop_;
  Histogram decisions_;
  Histogram first_decisions_;
  std::uint64_t num_withheld_ = 0;  // SMs, since `withheld_since_`
  Cycle withheld_since_ = 0;
};

}  // namespace tessera::record
