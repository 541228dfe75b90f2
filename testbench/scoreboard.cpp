// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/compare.h"
#include "rtl_model/core_params.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::testbench {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

Scoreboard::Scoreboard(const Params& params)
    : ptbq_depth_(params.ptbq_depth),
      tag_width_(params.tag_width),
      has_refill_lane_(params.has_refill_lane),
      turn_(params),
      kernels_(params.num_ksrs),
      sms_(params.num_sms),
      waiting_(params.num_command_buffers),
      page_tables_(params.num_contexts),
      policies_(params.policies),
      policy_(rtl_model::policy_register(params.scheduler) & rtl_model::kPolicyCodeMask),
      partitions_(params.num_sms) {
  for (std::uint32_t buffer = 0; buffer < params.num_command_buffers; ++buffer) free_buffers_.set(buffer);
}

void Scoreboard::start_late(std::uint32_t ksr, std::uint32_t num_tbs) {
  kernels_[ksr].next_tb = kernels_[ksr].num_finished = num_tbs;
}

void Scoreboard::expect(bool holds, const char* rule, std::uint32_t sm_or_ksr) {
  if (holds || !violation_.empty()) return;
  violation_ = sm_or_ksr == kNone ? rule : fmt::format("{} ({})", rule, sm_or_ksr);
}

void Scoreboard::cycle(const SchedulerInputs& in, const SchedulerOutputs& out) {
  if (!violation_.empty()) return;
  finishing_ksr_ = kNone;
  // 1. A set-up or a trap was sent in the last cycle: it is judged by what was so then.
  if (out.sm_control.valid) see_control(out.sm_control);
  see_page_tables();
  if (!violation_.empty()) return;  // indices may be wrong
  // 2. The last edge, in the order in which things happen at one.
  if (was_at_rest_) expect_rest(out);
  see_kernel_done(out.kernel_done);
  if (out.events.evicted) see_eviction();
  if (out.events.activated) see_activation(out.events);
  if (out.events.moved) see_move(out.events);
  has_just_assigned_ = out.events.moved && out.events.move == MoveKind::kAssign;
  if (out.events.preempted) see_preempted(out.events);
  if (out.events.released && !out.events.preempted) see_released(out.events);
  require(turn_.see(out, out.switch_start && are_all_idle()));
  see_invocation(out.events);
  expect(!free_buffers_.without(out.buffer_free).any() && !out.buffer_free.without(free_buffers_).any(),
         "a buffer is free if and only if its command was activated");
  if (!violation_.empty()) return;  // indices may be wrong
  // 3. TBs of this cycle.
  if (out.dispatch.valid) {
    const bool also_has_control = out.sm_control.valid && out.dispatch.sm == out.sm_control.sm;
    expect(!also_has_control, "control and dispatch never go to one SM in a cycle", out.dispatch.sm);
    expect(has_refill_lane_ || !out.sm_control.valid, "control and dispatch both come from jobs, one at a time");
    see_dispatch(out.dispatch);
  }
  // 4. Inputs of this cycle.
  if (turn_.is_there()) turn_.take(in, out, contexts());
  if (in.handle.valid) take_handle(in.handle);
  if (in.sm_event.valid && out.sm_event_ready) take_event(in.sm_event, out.sm_control);
  if (in.command.valid) take_command(in.command);
  take_control(in.control, out.control_ready);
  was_at_rest_ = out.idle && !in.any();
  if (was_at_rest_) last_ = out;
}

// ---- the last edge -------------------------------------------------------------------------------------------

void Scoreboard::expect_rest(const SchedulerOutputs& out) {
  const auto difference = cosim::first_difference(last_, out);
  if (difference) expect(false, ("an idle core without inputs changes nothing: " + difference->signal).c_str());
}

void Scoreboard::see_kernel_done(const KernelDonePins& done) {
  if (!done.valid) return;
  expect(!finished_ksrs_.empty(), "kernel_done follows the last TB done");
  if (!violation_.empty()) return;
  const std::uint32_t ksr = finished_ksrs_.front();
  finished_ksrs_.pop_front();
  Kernel& kernel = kernels_[ksr];
  expect(done.descriptor == kernel.command.descriptor, "kernel_done has the descriptor of its command", ksr);
  for (Sm& sm : sms_) {
    if (sm.next == ksr) sm.next = kNone;
    if (sm.ksr != ksr) continue;
    sm.ksr = kNone;
    if (sm.owning == Owning::kRunning) sm.owning = Owning::kIdle;
    sm.wants_set_up = false;
  }
  kernel = {};
  --num_active_;
}

