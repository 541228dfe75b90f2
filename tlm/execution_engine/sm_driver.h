// SPDX-License-Identifier: Apache-2.0
// The SM driver ([T14] Figure 3): sets SMs up, issues thread blocks (preempted ones first), counts completions,
// and carries preemption out. It holds the engine's hot loop.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "model/base/event_tree.h"
#include "model/policy/i_victim_port.h"
#include "model/policy/scheduling_tables.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/contention.h"
#include "tlm/execution_engine/context_memory.h"
#include "tlm/execution_engine/context_table.h"
#include "tlm/execution_engine/device_loops.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/memory_channel.h"
#include "tlm/execution_engine/ptbq.h"
#include "tlm/execution_engine/sm.h"

namespace tessera::tlm_model {

// What the driver keeps of an active kernel beside its KSR.
struct KernelRun {
  LaunchId id{};
  KernelLaunch launch;
  std::uint32_t finished_tbs = 0;
  std::uint32_t taken_tbs = 0;     // of these: known to an engine that does one job at a time
  std::uint32_t num_away = 0;      // handles in the PTBQ, and contexts that are on their way in
  Cycle last_fresh_start = 0;      // of TB num_tbs - 1, once it has been issued
  Cycle none_waits_from = kNever;  // for a slot; kNever: one does
  std::uint32_t fresh_end = 0;     // TBs below this may be issued now: none while handles wait in the PTBQ
  Cycle next_duration = 0;         // of TB next_tb, drawn before it is needed
  std::uint64_t context_bytes_per_tb = 0;
  record::SmUse use_per_tb;
};

class SmDriver {
 public:
  // `timers` has a leaf per SM, its id. `monitor` may be null; `context_bytes` is null when no bytes are moved.
  SmDriver(const spec::Spec& spec, policy::SchedulingTables& tables, EventTree& timers, record::RecordLog& log,
           record::InvariantMonitor* monitor, PagedMemory* context_bytes);
  virtual ~SmDriver() = default;

  ContextTable& context_table() { return context_table_; }
  virtual const policy::IVictimPort* victim_port() const { return nullptr; }
  virtual void set_scheduler(const spec::SchedulerSpec& scheduler);  // whose technique later preemptions have

  // Orders of the scheduler. A decision begins: what it moves was wanted from then on. It is over: no move follows.
  virtual void decision_began(Cycle at) { decision_began_ = at; }
  virtual void decision_over(Cycle) {}
  virtual void kernel_activated(KsrId ksr, LaunchId id, const KernelLaunch& launch, Cycle now);
  virtual void assign(SmId sm, KsrId ksr, Cycle now);
  virtual void reserve(SmId sm, KsrId next, Cycle now);
  virtual void retarget(SmId sm, KsrId next, Cycle now);

  // Events, in cycle order: TBs that complete before `before`, up to and including the first that needs more
  // than a refill; an SM's timer; the issue cycle of breadth-first filling.
  Cycle next_completion() const { return completions_.min_time(); }
  virtual void run_completions(Cycle before);
  virtual void timer_fired(SmId sm, Cycle now);
  Cycle next_issue() const { return issue_at_; }
  void issue_due(Cycle now);

  // What the scheduler must be told; the caller clears both.
  bool wants_policy = false;    // an SM became idle, a save completed, or a kernel finished
  std::vector<KsrId> finished;  // kernels whose last TB is done; their KSRs are not freed yet

  // The device event loops, once there has been an event-driven kernel; else null.
  DeviceLoops* loops() const { return loops_.get(); }
  DeviceLoops& require_loops();
  std::vector<LoopRequest> loop_requests;  // what they ask of the host; the caller clears them

  virtual bool is_any_sm_changing_hands() const;  // reserved, in set-up or restoring

  Cycle now() const { return now_; }  // of the last event
  const Sm& sm(SmId id) const { return sms_[index(id)]; }
  const KernelRun& kernel(KsrId id) const { return kernels_[index(id)]; }
  const Ptbq& ptbq(KsrId id) const { return ptbqs_[index(id)]; }
  std::uint64_t context_address(KsrId ksr, std::uint32_t stack_pointer) const {
    return context_memory_.address_of(ksr, stack_pointer);
  }

  // The simulation ends: reports what is still open.
  void finish(Cycle end);

 protected:
  // How often a TB was flushed.
  struct Flushes {
    LaunchId launch{};
    std::uint32_t tb = 0;
    std::uint32_t count = 0;
  };

