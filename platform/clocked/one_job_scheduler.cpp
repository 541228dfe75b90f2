// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of the machine; registers as plain values.
#include "platform/clocked/one_job_scheduler.h"

#include "model/spec/policies.h"
#include "rtl_model/interfaces/pin_signals.h"
#include "rtl_model/policy_register.h"
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::platform {

rtl_model_next::Params params_of(const rtl_model::Params& params) {
  rtl_model_next::Params own;
  own.num_sms = params.num_sms;
  own.max_tbs_per_sm = params.max_tbs_per_sm;
  own.num_ksrs = params.num_ksrs;
  own.num_command_buffers = params.num_command_buffers;
  own.num_contexts = params.num_contexts;
  own.ptbq_depth = params.ptbq_depth;
  own.tb_width = params.tb_width;
  own.search_width = params.search_width;
  own.policies = (1U << rtl_model::kNumPolicyCodes) - 1;
  own.policy = rtl_model::policy_register(params.scheduler);
  own.activation_cycles = params.activation_cycles;
  own.search_step_cycles = params.search_step_cycles;
  own.is_breadth_first = params.is_breadth_first;
  own.issues_in_rounds = params.issues_in_rounds();
  return own;
}

OneJobScheduler::OneJobScheduler(const sc_core::sc_module_name& name, const rtl_model::Params& params,
                                 const rtl_model::SchedulerInputs& inputs)
    : ClockedModule(name), params_(params), in_(inputs), core_(params_of(params)) {
  at_level(rtl_model::TsrScheduler::kOutputsLevel, [this] { comb_outputs(); });
  at_level(rtl_model::TsrScheduler::kInputsLevel, [this] { comb_inputs(); });
}

// ---- pins ----------------------------------------------------------------------------------------------------

namespace {

// A job acts alone in its cycle; the machine's pins have fields for each pulse.
void show_events(const rtl_model_next::EventPins& from, rtl_model::EventPins& to) {
  to = {};
  to.policy_invoked = from.policy_invoked;
  to.policy_decided = from.policy_decided;
  to.activated = from.activated;
  if (from.activated) {
    to.activated_buffer = from.buffer;
    to.activated_ksr = from.ksr;
  }
  to.moved = from.moved;
  to.cancelled = from.cancelled;
  if (from.moved) {
    to.move = from.move;
    to.moved_sm = from.sm;
    to.moved_ksr = from.ksr;
  }
  to.preempted = from.preempted;
  if (from.preempted) {
    to.preempted_sm = from.sm;
    to.next_ksr = from.released ? rtl_model::kNone : from.ksr;
  }
  to.released = from.released && !from.preempted;
  if (to.released) to.released_sm = from.sm;
}

}  // namespace

void OneJobScheduler::comb_outputs() {
  const rtl_model_next::SchedulerOutputs& own = core_.outputs();
  out_.buffer_free = own.buffer_free;
  out_.control_ready = own.control_ready;
  out_.slice_timer_enable = own.slice_timer_enable;
  out_.sm_event_ready = own.sm_event_ready;
  // Nobody looks at the data of a bundle that is not valid.
  if ((out_.sm_control.valid = own.sm_control.valid)) out_.sm_control = own.sm_control;
  if ((out_.dispatch.valid = own.dispatch.valid)) out_.dispatch = own.dispatch;
  if ((out_.kernel_done.valid = own.kernel_done.valid)) out_.kernel_done = own.kernel_done;
  if (events_d_.any() || out_.events.any()) out_.events = events_d_;
  out_.idle = own.idle;
}

void OneJobScheduler::comb_inputs() {
  core_.step(in_);
  if (core_.outputs().events.any() || events_d_.any()) show_events(core_.outputs().events, events_d_);
}

void OneJobScheduler::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  clk_i(const_cast<sc_core::sc_signal_in_if<bool>&>(clock));
}

void OneJobScheduler::list_signals(rtl_model::ISignalSink& signals) const {
  signals.enter("u_pins");
  rtl_model::list_pins(signals, params_, in_, out_);
  signals.leave();
  core_.list_signals(signals);
}

// ---- registers -----------------------------------------------------------------------------------------------

