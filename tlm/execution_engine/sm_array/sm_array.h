// SPDX-License-Identifier: Apache-2.0
// The SMs of a GPU and their thread blocks: they start, run, stop, are dropped, are saved and restored ([T14] 3.2;
// [S16] 2.3). Which one goes where, and when, is decided by sm_control.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/event_tree.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/occupancy_pace.h"
#include "tlm/execution_engine/sm_array/context_memory.h"
#include "tlm/execution_engine/sm_array/device_loops.h"
#include "tlm/execution_engine/sm_array/kernel_run.h"
#include "tlm/execution_engine/sm_array/loaded_memory.h"
#include "tlm/execution_engine/sm_array/memory_channel.h"
#include "tlm/execution_engine/sm_array/microcode.h"
#include "tlm/execution_engine/sm_array/slot.h"
#include "tlm/execution_engine/sm_array/sm.h"
#include "tlm/execution_engine/sm_array/tb_handle.h"

namespace tessera::tlm_model {

// Receives the expected end of a move on the memory channel.
class IMoveTimer {
 public:
  virtual ~IMoveTimer() = default;
  // The SM's move is now expected to end at `end`.
  virtual void move_will_end(SmId sm, Cycle end) = 0;
};

// Where a thread block goes.
struct Place {
  std::uint32_t slot = 0;
  std::uint32_t position = 0;  // of its registers and shared memory, in thread blocks of its kernel
};

// The end of a thread block that its kernel's next one did not follow at once.
struct TbEnd {
  SmId sm{};
  std::uint32_t slot = 0;
  KsrId kernel{};
  Cycle cycle = 0;
};

class SmArray final {
 public:
  // KSR numbers are below gpu.framework.num_ksrs. `monitor` may be null; `context_bytes` is null when no bytes are
  // moved.
  SmArray(const spec::Spec& spec, record::RecordLog& log, record::InvariantMonitor* monitor,
          PagedMemory* context_bytes);
  SmArray(const SmArray&) = delete;
  SmArray& operator=(const SmArray&) = delete;

  void set_move_timer(IMoveTimer* timer) { move_timer_ = timer; }

  // The cycle of the last event; it never decreases.
  Cycle now() const { return now_; }
  void set_now(Cycle now) { now_ = now; }

  const Sm& sm(SmId id) const { return sms_[index(id)]; }
  const Slot& slot(SmId id, std::uint32_t slot) const { return slots_[leaf_of(id, slot)]; }
  const KernelRun& kernel(KsrId id) const { return kernels_[index(id)]; }
  const KernelRun& kernel_in(SmId id, std::uint32_t slot) const { return kernel(this->slot(id, slot).kernel); }
  record::SmMeter& meter(SmId id) { return sms_[index(id)].meter; }

  // ---- kernels: sm_array.cpp
  void begin_kernel(KsrId ksr, LaunchId id, const KernelLaunch& launch, std::uint32_t tbs_per_sm);
  // TBs below `end` may be issued for the first time: all, or none while TBs that have run before wait.
  void set_fresh_end(KsrId ksr, std::uint32_t end) { kernels_[index(ksr)].fresh_end = end; }
  // TBs of the kernel wait for a slot again.
  void wait_again(KsrId ksr, Cycle now);

  // ---- thread blocks come into free slots: sm_array.cpp
  // Starts the kernel's next TB, which takes `duration`.
  void start_fresh(SmId id, Place place, KsrId ksr, Cycle start, Cycle duration);
  // The same in two parts, for one that is on its way to the SM for a while: it is the kernel's next one no more, and
  // it is there.
  std::uint32_t send_next(KsrId ksr, Cycle start);
  void start_sent(SmId id, Place place, KsrId ksr, std::uint32_t tb, Cycle start, Cycle duration);
  // Restarts a flushed TB from its beginning.
  void start_again(SmId id, Place place, KsrId ksr, const TbHandle& handle, Cycle start);
  // Places a TB whose context must be restored first; it takes part in a restore.
  void await_context(SmId id, Place place, KsrId ksr, const TbHandle& handle);