  // Calls `run` with what holds of this machine as constants: thread blocks are recorded, checked, slowed down. As a
  // rule nothing is: then not even the question is asked once a TB.
  template <typename Run>
  void with_constants(Run run) const {
    const auto as_constant = [](bool holds, auto then) { holds ? then(std::true_type{}) : then(std::false_type{}); };
    as_constant(log_.wants_per_tb(), [&](auto traced) {
      as_constant(monitor_ != nullptr, [&](auto checked) {
        as_constant(contention_ != nullptr, [&](auto contended) { run(traced, checked, contended); });
      });
    });
  }
  template <bool kTraced, bool kChecked, bool kContended>
  void run_completions_as(Cycle before);
  template <bool kTraced, bool kChecked, bool kContended = false>
  void issue_fresh(Sm& sm, KernelRun& kernel, policy::KsrEntry& ksr, std::uint32_t leaf, Cycle earliest);
  void complete(SmId id, std::uint32_t slot, Cycle now);
  void slot_freed(SmId id, std::uint32_t slot);
  virtual void finish_kernel(KsrId ksr, Cycle now);

  void set_up(SmId id, KsrId ksr, Cycle now);
  void take_over(SmId id, KsrId ksr, Cycle now);
  void set_up_done(SmId id, Cycle now);
  void fill(SmId id, Cycle now);
  void issue_next(SmId id, Cycle now);  // one fresh TB into the lowest free slot
  void issue_into(SmId id, std::uint32_t slot, Cycle earliest);
  Cycle claim_issue_cycle(Cycle earliest);
  // Of what is issued now; breadth-first issue is called when the latency is over.
  Cycle first_issue_cycle(Cycle now) const {
    return is_breadth_first_ ? now : now + spec_.gpu.framework.tb_issue_cycles;
  }
  void request_issue(SmId id, Cycle earliest);  // breadth-first
  virtual void issue_breadth_first(SmId id, Cycle now);
  virtual bool wants_issue(SmId id) const;
  virtual bool is_unused(SmId id) const;  // it runs, holds nothing, and nobody waits for it
  Cycle ready_at(SmId id) const;
  void free_slots_from(SmId id, Cycle now);
  std::uint32_t next_slot(SmId id, Cycle now) const;

  void note_reserved(SmId id, KsrId next, Cycle now);
  bool note_retargeted(SmId id, KsrId next, Cycle now);  // returns whether it cancels a drain
  void start_restore(SmId id, Cycle now);
  void read_handle(SmId id, Cycle start);
  void restart(SmId id, std::uint32_t slot, const TbHandle& handle, Cycle start);
  void handles_read(SmId id, Cycle restore_at);
  void restore_done(SmId id, Cycle now);
  void batch_is_in(SmId id, Cycle now);
  void resume_restored(SmId id, Cycle now);
  void preempt(SmId id, Cycle now);
  void trap(SmId id, Cycle now);
  void flush(SmId id, std::uint64_t running, Cycle now);
  void drop(SmId id, std::uint64_t slots, Cycle now);
  bool may_be_flushed(SmId id, std::uint32_t slot, Cycle now) const;
  Cycle executed_cycles(SmId id, std::uint32_t slot, Cycle now) const;
  virtual Cycle remaining_work(SmId id, std::uint32_t slot, Cycle now) const;
  std::uint32_t num_flushes(SmId id, std::uint32_t slot) const;
  void freeze(SmId id, Cycle now);
  void stop(SmId id, std::uint64_t slots, Cycle now);
  void save_done(SmId id, Cycle now);
  void tbs_have_left(SmId id, Cycle now);
  void handles_return(SmId id, std::uint64_t slots, Cycle now);  // of TBs that have been flushed or saved
  void start_move(SmId id, SmPhase phase, record::Kind kind, Cycle now);
  void end_move(SmId id, Cycle now);
  void time_moves(SmId changed);
  void preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now);
  void report_preemption(SmId id, std::uint64_t bytes_saved, Cycle now);
  void hand_over(SmId id, Cycle now);
  virtual void release(SmId id, Cycle now);

