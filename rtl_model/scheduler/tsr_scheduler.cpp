// SPDX-License-Identifier: Apache-2.0
// The core's cycle, part by part.
#include "rtl_model/scheduler/tsr_scheduler.h"

#include <algorithm>

#include "rtl_model/interfaces/pin_signals.h"

namespace tessera::rtl_model {

TsrScheduler::TsrScheduler(const sc_core::sc_module_name& name, const Params& params, const SchedulerInputs& inputs)
    : ClockedModule(name),
      params_(params),
      in_(inputs),
      tables_(params),
      u_ptbq_("u_ptbq", params),
      u_search_("u_search", params, tables_),
      u_sm_driver_("u_sm_driver", params, tables_, u_ptbq_) {
  at_level(kOutputsLevel, [this] { comb_outputs(); });
  at_level(kInputsLevel, [this] { comb_inputs(); });
}

// ---- a cycle -------------------------------------------------------------------------------------------------

void TsrScheduler::comb_outputs() {
  if (tables_.command_buffers.take_changed()) out_.buffer_free = tables_.command_buffers.free();
  // 1. The policy's search, and the driver's commands, of this cycle.
  u_search_.walk();
  u_sm_driver_.drive_sms(out_.sm_control, out_.dispatch);
  // 2. Pins that depend on registers alone. In the cycle of a decision, SMs wait; and where the core is faster than
  //    the SMs, thread blocks for slots freed in earlier SM cycles are issued before the events of this one.
  out_.slice_timer_enable = u_search_.wants_timer();
  out_.sm_event_ready = !u_search_.move().valid && !u_search_.is_checking() && !u_search_.is_distributing() &&
                        !u_sm_driver_.has_internal_event() && !u_sm_driver_.is_issuing_first();
  out_.idle = u_search_.is_idle() && u_sm_driver_.is_idle() && !has_events_;
}

void TsrScheduler::comb_inputs() {
  if (has_events_d_) events_d_ = {};
  // 1. What happened, into the tables. A control write comes before a decision of the same cycle.
  SmDriver::Inputs driver;
  driver.sm_event = in_.sm_event;
  driver.sm_event.valid = in_.sm_event.valid && out_.sm_event_ready;
  driver.handle = in_.handle;
  driver.move = u_search_.move();
  const bool is_written = in_.control.valid && in_.control.reg != ControlRegister::kPageTable;
  driver.move.valid = u_search_.move().valid && !is_written;
  driver.is_draining = u_search_.is_draining();
  driver.is_checking = u_search_.is_checking();
  driver.sm_tick = in_.sm_tick;
  const SmDriver::Outputs happened = u_sm_driver_.comb(driver, events_d_);
  kernel_done_d_ = happened.kernel_done;
  // 2. A command, and the OS.
  bool invokes = happened.invokes_policy || in_.command.valid;
  if (in_.command.valid) tables_.command_buffers.accept(in_.command);
  Search::Inputs search;
  search.control_write = is_written;
  search.kernel_finished = happened.finished_ksr != kNone;
  if (search.kernel_finished) search.pool_step += tokens_returned(happened.finished_ksr);
  if (in_.control.valid) {
    if (in_.control.reg == ControlRegister::kTokens) {
      search.pool_step += tokens_replaced(in_.control.context, happened.finished_ksr);
    }
    search.policy_write = in_.control.reg == ControlRegister::kPolicy;
    search.policy_data = static_cast<std::uint32_t>(in_.control.data);
    write_control(invokes);
  }
  // 3. A tick is ignored while SMs change hands: contexts that take longer to move than a slice lasts would go back
  //    and forth without ever running.
  search.tick = in_.slice_tick && !u_sm_driver_.is_changing_hands();
  search.invoke = invokes || in_.slice_tick;
  u_search_.comb(search, events_d_);
  has_events_d_ = events_d_.any() || kernel_done_d_.valid;
}

void TsrScheduler::write_control(bool& invokes) {
  const ControlPins& write = in_.control;
  const auto value = static_cast<std::uint32_t>(write.data);
  switch (write.reg) {
    case ControlRegister::kPolicy:
      break;
    case ControlRegister::kPriority:
      tables_.command_buffers.set_priority(write.context, value);
      tables_.ksrt.set_context_priority(write.context, value);
      break;
    case ControlRegister::kTokens:
      tables_.context_table.write_budget(write.context, value);
      tables_.ksrt.set_context_tokens(write.context, value);
      break;
    case ControlRegister::kPageTable:
      tables_.context_table.write_page_table(write.context, write.data);
      return;  // nothing to decide
  }
  invokes = true;
}

// ---- remaining tokens ----------------------------------------------------------------------------------------

// A kernel that leaves gives back what it took from the pool; within a process that shares a budget, the last one.
std::int32_t TsrScheduler::tokens_returned(std::uint32_t finished_ksr) {
  const KsrRow& row = tables_.ksrt.row(finished_ksr);
  const ContextTable::Row& context = tables_.context_table.row(row.context);
  if (context.has_budget) return 0;
  if (!u_search_.is_budget_by_process()) return row.has_pool_token ? 1 : 0;
  if (context.kernels != 1 || !context.has_pool_token) return 0;
  tables_.context_table.set_pool_token(row.context, false);
  return 1;
}

// A budget that the OS writes has no remaining tokens in it. A kernel that leaves in this cycle has returned its own.
std::int32_t TsrScheduler::tokens_replaced(std::uint32_t context, std::uint32_t finished_ksr) const {
  const Ksrt& ksrt = tables_.ksrt;
  if (u_search_.is_budget_by_process()) {
    const ContextTable::Row& row = tables_.context_table.row(context);
    const bool is_returned =
        finished_ksr != kNone && ksrt.row(finished_ksr).context == context && row.kernels == 1 && !row.has_budget;
    return row.has_pool_token && !is_returned ? 1 : 0;
  }
  std::int32_t count = 0;
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    const std::uint32_t ksr = tables_.active_queue.at(i);
    const KsrRow& row = ksrt.row(ksr);
    if (ksr != finished_ksr && row.context == context && row.has_pool_token) ++count;
  }
  return count;
}

