// SPDX-License-Identifier: Apache-2.0
// A bench for the execution engine: tiny machines, kernels launched at given cycles, the log of what they did.
// Every bench that ends has checked the invariants and the full log.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/record/memory_sink.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "tests/tlm/sm_usage_of_log.h"
#include "tlm/execution_engine/execution_core.h"
#include "verification/log_check/log_checker.h"

namespace tessera::tlm_model::test {

using record::Kind;
using record::Record;

// An SM's share of the bandwidth under static sharing, in bytes a cycle.
inline constexpr std::uint64_t kBytesPerCycle = 16;
inline constexpr std::uint32_t kMaxThreadsPerSm = 64;

// All latencies differ, and so do their small sums: none passes for another. A cycle is a nanosecond. Some tests
// want more active kernels than SMs, which [T14] 3.3 allows.
inline spec::Spec tiny_machine(std::uint32_t num_sms, std::uint32_t num_processes) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = num_sms;
  spec.gpu.max_tbs_per_sm = 4;
  spec.gpu.max_threads_per_sm = kMaxThreadsPerSm;
  spec.gpu.registers_per_sm = 65536;
  spec.gpu.shared_memory_bytes = {4096};
  spec.gpu.memory_bandwidth_bytes_per_s = spec.gpu.clock_hz * kBytesPerCycle * num_sms;
  spec.gpu.framework.num_ksrs = 8;
  spec.gpu.framework.search_entry_cycles = 1;
  spec.gpu.framework.kernel_activation_cycles = 5;
  spec.gpu.framework.sm_setup_cycles = 31;
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.tb_issue_cycles = 2;
  spec.gpu.framework.pipeline_drain_cycles = 43;
  spec.gpu.framework.trap_entry_cycles = 11;
  spec.processes.resize(num_processes);
  return spec;
}

inline spec::Spec machine(std::uint32_t num_sms, std::uint32_t num_processes, spec::PolicyKind policy,
                          spec::Access access = spec::Access::kExclusive) {
  spec::Spec spec = tiny_machine(num_sms, num_processes);
  spec.scheduler.policy = policy;
  spec.scheduler.access = access;
  return spec;
}

// The latencies of a Spec under the short names that the timelines use.
struct Latencies {
  explicit Latencies(const spec::Spec& spec)
      : search(Cycle{spec.gpu.framework.search_entry_cycles} *
               ((spec.gpu.num_sms + spec.scheduler.search_width - 1) / spec.scheduler.search_width)),
        activation(spec.gpu.framework.kernel_activation_cycles),
        setup(spec.gpu.framework.sm_setup_cycles),
        issue(spec.gpu.framework.tb_issue_cycles),
        freeze(spec.gpu.framework.pipeline_drain_cycles),
        trap(spec.gpu.framework.trap_entry_cycles) {}

  Cycle search;      // a walk over the tables
  Cycle activation;  // command buffer -> active queue
  Cycle setup;
  Cycle issue;
  Cycle freeze;  // from the trap until its TBs stand still
  Cycle trap;    // from there until the save starts

  // From the cycle in which an SM is assigned to that in which its first TB runs.
  Cycle start() const { return setup + issue; }
  // From arrival at an idle machine to the first assignment.
  Cycle assign() const { return activation + search; }
};

// When a kernel arrives that reserves its first SM in `cycle`; and where the technique makes sets of victims, which
// takes a second search.
inline Cycle arrival_to_reserve_in(const Latencies& t, Cycle cycle) { return cycle - t.activation - t.search; }
inline Cycle arrival_to_choose_in(const Latencies& t, Cycle cycle) {
  return arrival_to_reserve_in(t, cycle) - t.search;
}