  bool takes_refill(SmId id) const;
  void occupy(SmId id, std::uint32_t slot);
  void no_fresh_is_left(KernelRun& kernel, Cycle last_start);
  void is_back(KsrId ksr, Cycle start);
  void wait_again(KsrId ksr, Cycle now);
  void report_use(SmId id, Cycle now, Cycle to_come = 0);
  Cycle cycles_to_come(SmId id, Cycle now) const;
  bool is_reserved(SmId id) const { return tables_.sm(id).status == policy::SmStatus::kReserved; }
  std::uint32_t leaf_of(SmId id, std::uint32_t slot) const {
    return static_cast<std::uint32_t>(index(id)) << slot_bits_ | slot;
  }
  std::uint64_t slots_of(KsrId ksr) const { return ~std::uint64_t{0} >> (64 - tables_.ksr(ksr).tbs_per_sm); }
  virtual std::uint64_t num_restoring(KsrId ksr) const;
  virtual std::uint64_t free_slots(SmId id) const {
    return slots_of(sms_[index(id)].ksr) & ~sms_[index(id)].occupied_slots;
  }
  record::Record about(record::Kind kind, SmId id, Cycle at) const;
  record::Record about_preemption(record::Kind kind, SmId id, Cycle at) const;
  void emit_tb(record::Kind kind, SmId id, std::uint32_t slot, Cycle at, std::uint64_t bytes = 0);

  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  EventTree& timers_;
  record::RecordLog& log_;
  record::InvariantMonitor* monitor_;
  std::uint32_t slot_bits_;  // leaf = SM << slot_bits_ | slot
  EventTree completions_;
  ContextTable context_table_;
  ContextMemory context_memory_;
  std::unique_ptr<IMemoryChannel> channel_;  // movers: SMs, then the loops of each
  std::unique_ptr<DeviceLoops> loops_;
  spec::TechniqueKind technique_;
  bool counts_slots_;
  bool is_breadth_first_;
  std::vector<Sm> sms_;
  std::vector<KernelRun> kernels_;         // by KSR
  std::vector<Ptbq> ptbqs_;                // by KSR
  std::vector<std::uint32_t> slot_tb_;     // by leaf
  std::vector<std::uint32_t> slot_stack_;  // by leaf: stack pointer of a TB that is being restored
  std::vector<Cycle> slot_remaining_;      // by leaf: of a TB that stands still
  std::vector<Flushes> slot_flushes_;      // by leaf: of that TB, if it is the one there
  std::vector<Cycle> slot_free_since_;     // by leaf: of a free slot (breadth-first)
  Cycle issue_cycle_ = 0;                  // the last cycle the driver issued in, and how many TBs
  std::uint32_t issued_in_cycle_ = 0;
  Cycle issue_at_ = kNever;         // breadth-first: the next issue cycle
  std::size_t last_served_sm_ = 0;  // breadth-first: round robin
  Cycle decision_began_ = 0;
  Cycle now_ = 0;
  std::unique_ptr<Contention> contention_;  // null: kernels do not slow each other down
};

// The driver issues `tbs_per_cycle` TBs a cycle, in the order in which it is asked.
inline Cycle SmDriver::claim_issue_cycle(Cycle earliest) {
  if (earliest > issue_cycle_) {
    issue_cycle_ = earliest;
    issued_in_cycle_ = 1;
  } else if (issued_in_cycle_ < spec_.scheduler.tbs_per_cycle) {
    ++issued_in_cycle_;
  } else {
    ++issue_cycle_;
    issued_in_cycle_ = 1;
  }
  return issue_cycle_;
}

// Into the slot of a TB that has just finished.
template <bool kTraced, bool kChecked, bool kContended>
inline void SmDriver::issue_fresh(Sm& sm, KernelRun& kernel, policy::KsrEntry& ksr, std::uint32_t leaf,
                                  Cycle earliest) {
  const Cycle start = claim_issue_cycle(earliest);
  const std::uint32_t tb = ksr.next_tb++;
  Cycle duration = kernel.next_duration;
  if constexpr (kContended) {
    const SmId id{static_cast<std::uint16_t>(leaf >> slot_bits_)};
    duration = contention_->stretched(duration, kernel.launch, id);
  }
  completions_.set(leaf, std::min(start + duration, kNever));
  slot_tb_[leaf] = tb;
  sm.last_start = start;
  if (ksr.next_tb < ksr.num_tbs) {
    kernel.next_duration = kernel.launch.durations.of(ksr.next_tb);
  } else {
    no_fresh_is_left(kernel, start);
  }
  if constexpr (kChecked) monitor_->tb_issued(sm.ksr, tb);
  if constexpr (kTraced) {
    const SmId id{static_cast<std::uint16_t>(leaf >> slot_bits_)};
    emit_tb(record::Kind::kTbIssued, id, leaf & ((1U << slot_bits_) - 1), start);
  }
}

}  // namespace tessera::tlm_model
