// SPDX-License-Identifier: Apache-2.0
// Metrics of one simulation, computed from the log while it runs, without per-TB records and in constant memory. All
// numbers are integers, so a RunResult passes through JSON between processes unchanged.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/record/metrics/cpu_metrics.h"
#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/driver_metrics.h"
#include "model/record/metrics/frames.h"
#include "model/record/metrics/gloop_metrics.h"
#include "model/record/metrics/histogram.h"
#include "model/record/metrics/memory_result.h"
#include "model/record/metrics/partitions.h"
#include "model/record/metrics/task_metrics.h"
#include "model/record/metrics/turns.h"
#include "model/record/metrics/victims.h"
#include "model/record/record.h"
#include "model/record/run_start.h"

namespace tessera::record {

struct ProcessResult {
  std::uint64_t runs = 0;               // completed ones
  std::uint64_t turnaround_cycles = 0;  // their sum
  // If the process has a deadline: kernels that met or missed it, and the longest time from arrival to end. A kernel
  // that is open at the end of the simulation counts if its deadline has passed.
  std::uint64_t deadline_kernels = 0;
  std::uint64_t deadline_misses = 0;
  Cycle worst_response_cycles = 0;
  FrameResult frames{};           // if its runs are released
  std::uint64_t killed_runs = 0;  // not completed, since a kernel was killed ([G16])
};

struct PreemptionResult {
  CycleStats latency;                // from request to completion; its count is the number of completed preemptions
  std::uint64_t bytes_saved = 0;     // by completed preemptions; if victims are chosen, of all saved victims
  std::uint64_t bytes_restored = 0;  // by completed restores
  std::uint64_t tbs_flushed = 0;
  std::uint64_t cycles_flushed = 0;  // that flushed TBs had run
};

// Slot cycles of SMs that are owned by a kernel: in total; with a running TB; unused because of a preemption; unused
// because no TB waited. The rest is issue time.
struct SlotCycles {
  std::uint64_t all = 0;
  std::uint64_t run = 0;
  std::uint64_t preempted = 0;
  std::uint64_t without_demand = 0;
};

struct RunResult {
  // Set by the caller that ran the model: whether it ended as the Spec requires, why it ended, the invariants' verdicts
  // and what memory did.
  bool complete = false;
  std::string stop_reason;                        // "min_runs", "max_time", "interrupted"
  std::map<std::string, std::string> invariants;  // name -> "ok" or the first violation
  MemoryResult memory;                            // nothing unless it answers later under load

  // Set by MetricsSink.
  Cycle cycles = 0;                 // simulated
  std::uint64_t tbs_completed = 0;  // of finished kernels and of those still active
  std::uint64_t open_saves = 0;     // bytes of contexts saved and not restored at the end
  std::uint64_t busy_sm_cycles = 0;
  SlotCycles slots;                      // all zero if kernels share SMs, which then have no fixed number of slots
  std::vector<ProcessResult> processes;  // as in Spec::processes
  std::map<std::string, PreemptionResult> preemptions;  // by to_string(Technique); kTechniques, and others if used
  CycleStats decisions;                                 // of the policy, until no move is left
  CycleStats first_decisions;                           // of decisions with a move: until the first move
  std::vector<CycleRange> decision_histogram;           // of decisions
  std::vector<CycleRange> first_decision_histogram;     // of first_decisions
  std::uint64_t policy_invocations = 0;
  std::uint64_t withheld_sm_cycles = 0;     // SM cycles idle by rule
  VictimResult victims;                     // empty if the technique does not choose victims
  DriverResult driver;                      // empty if the driver does not hold groups back
  TaskDriverResult tasks;                   // empty if it does not stop tasks
  std::vector<PartitionResult> partitions;  // empty without partitions
  std::vector<GloopProcessResult> gloop;    // like `processes`; empty without event-driven kernels
  std::vector<CpuProcessResult> cpu;        // like `processes`; empty if the host has no cores
  TurnResult turns;                         // empty unless contexts keep turns
};

// JSON in both directions; reading throws nlohmann::json::exception.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessResult, runs, killed_runs, turnaround_cycles, deadline_kernels,
                                   deadline_misses, worst_response_cycles, frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PreemptionResult, latency, bytes_saved, bytes_restored, tbs_flushed, cycles_flushed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SlotCycles, all, run, preempted, without_demand)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemoryResult, bytes, largest_latency_ppm)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunResult, complete, stop_reason, invariants, memory, cycles, tbs_completed,
                                   open_saves, busy_sm_cycles, slots, processes, preemptions, decisions,
                                   first_decisions, decision_histogram, first_decision_histogram, policy_invocations,
                                   withheld_sm_cycles, victims, driver, tasks, partitions, gloop, cpu, turns)

class MetricsSink : public ISink {
 public:
  // `deadlines`: of the processes' kernels, in cycles from arrival, 0 or missing: none. `latency_limit`: for granting a
  // kernel's places, 0: none. `starts`: of the processes' runs, missing: back to back. `driver`: the driver whose
  // records may occur. `partitions`: static partitions, if any.
  explicit MetricsSink(std::size_t num_processes, std::vector<Cycle> deadlines = {}, Cycle latency_limit = 0,
                       const std::vector<RunStart>& starts = {}, const DriverFacts& driver = {},
                       PartitionFacts partitions = {});

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;

  // Valid after finish().
  const RunResult& result() const { return result_; }

 private:
  // Techniques that always have an entry.
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
  Technique mover_ = Technique::kContextSwitch;  // technique for which context moves and flushes are counted
  VictimCounter victims_;
  std::map<std::uint16_t, FrameCounter> frames_;  // by process: those with releases
  DriverCounter driver_;
  TaskCounter tasks_;
  PartitionCounter partitions_;
  GloopCounter gloop_;
  CpuCounter cpu_;
  TurnCounter turns_;
  Histogram decisions_;
  Histogram first_decisions_;
  std::uint64_t num_withheld_ = 0;  // SMs withheld since `withheld_since_`
  Cycle withheld_since_ = 0;
};

}  // namespace tessera::record