// What a test says of a launch.
struct Kernel {
  std::uint16_t process = 0;
  std::uint32_t num_tbs = 1;
  std::vector<Cycle> durations{1};  // of the TBs in order; a single one: of all of them
  std::uint32_t tbs_per_sm = 1;     // by threads
  std::uint32_t priority = 0;
  std::uint32_t regs_per_tb = 64;
  Cycle deadline = 0;  // from its arrival; 0: none
  std::uint32_t idempotent_until_ppm = 0;
  workload::TbProgress progress{};
  std::uint32_t smem_bytes_per_tb = 0;
  std::optional<spec::KernelKind> kind{};
  std::int32_t occupancy_speedup_ppm = 0;
  std::uint64_t dram_bytes_per_tb = 0;
  std::uint32_t bytes_in_flight_per_tb = 0;

  std::uint64_t context_bytes() const { return 4ULL * regs_per_tb + smem_bytes_per_tb; }
  // Of `tbs` TBs at an SM's own share of the bandwidth.
  Cycle move(std::uint64_t tbs = 1) const { return (tbs * context_bytes() + kBytesPerCycle - 1) / kBytesPerCycle; }
};

// kNever: it did not happen.
inline Cycle first_of(const std::vector<Cycle>& cycles) { return cycles.empty() ? kNever : cycles.front(); }

// The engine under test: each program that uses the bench brings its own. `context_bytes` may be null.
std::unique_ptr<IExecutionCore> make_core(const spec::Spec& spec, record::RecordLog& log, PagedMemory* context_bytes);

class CoreBench {
 public:
  explicit CoreBench(const spec::Spec& spec, PagedMemory* context_bytes = nullptr)
      : spec_(spec), facts_spec_(spec), core_(make_core(spec_, log_, context_bytes)) {
    log_.add_sink(&sink_);
    facts_spec_.applications.resize(spec.processes.size());
    for (std::uint32_t p = 0; p < spec.processes.size(); ++p) facts_spec_.processes[p].application = p;
    if (!spec.partitions.empty()) write_partitions();
  }
  CoreBench(const CoreBench&) = delete;
  CoreBench& operator=(const CoreBench&) = delete;
  ~CoreBench() {
    if (!is_ended_) run();
    expect_sound();
  }

  // The dispatcher sends the kernel so that it reaches the engine in cycle `arrival` (1 or later). Its launch id,
  // if kernels enter the command buffers in the order in which they are launched here.
  std::uint32_t launch(Cycle arrival, const Kernel& kernel) {
    std::vector<spec::KernelSpec>& kernels = facts_spec_.applications[kernel.process].kernels;
    KernelLaunch launch;
    launch.queue = QueueId(num_launches_);
    launch.context = ContextId(kernel.process);
    launch.priority = kernel.priority;
    launch.deadline = kernel.deadline;
    launch.partition = PartitionId(spec_.processes[kernel.process].partition);
    launch.process = kernel.process;
    launch.kernel = static_cast<std::uint16_t>(kernels.size());
    launch.num_tbs = kernel.num_tbs;
    launch.regs_per_tb = kernel.regs_per_tb;
    launch.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
    launch.threads_per_tb = kMaxThreadsPerSm / kernel.tbs_per_sm;
    launch.idempotent_until_ppm = kernel.idempotent_until_ppm;
    launch.durations = durations_of(kernel);
    launch.progress = kernel.progress;
    launch.kind = kernel.kind;
    launch.occupancy_speedup_ppm = kernel.occupancy_speedup_ppm;
    launch.dram_bytes_per_tb = kernel.dram_bytes_per_tb;
    launch.bytes_in_flight_per_tb = kernel.bytes_in_flight_per_tb;
    kernels.push_back(resources_of(launch));
    core_->send({arrival - 1, num_launches_, launch});
    return num_launches_++;
  }