void Scoreboard::see_activation(const EventPins& events) {
  const std::uint32_t buffer = events.buffer;
  const std::uint32_t ksr = events.ksr;
  const bool is_known = buffer < waiting_.size() && waiting_[buffer] && ksr < kernels_.size();
  expect(is_known, "what is activated is a command that waits, and was not activated before", buffer);
  if (!is_known) return;
  expect(!kernels_[ksr].is_active, "a kernel gets a free KSR", ksr);
  kernels_[ksr] = {};
  kernels_[ksr].is_active = true;
  kernels_[ksr].command = *waiting_[buffer];
  waiting_[buffer].reset();
  free_buffers_.set(buffer);
  --num_waiting_;
  ++num_active_;
}

void Scoreboard::see_move(const EventPins& events) {
  const bool is_known = events.sm < sms_.size() && events.ksr < kernels_.size() && kernels_[events.ksr].is_active;
  expect(is_known, "a move gives an SM to an active kernel", events.ksr);
  expect(!events.preempted && !events.released, "a move excludes a hand-over and a release");
  if (!is_known) return;
  const bool is_another = has_just_assigned_ && events.move == MoveKind::kAssign;
  require(turn_.see_move(kernels_[events.ksr].command.context, is_another));
  Sm& sm = sms_[events.sm];
  switch (events.move) {
    case MoveKind::kAssign:
      expect(sm.owning == Owning::kIdle && sm.num_resident == 0, "only an idle SM is assigned", events.sm);
      sm.owning = Owning::kRunning;
      sm.ksr = events.ksr;
      sm.wants_set_up = true;
      break;
    case MoveKind::kReserve:
      expect(sm.owning == Owning::kRunning, "only an SM that runs is reserved", events.sm);
      sm.owning = Owning::kReserved;
      sm.next = events.ksr;
      break;
    case MoveKind::kRetarget:
      expect(sm.owning == Owning::kReserved, "only a reserved SM is retargeted", events.sm);
      sm.next = events.ksr;
      break;
  }
  if (!events.cancelled) return;
  expect(events.move == MoveKind::kRetarget && sm.next == sm.ksr, "only for the owner is a drain cancelled", events.sm);
  sm.owning = Owning::kRunning;
  sm.next = kNone;
}

// All SMs lose the kernels that they ran for, or were to run for.
void Scoreboard::see_eviction() {
  require(turn_.see_eviction());
  for (Sm& sm : sms_) {
    if (sm.owning != Owning::kIdle) sm.owning = Owning::kReserved;
    sm.next = kNone;
  }
}

bool Scoreboard::are_all_idle() const {
  return std::all_of(sms_.begin(), sms_.end(), [](const Sm& sm) { return sm.owning == Owning::kIdle; });
}

TurnRules::Contexts Scoreboard::contexts() const {
  TurnRules::Contexts contexts;
  for (const auto& command : waiting_) {
    if (command) contexts.with_command.set(command->context);
  }
  for (const Kernel& kernel : kernels_) {
    if (kernel.is_active) contexts.with_kernel.set(kernel.command.context);
  }
  return contexts;
}

void Scoreboard::see_preempted(const EventPins& events) {
  expect(events.sm < sms_.size(), "an SM that is handed over exists");
  if (!violation_.empty()) return;
  Sm& sm = sms_[events.sm];
  expect(sm.owning == Owning::kReserved, "only a reserved SM is handed over", events.sm);
  expect(sm.num_resident == 0, "only an SM without TBs is handed over", events.sm);
  count_handles(sm, std::exchange(sm.num_reported, 0));
  const bool goes_on = !events.released;
  expect(!goes_on || events.ksr == sm.next, "an SM goes to the kernel it is reserved for", events.sm);
  sm.owning = goes_on ? Owning::kRunning : Owning::kIdle;
  sm.ksr = goes_on ? events.ksr : kNone;
  sm.next = kNone;
  sm.is_trapped = false;
  sm.wants_set_up = goes_on;
}

void Scoreboard::see_released(const EventPins& events) {
  expect(events.sm < sms_.size(), "an SM that is released exists");
  if (!violation_.empty()) return;
  Sm& sm = sms_[events.sm];
  expect(sm.owning == Owning::kRunning && sm.num_resident == 0, "only an empty SM that is not reserved is released",
         events.sm);
  sm.owning = Owning::kIdle;
  sm.ksr = kNone;
  sm.wants_set_up = false;
}

void Scoreboard::see_invocation(const EventPins& events) {
  // A decision may end in the cycle in which the next invocation comes: in that order they are seen.
  if (events.policy_decided) {
    expect(is_deciding_, "what is decided was invoked");
    is_deciding_ = false;
    withholds_sms_ = events.withheld;
  }
  if (!events.policy_invoked) return;
  expect(!is_deciding_, "the policy is invoked once until it has decided");
  is_deciding_ = true;
}

// ---- commands ------------------------------------------------------------------------------------------------

void Scoreboard::see_control(const SmControlPins& control) {
  control.kind == SmControlKind::kSetup ? see_set_up(control) : see_trap(control.sm);
}