  // ---- they end: ends_loop.h
  Cycle next_end() const {
    return memory_ == nullptr ? ends_.min_time() : std::min(ends_.min_time(), memory_->next_event());
  }
  // Processes TB ends before `before` in order, until one is not followed by a plain refill; that TB stays in its slot.
  // Nothing comes back as well where memory's clock has changed, since timers may have then.
  // The rule decides which are refilled; it has
  //   static constexpr bool kPaces                  SMs have clock domains of their own
  //   static constexpr bool kStretches              kernels slow each other down
  //   void over(const TbEnd&)                       called for each end
  //   Cycle start_of_next(const TbEnd&, const Sm&, const KernelRun&)
  //                                                 when the kernel's next one starts there; kNever: it does not
  //   Cycle duration_of_next(const TbEnd&, const KernelRun&)
  template <typename Rule>
  std::optional<TbEnd> run_ends(Cycle before, Rule& rule);
  // Slots that may be refilled so, as far as the SM is concerned.
  void set_refill(SmId id, std::uint64_t slots) { sms_[index(id)].refill = slots; }
  // Frees the slots of TBs that have ended.
  void vacate(SmId id, std::uint64_t slots, Cycle now);

  // ---- they leave before that, and come back: tb_moves.cpp
  void stop(SmId id, std::uint64_t slots, Cycle now);
  void drop(SmId id, std::uint64_t slots, Cycle now);
  // Starts a save of stopped TBs, or a restore of TBs that await their contexts, of any kernels; its records name the
  // kernel in the lowest slot. It takes `takes` cycles if given, else the time on the memory channel, where an SM has
  // one move at a time.
  void start_move(SmId id, bool is_save, std::uint64_t slots, Cycle now, std::optional<Cycle> takes = std::nullopt);
  // The bytes of the move that was started with these slots are where they belong; it goes on for a while.
  void end_transfer(SmId id, std::uint64_t slots, Cycle now);
  // How long microcode takes besides, before a save's bytes move or after a restore's have.
  Cycle microcode_cycles(SmId id, bool is_save, std::uint64_t slots) const;
  // Ends the move that was started with these slots; after a restore the TBs resume where they stopped.
  ContextMove end_move(SmId id, std::uint64_t slots, Cycle now);
  Cycle end_of_move(SmId id, const ContextMove& move) const;
  // Removes TBs that were dropped or saved; calls `take(handle)` for each, lowest slot first.
  template <typename Take>
  void take_out(SmId id, std::uint64_t slots, Cycle now, Take take);
  std::uint32_t num_coming(KsrId ksr) const;  // TBs that await their contexts

  // ---- how far they are: progress.cpp
  // When its work ends, or has ended where it waits for its bytes; kNever: no end is due.
  Cycle end_of(SmId id, std::uint32_t slot) const { return work_end(leaf_of(id, slot)); }
  // When a TB that has been sent and not moved since began, or begins; not of one that does not end by itself.
  Cycle start_of(SmId id, std::uint32_t slot) const;
  // For a running TB: cycles of its own time remaining and executed, and real cycles since it began.
  Cycle remaining(SmId id, std::uint32_t slot, Cycle now) const;
  Cycle executed(SmId id, std::uint32_t slot, Cycle now) const;
  Cycle ran_for(SmId id, std::uint32_t slot, Cycle now) const;

  // ---- memory that answers later under load; null: it does not
  const LoadedMemory* memory() const { return memory_.get(); }
  void copy_moves(bool starts, Cycle now);

  // The device event loops, once there has been an event-driven kernel; else null.
  DeviceLoops* loops() const { return loops_.get(); }
  DeviceLoops& require_loops();
  // Requests of the loops to the host since the last call.
  bool has_loop_requests() const { return !loop_requests_.empty(); }
  std::vector<LoopRequest> take_loop_requests() { return std::exchange(loop_requests_, {}); }

  std::uint64_t context_address(KsrId ksr, std::uint32_t stack_pointer) const {
    return context_memory_.address_of(ksr, stack_pointer);
  }

 private:
  template <bool kLoaded, typename Rule>
  std::optional<TbEnd> run_ends_in(Cycle before, Rule& rule);
  template <bool kLoaded, bool kTraced, bool kChecked, typename Rule>
  std::optional<TbEnd> run_ends_as(Cycle before, Rule& rule);