  // The OS writes; they take effect in cycle `at`.
  void set_priority(Cycle at, std::uint16_t process, std::uint32_t priority) {
    write(at, SetPriority{ContextId(process), priority});
  }
  void set_tokens(Cycle at, std::uint16_t process, std::uint32_t tokens) {
    write(at, SetTokens{ContextId(process), tokens});
  }
  void set_policy(Cycle at, const spec::SchedulerSpec& scheduler) {
    writes_policy_ = true;
    write(at, SetPolicy{scheduler});
  }
  void set_partition(Cycle at, std::uint16_t sm, std::uint8_t partition) {
    write(at, SetPartition{SmId(sm), PartitionId(partition)});
  }
  void set_mask(Cycle at, std::uint8_t partition, const SmSet& sms) { write(at, SetMask{PartitionId(partition), sms}); }
  void set_slice_end(Cycle at, std::uint16_t process, spec::SliceEnd slice_end) {
    write(at, SetSliceEnd{ContextId(process), slice_end});
  }
  // What a kept turn is told; it is on the pins in cycle `at`.
  void set_waiting(Cycle at, std::uint16_t process, bool is_waiting) {
    tell_turn(at, SetWaiting{ContextId(process), is_waiting});
  }
  void set_listed(Cycle at, std::uint16_t process, bool is_listed) {
    tell_turn(at, SetListed{ContextId(process), is_listed});
  }

  // The log is not held against the Spec's partitions: they are written while kernels run.
  void forget_partitions() { facts_spec_.partitions.clear(); }

  // Everything before `limit` happens.
  void run_before(Cycle limit) {
    while (core_->next_event() < limit) {
      core_->run_until(limit);
      core_->take_done();
    }
  }
  // The simulation ends before `end`, whatever is still open.
  void run_and_stop(Cycle end) {
    run_before(end);
    is_stopped_ = true;
    finish(end);
  }
  // Until every kernel has finished.
  void run() {
    Cycle last = 0;
    while (core_->next_event() != kNever && last < kTooLate) {
      last = core_->next_event();
      core_->run_until(last + 1);
      core_->take_done();
    }
    EXPECT_LT(last, kTooLate) << "a kernel does not end";
    finish(last + 1);
  }

  // The cycles in which something of that kind happened: to a kernel, to one of its TBs, to an SM.
  std::vector<Cycle> kernel(Kind kind, std::uint32_t launch) const {
    return cycles(kind, [&](const Record& r) { return r.launch == launch; });
  }
  std::vector<Cycle> tb(Kind kind, std::uint32_t launch, std::uint32_t tb) const {
    return cycles(kind, [&](const Record& r) { return r.launch == launch && r.tb == tb; });
  }
  std::vector<Cycle> sm(Kind kind, std::uint16_t sm) const {
    return cycles(kind, [&](const Record& r) { return r.sm == sm; });
  }
  std::vector<Record> records(Kind kind) const {
    std::vector<Record> found;
    for (const Record& record : sink_.records()) {
      if (record.kind == kind) found.push_back(record);
    }
    return found;
  }

  // SMs of each launch now, by its id: those that run for it and are not reserved.
  std::vector<std::uint32_t> sms_owned() const {
    std::vector<std::uint32_t> owned(num_launches_, 0);
    std::vector<std::uint32_t> owner(spec_.gpu.num_sms, record::kNoNumber);
    for (const Record& r : sink_.records()) {
      const bool is_cancelled =
          r.kind == Kind::kPreemptionRetargeted && r.value == r.launch && r.technique == record::Technique::kDrain;
      if (r.kind == Kind::kSmSetUp || is_cancelled) owner[r.sm] = r.launch;
      if (r.kind == Kind::kPreemptionRequested || r.kind == Kind::kSmReleased) owner[r.sm] = record::kNoNumber;
    }
    for (const std::uint32_t launch : owner) {
      if (launch != record::kNoNumber) ++owned[launch];
    }
    return owned;
  }

  const std::vector<Record>& all_records() const { return sink_.records(); }

  // That a process has used before `now`; and when a step counts that a record tells of.
  std::uint64_t sm_cycles(std::uint16_t process, Cycle now) const { return core_->sm_cycles(ContextId(process), now); }
  UsageDelays usage_delays() const {
    if (core_->which() == spec::Cores::kClocked) return kClockedUsage;
    return spec::has_one_job_engine(spec_) ? kOneJobUsage : UsageDelays{};
  }