void Scoreboard::see_set_up(const SmControlPins& control) {
  expect(control.sm < sms_.size(), "an SM that is set up exists");
  if (!violation_.empty()) return;
  Sm& sm = sms_[control.sm];
  expect(sm.wants_set_up && sm.ksr != kNone, "an SM is set up once when it has changed hands", control.sm);
  expect(sm.num_resident == 0 && !sm.is_trapped, "an SM is set up only without TBs", control.sm);
  if (!violation_.empty()) return;
  const CommandPins& command = kernels_[sm.ksr].command;
  expect(control.descriptor == command.descriptor && control.context == command.context,
         "an SM is set up for its owner", control.sm);
  expect(control.page_table == page_tables_[command.context],
         "a set-up carries the page table of the cycle in which it was sent", control.sm);
  sm.wants_set_up = false;
  sm.set_up = SetUp::kSent;
  if (tag_width_ == 0) return expect(control.tag == 0, "a core without tags shows none", control.sm);
  const std::uint32_t num_tags = 1U << tag_width_;
  expect(control.tag == (sm.tag + 1) % num_tags, "each set-up of an SM has the next tag", control.sm);
  expect(sm.unanswered < num_tags, "no more set-ups wait for their answers than there are tags", control.sm);
  sm.tag = control.tag;
  ++sm.unanswered;
}

void Scoreboard::see_trap(std::uint32_t index) {
  expect(index < sms_.size(), "an SM that is trapped exists");
  if (!violation_.empty()) return;
  Sm& sm = sms_[index];
  expect(sm.owning == Owning::kReserved, "only a reserved SM is trapped", index);
  expect(sm.set_up == SetUp::kDone && !sm.wants_set_up, "only an SM that is set up is trapped", index);
  expect(!sm.is_trapped, "an SM is trapped once", index);
  expect(!sm.is_restoring && !sm.is_in_batch, "an SM that restores is not trapped", index);
  sm.is_trapped = true;
  sm.num_saved = 0;
}

void Scoreboard::see_dispatch(const DispatchPins& dispatch) {
  expect(dispatch.sm < sms_.size(), "an SM that gets a TB exists");
  if (!violation_.empty()) return;
  Sm& sm = sms_[dispatch.sm];
  expect(sm.set_up == SetUp::kDone && !sm.wants_set_up && sm.ksr != kNone, "only an SM that is set up gets TBs",
         dispatch.sm);
  expect(!sm.is_trapped, "an SM gets no TB after its trap", dispatch.sm);
  expect(!sm.is_restoring, "an SM that restores gets no TB", dispatch.sm);
  if (!violation_.empty()) return;
  Kernel& kernel = kernels_[sm.ksr];
  expect(sm.num_resident < kernel.command.tbs_per_sm, "an SM never holds more than tbs_per_sm", dispatch.sm);
  dispatch.is_restore ? see_handle_sent(dispatch, kernel) : see_fresh_tb(dispatch, kernel);
  ++sm.num_resident;
}

void Scoreboard::see_fresh_tb(const DispatchPins& dispatch, Kernel& kernel) {
  expect(sms_[dispatch.sm].owning == Owning::kRunning, "a reserved SM gets no fresh TB", dispatch.sm);
  expect(batch_sm_ == kNone, "nobody gets a TB in the middle of a batch", dispatch.sm);
  expect(dispatch.tb == kernel.next_tb && dispatch.tb < kernel.command.num_tbs, "fresh TBs go out in order, each once",
         dispatch.sm);
  expect(kernel.num_counted == 0, "preempted TBs go before fresh ones", dispatch.sm);
  expect(!dispatch.last && dispatch.stack_pointer == 0, "a fresh TB has no stack pointer and ends no batch",
         dispatch.sm);
  ++kernel.next_tb;
}

void Scoreboard::see_handle_sent(const DispatchPins& dispatch, Kernel& kernel) {
  expect(batch_sm_ == kNone || batch_sm_ == dispatch.sm, "a batch goes to one SM", dispatch.sm);
  expect(kernel.num_counted > 0, "a TB comes back only after its save", dispatch.sm);
  if (!violation_.empty()) return;
  const HandlePins& first = kernel.handles.front();
  expect(dispatch.tb == first.tb && dispatch.stack_pointer == first.stack_pointer,
         "preempted TBs come back first in, first out", dispatch.sm);
  kernel.handles.pop_front();
  --kernel.num_counted;
  Sm& sm = sms_[dispatch.sm];
  sm.is_in_batch = !dispatch.last;
  sm.is_restoring = dispatch.last;
  batch_sm_ = dispatch.last ? kNone : dispatch.sm;
}

// ---- inputs --------------------------------------------------------------------------------------------------

void Scoreboard::take_command(const CommandPins& command) {
  waiting_[command.buffer] = command;
  free_buffers_.clear(command.buffer);
  ++num_waiting_;
}