// ---- edge ----------------------------------------------------------------------------------------------------

void TsrScheduler::seq() {
  if (has_events_ || has_events_d_) {
    out_.kernel_done = kernel_done_d_;
    out_.events = events_d_;
  }
  has_events_ = has_events_d_;
}

void TsrScheduler::seq_all() {
  seq();
  if (tables_.command_buffers.is_written()) tables_.command_buffers.seq();
  if (tables_.active_queue.is_written()) tables_.active_queue.seq();
  if (tables_.ksrt.is_written()) tables_.ksrt.seq();
  if (tables_.smst.is_written()) tables_.smst.seq();
  if (tables_.context_table.is_written()) tables_.context_table.seq();
  if (u_ptbq_.is_written()) u_ptbq_.seq();
  u_search_.seq();
  u_sm_driver_.seq();
}

bool TsrScheduler::is_idle() {
  u_sm_driver_.settle();
  return u_search_.is_idle() && u_sm_driver_.is_idle() && !has_events_;
}

// While nothing but the policy's walk moves.
Cycle TsrScheduler::run_quietly(Cycle limit, bool event_waits) {
  if (event_waits || has_events_ || !u_sm_driver_.is_idle()) return 0;
  const Cycle cycles = std::min(limit, u_search_.cycles_of_mere_walk());
  u_search_.walk_on(cycles);
  return cycles;
}

void TsrScheduler::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  for (ClockedModule* module : std::initializer_list<ClockedModule*>{
           this, &tables_.command_buffers, &tables_.active_queue, &tables_.ksrt, &tables_.smst, &tables_.context_table,
           &u_ptbq_, &u_search_, &u_sm_driver_}) {
    module->clk_i(const_cast<sc_core::sc_signal_in_if<bool>&>(clock));
  }
}

void TsrScheduler::list_signals(ISignalSink& signals) const {
  signals.enter("u_tsr_scheduler");
  list_pins(signals, params_, in_, out_);
  for (const ClockedModule* part : std::initializer_list<const ClockedModule*>{
           &u_search_, &u_sm_driver_, &tables_.command_buffers, &tables_.active_queue, &tables_.ksrt, &tables_.smst,
           &tables_.context_table, &u_ptbq_}) {
    part->list_signals(signals);
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