  // The transaction-level engine, for tests that look inside.
  ExecutionCore& core() { return dynamic_cast<ExecutionCore&>(*core_); }
  const Latencies& latencies() const { return latencies_; }

  // A test that breaks an invariant on purpose says so.
  void expect_violation(record::Invariant invariant) { expected_violations_.push_back(to_string(invariant)); }

 private:
  // Behind the launches of the first cycle, which have begun an invocation by then.
  void write_partitions() {
    const std::vector<std::uint32_t> partitions = spec::partition_of_sms(spec_);
    for (std::uint16_t sm = 0; sm < partitions.size(); ++sm) {
      set_partition(1, sm, static_cast<std::uint8_t>(partitions[sm]));
    }
    if (!spec::has_masks(spec_)) return;
    const std::vector<SmSet> masks = spec::sms_of_partitions(spec_);
    for (std::uint8_t id = 0; id < masks.size(); ++id) set_mask(1, id, masks[id]);
  }

  static constexpr Cycle kTooLate = 1'000'000'000;

  workload::TbDurations durations_of(const Kernel& kernel) {
    if (kernel.durations.size() == 1) return workload::TbDurations({kernel.durations.front(), 0}, 0);
    durations_.push_back(kernel.durations);
    return workload::TbDurations(durations_.back());
  }

  void write(Cycle at, const RegisterWrite& write) { core_->send({at - 1, spec_.gpu.num_hardware_queues, write}); }
  void tell_turn(Cycle at, const TurnInput& input) { core_->send({at - 1, spec_.gpu.num_hardware_queues, input}); }

  std::vector<Cycle> cycles(Kind kind, const std::function<bool(const Record&)>& matches) const {
    std::vector<Cycle> found;
    for (const Record& record : sink_.records()) {
      if (record.kind == kind && matches(record)) found.push_back(record.cycle);
    }
    return found;
  }

  void finish(Cycle end) {
    core_->finish(end);
    log_.finish(end);
    is_ended_ = true;
  }

  void expect_sound() {
    for (const auto& [name, verdict] : core_->monitor().verdicts()) {
      const bool is_expected = std::count(expected_violations_.begin(), expected_violations_.end(), name) > 0;
      EXPECT_EQ(verdict == "ok", !is_expected) << name << ": " << verdict;
    }
    verification::LogFacts facts = verification::make_log_facts(facts_spec_);
    facts.writes_policy = writes_policy_;
    const verification::LogReport report = verification::check_log(sink_.records(), facts);
    EXPECT_THAT(report.violations, testing::IsEmpty());
    if (is_stopped_) return;
    EXPECT_EQ(records(Kind::kKernelFinished).size(), num_launches_);
    EXPECT_THAT(report.open_preemptions, testing::IsEmpty());
    EXPECT_EQ(report.open_saves, 0U);
    const auto* tlm = dynamic_cast<const ExecutionCore*>(core_.get());
    if (tlm == nullptr) return;
    EXPECT_TRUE(tlm->tables().active_queue().empty());
    for (const policy::SmEntry& entry : tlm->tables().smst()) EXPECT_EQ(entry.status, policy::SmStatus::kIdle);
  }

  spec::Spec spec_;
  spec::Spec facts_spec_;  // with the kernels that were launched
  Latencies latencies_{spec_};
  record::RecordLog log_;
  record::MemorySink sink_;
  std::unique_ptr<IExecutionCore> core_;
  std::deque<std::vector<Cycle>> durations_;  // of the launches that list them
  std::uint32_t num_launches_ = 0;
  bool writes_policy_ = false;
  bool is_ended_ = false;
  bool is_stopped_ = false;
  std::vector<std::string> expected_violations_;
};

}  // namespace tessera::tlm_model::test