// A set-up carries what was written three cycles before it is on the pins.
void Scoreboard::take_control(const ControlPins& control, bool is_ready) {
  page_table_writes_.push_back(control);
  page_table_writes_.back().valid = control.valid && is_ready && control.reg == ControlRegister::kPageTable;
  if (!control.valid || !is_ready) return;
  if (control.reg == ControlRegister::kPolicy) take_policy(control.data);
  if (control.reg == ControlRegister::kPartition) partitions_[control.data >> 8] = control.data & 0xFF;
}

void Scoreboard::take_policy(std::uint64_t data) {
  const std::uint32_t code = data & rtl_model::kPolicyCodeMask;
  if ((policies_ >> code & 1) != 0) policy_ = code;
}

bool Scoreboard::are_all_without_sms() const {
  if (!rtl_model::kPolicyTable[policy_].has(rtl_model::kPartitions)) return false;
  return std::all_of(kernels_.begin(), kernels_.end(), [this](const Kernel& kernel) {
    const bool has_sm =
        kernel.command.partition < partitions_.size() &&
        std::find(partitions_.begin(), partitions_.end(), kernel.command.partition) != partitions_.end();
    return !kernel.is_active || !has_sm;
  });
}

void Scoreboard::see_page_tables() {
  if (page_table_writes_.size() < kPageTableDelay) return;
  const ControlPins& write = page_table_writes_.front();
  if (write.valid) page_tables_[write.context] = write.data;
  page_table_writes_.pop_front();
}

void Scoreboard::take_handle(const HandlePins& handle) {
  Sm& sm = sms_[handle.sm];
  expect(sm.ksr != kNone, "the owner of an SM that saves is active", handle.sm);
  if (!violation_.empty()) return;
  Kernel& kernel = kernels_[sm.ksr];
  kernel.handles.push_back(handle);
  expect(kernel.handles.size() <= ptbq_depth_, "a trap is sent only if the PTBQ has room", sm.ksr);
  ++sm.num_saved;
}

void Scoreboard::take_event(const SmEventPins& event, const SmControlPins& control) {
  Sm& sm = sms_[event.sm];
  switch (event.kind) {
    case SmEventKind::kTbDone:
      return tb_done(event.sm);
    case SmEventKind::kSetupDone:
      return set_up_done(event, control);
    case SmEventKind::kRestoreDone:
      sm.is_restoring = false;
      return;
    case SmEventKind::kPreempted:
      return preempted(event.sm);
  }
}

void Scoreboard::set_up_done(const SmEventPins& event, const SmControlPins& control) {
  Sm& sm = sms_[event.sm];
  if (tag_width_ == 0) {
    // That of an earlier set-up, if one is on the pins now.
    const bool is_stale = control.valid && control.sm == event.sm && control.kind == SmControlKind::kSetup;
    if (!is_stale) sm.set_up = SetUp::kDone;
    return;
  }
  const std::uint32_t unanswered = (sm.tag - event.tag) % (1U << tag_width_);
  expect(unanswered < sm.unanswered, "testbench: an SM answers set-ups in their order, each once", event.sm);
  sm.answered_at_once = sm.unanswered - unanswered;
  sm.unanswered = unanswered;
  if (sm.unanswered == 0) sm.set_up = SetUp::kDone;
}

void Scoreboard::tb_done(std::uint32_t index) {
  Sm& sm = sms_[index];
  expect(sm.num_resident > 0 && sm.ksr != kNone, "an SM with TBs has an owner", index);
  if (!violation_.empty()) return;
  Kernel& kernel = kernels_[sm.ksr];
  --sm.num_resident;
  ++kernel.num_finished;
  if (kernel.num_finished != kernel.command.num_tbs) return;
  finishing_ksr_ = sm.ksr;
  finished_ksrs_.push_back(sm.ksr);
}

// The save is complete; unless the SM's last TB finished after the trap, and it was handed over then.
void Scoreboard::preempted(std::uint32_t index) {
  Sm& sm = sms_[index];
  if (!sm.is_trapped) return;
  sm.is_trapped = false;
  if (sm.num_saved == 0) return;  // it was trapped empty; its owner may have finished
  expect(sm.num_saved == sm.num_resident, "an SM saves all TBs that it holds", index);
  const std::uint32_t num_handles = std::exchange(sm.num_saved, 0);
  sm.num_resident = 0;
  if (has_refill_lane_) {
    sm.num_reported = num_handles;  // until its job
  } else {
    count_handles(sm, num_handles);
  }
}

// From now on no fresh TB goes before them.
void Scoreboard::count_handles(Sm& sm, std::uint32_t num_handles) {
  if (num_handles != 0) kernels_[sm.ksr].num_counted += num_handles;
}

}  // namespace tessera::testbench