namespace {

// Fields that only some shapes of the core have, and are 0 elsewhere.
bool has_dues(const rtl_model_next::Params& params) {
  return (params.policies >> spec::info(spec::PolicyKind::kEdf).code & 1) != 0;
}
bool counts_promised(const rtl_model_next::Params& params) {
  return params.ptbq_depth < params.num_sms * params.max_tbs_per_sm;
}

rtl_model::CommandSnapshot snapshot_of(const rtl_model_next::Params& params,
                                       const rtl_model_next::CommandBuffers& buffers, std::uint32_t i) {
  const rtl_model_next::CommandBuffers::Row& row = buffers.row(i);
  return {buffers.is_valid(i),
          row.context,
          row.priority,
          row.num_tbs,
          row.tbs_per_sm,
          row.descriptor,
          row.has_due && has_dues(params),
          row.due};
}

rtl_model::KsrSnapshot snapshot_of(const rtl_model_next::Params& params, const rtl_model_next::Ksrt& ksrt,
                                   std::uint32_t i) {
  const rtl_model_next::KsrRow& row = ksrt.row(i);
  const rtl_model_next::KernelTraits& traits = ksrt.traits(i);
  rtl_model::KsrSnapshot out;
  out.valid = ksrt.is_valid(i);
  out.descriptor = row.descriptor;
  out.context = traits.context;
  out.priority = traits.priority;
  out.tbs_per_sm = row.tbs_per_sm;
  out.remaining = row.remaining;
  out.next_tb = row.next_tb;
  out.outstanding = row.outstanding;
  out.preempted = row.preempted;
  out.promised = counts_promised(params) ? std::uint32_t{row.promised} : 0;
  out.owned = row.owned;
  out.reserved = row.reserved;
  out.covered = row.covered;
  out.has_due = traits.has_due && has_dues(params);
  out.due = traits.due;
  return out;
}

rtl_model::ContextSnapshot snapshot_of(const rtl_model_next::ContextTable::Row& row) {
  rtl_model::ContextSnapshot out;
  out.page_table = row.page_table;
  out.has_budget = row.has_budget;
  out.budget = row.budget;
  out.kernels = row.kernels;
  out.is_dealt = row.is_dealt;
  return out;
}

}  // namespace

void OneJobScheduler::read_tables(rtl_model::CoreSnapshot& snapshot) {
  const rtl_model_next::Tables& tables = core_.tables();
  const auto fill = [](auto& rows, std::uint32_t count, auto&& row) {
    rows.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) rows[i] = row(i);
  };
  const rtl_model_next::CommandBuffers& commands = tables.command_buffers;
  fill(snapshot.command_buffers, commands.size(),
       [&](std::uint32_t i) { return snapshot_of(core_.params(), commands, i); });
  fill(snapshot.command_ages, commands.num_waiting(), [&](std::uint32_t i) { return commands.by_age(i); });
  snapshot.last_buffer = commands.last();
  fill(snapshot.active_queue, tables.active_queue.size(), [&](std::uint32_t i) { return tables.active_queue.at(i); });
  fill(snapshot.ksrt, tables.ksrt.size(), [&](std::uint32_t i) { return snapshot_of(core_.params(), tables.ksrt, i); });
  fill(snapshot.smst, tables.smst.size(), [&](std::uint32_t i) {
    const rtl_model_next::SmRow& row = tables.smst.row(i);
    return rtl_model::SmSnapshot{static_cast<std::uint32_t>(row.state), row.ksr, row.next, row.running};
  });
  fill(snapshot.contexts, params_.num_contexts, [&](std::uint32_t i) { return snapshot_of(tables.contexts.row(i)); });
  fill(snapshot.tokens, tables.tokens.size(), [&](std::uint32_t i) {
    return rtl_model::TokenSnapshot{tables.tokens.has_pool_token(i), tables.tokens.word(i)};
  });
  snapshot.are_tokens_settled = !core_.search().is_dealing() && !tables.is_settling();
  snapshot.pool = tables.tokens.pool();
  snapshot.policy = core_.search().policy().data();
  snapshot.is_policy_at_rest =
      core_.search().is_idle() && core_.engine().is_in_pick() && !core_.engine().has_invoked() && !tables.is_settling();
}

void OneJobScheduler::read(rtl_model::CoreSnapshot& snapshot) {
  read_tables(snapshot);
  const rtl_model_next::Tables& tables = core_.tables();
  snapshot.ptbq.resize(params_.num_ksrs);
  for (std::uint32_t ksr = 0; ksr < params_.num_ksrs; ++ksr) {
    std::vector<std::uint64_t>& handles = snapshot.ptbq[ksr];
    handles.clear();
    std::uint32_t pointer = tables.ksrt.row(ksr).head;
    for (std::uint32_t i = 0; i < tables.ksrt.row(ksr).preempted; ++i, pointer = tables.ptbq.after(pointer)) {
      const rtl_model_next::TbHandle& handle = tables.ptbq.at(ksr, pointer);
      handles.push_back(std::uint64_t{handle.tb} << 32 | handle.stack_pointer);
    }
  }
}

}  // namespace tessera::platform