  // Memory that answers later under load: loaded_ends.cpp
  std::optional<std::uint32_t> next_loaded_end(Cycle before);
  // True: it ends with them, and has no other end.
  bool place_bytes(std::uint32_t leaf, const MemoryUse& use, Cycle start, Cycle work) {
    return memory_ != nullptr && memory_->place(leaf, use, start, work, now_);
  }
  // kNever: it has none.
  Cycle work_end(std::uint32_t leaf) const {
    return memory_ != nullptr && memory_->is_awaited(leaf) ? memory_->work_end(leaf) : ends_.time(leaf);
  }
  bool resume_bytes(std::uint32_t leaf, const KernelRun& kernel, std::uint64_t bytes, Cycle work, Cycle now);
  template <bool kPaces, bool kStretches>
  void put_next(Sm& sm, Slot& slot, KernelRun& kernel, std::uint32_t leaf, Cycle start, Cycle duration, bool has_end);
  void keep_start(std::uint32_t leaf, Cycle start) {
    if (!starts_.empty()) starts_[leaf] = start;
  }
  void no_fresh_is_left(KernelRun& kernel, Cycle last_start);
  void is_back(KernelRun& kernel, Cycle start);
  Slot& occupy(SmId id, Place place, KsrId ksr);
  void is_there(SmId id, std::uint32_t leaf, Cycle start);
  void report_overdrawn(SmId id);
  TbHandle leave(SmId id, std::uint32_t slot, Cycle now);
  void resume(SmId id, std::uint64_t slots, Cycle now);
  void tell_ends_of_moves(SmId changed);
  ContextMove move_of(SmId id, bool is_save, std::uint64_t slots) const;
  std::vector<ContextMove>::iterator move_under_way(SmId id, std::uint64_t slots);

  // The clock domain of an SM: progress.cpp
  void work_begins(std::uint32_t leaf, Cycle cycles, Cycle start, Cycle ran_for);
  workload::Pace pace_of(const Sm& sm, const Slot& slot) const;
  void change_pace(SmId id, Cycle now) {
    if (!work_.empty()) change_pace_of_residents(id, now);
  }
  void change_pace_of_residents(SmId id, Cycle now);

  std::uint32_t leaf_of(SmId id, std::uint32_t slot) const {
    return static_cast<std::uint32_t>(index(id)) << slot_bits_ | slot;
  }
  record::Record about(record::Kind kind, SmId id, KsrId ksr, Cycle at) const;
  void emit_tb(record::Kind kind, std::uint32_t leaf, Cycle at, std::uint64_t bytes = 0) {
    if (log_.wants_per_tb()) emit_wanted_tb(kind, leaf, at, bytes);
  }
  void emit_wanted_tb(record::Kind kind, std::uint32_t leaf, Cycle at, std::uint64_t bytes);

  const spec::Spec& spec_;
  record::RecordLog& log_;
  record::InvariantMonitor* monitor_;
  std::uint32_t slot_bits_;  // leaf = SM << slot_bits_ | slot
  EventTree ends_;           // by leaf: in real time
  ContextMemory context_memory_;
  Microcode microcode_;
  std::unique_ptr<LoadedMemory> memory_;     // null: bytes take no time
  std::unique_ptr<IMemoryChannel> channel_;  // movers: SMs, then the loops of each
  std::unique_ptr<DeviceLoops> loops_;
  std::vector<LoopRequest> loop_requests_;
  IMoveTimer* move_timer_ = nullptr;
  std::vector<Sm> sms_;
  std::vector<KernelRun> kernels_;
  std::vector<Slot> slots_;                // by leaf
  std::vector<workload::PacedWork> work_;  // by leaf, of TBs in their SM's clock domain; empty: none so far
  std::vector<Cycle> starts_;              // by leaf, if an end does not tell a TB's start; else empty
  Cycle now_ = 0;
};

inline void SmArray::vacate(SmId id, std::uint64_t slots, Cycle now) {
  Sm& sm = sms_[index(id)];
  for_each_slot(slots, [&](std::uint32_t slot) { sm.free.give_back(kernel_in(id, slot).resources_per_tb); });
  sm.occupied &= ~slots;
  sm.stopped &= ~slots;
  sm.moving &= ~slots;
  sm.flushed &= ~slots;
  change_pace(id, now);
}

template <typename Take>
void SmArray::take_out(SmId id, std::uint64_t slots, Cycle now, Take take) {
  for_each_slot(slots, [&](std::uint32_t slot) { take(leave(id, slot, now)); });
  vacate(id, slots, now);
}

}  // namespace tessera::tlm_model
