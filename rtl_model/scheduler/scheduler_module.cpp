// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of the machine; registers as plain values.
#include "rtl_model/scheduler/scheduler_module.h"

#include "rtl_model/interfaces/pin_signals.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {

SchedulerModule::SchedulerModule(const sc_core::sc_module_name& name, const Params& params,
                                 const SchedulerInputs& inputs)
    : ClockedModule(name), params_(params), in_(inputs), core_(params.core()) {
  at_level(kOutputsLevel, [this] { comb_outputs(); });
  at_level(kInputsLevel, [this] { comb_inputs(); });
}

// ---- pins ----------------------------------------------------------------------------------------------------

void SchedulerModule::comb_outputs() {
  const SchedulerOutputs& own = core_.outputs();
  out_.buffer_free = own.buffer_free;
  out_.control_ready = own.control_ready;
  out_.slice_timer_enable = own.slice_timer_enable;
  out_.linger_start = own.linger_start;
  out_.turn = own.turn;
  out_.switch_start = own.switch_start;
  out_.switch_runs = own.switch_runs;
  out_.sm_event_ready = own.sm_event_ready;
  // Nobody looks at the data of a bundle that is not valid.
  if ((out_.sm_control.valid = own.sm_control.valid)) out_.sm_control = own.sm_control;
  if ((out_.dispatch.valid = own.dispatch.valid)) out_.dispatch = own.dispatch;
  if ((out_.kernel_done.valid = own.kernel_done.valid)) out_.kernel_done = own.kernel_done;
  if ((out_.usage.valid = own.usage.valid)) out_.usage = own.usage;
  if (own.events.any() || out_.events.any()) out_.events = own.events;
  out_.idle = own.idle;
}

void SchedulerModule::comb_inputs() { core_.step(in_); }

void SchedulerModule::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  clk_i(const_cast<sc_core::sc_signal_in_if<bool>&>(clock));
}

void SchedulerModule::list_signals(ISignalSink& signals) const {
  signals.enter("u_tsr_scheduler");
  list_pins(signals, params_, in_, out_);
  core_.list_signals(signals);
  signals.leave();
}

// ---- registers -----------------------------------------------------------------------------------------------

namespace {

// Fields that only some shapes of the core have, and are 0 elsewhere.
bool has_dues(const CoreParams& params) { return have_dues(params.policies); }
bool counts_promised(const CoreParams& params) { return params.ptbq_depth < params.num_sms * params.max_tbs_per_sm; }

CommandSnapshot snapshot_of(const CoreParams& params, const CommandBuffers& buffers, std::uint32_t i) {
  const CommandBuffers::Row& row = buffers.row(i);
  return {buffers.is_valid(i),
          row.context,
          row.priority,
          row.num_tbs,
          row.tbs_per_sm,
          row.descriptor,
          row.has_due && has_dues(params),
          row.due,
          params.has_partitions() ? std::uint32_t{row.partition} : 0};
}

KsrSnapshot snapshot_of(const CoreParams& params, const Ksrt& ksrt, std::uint32_t i) {
  const KsrRow& row = ksrt.row(i);
  const KernelTraits& traits = ksrt.traits(i);
  KsrSnapshot out;
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
  if (params.has_kept_turn) out.saved_per_sm = row.saved_per_sm;
  out.owned = row.owned;
  out.reserved = row.reserved;
  out.covered = row.covered;
  out.has_due = traits.has_due && has_dues(params);
  out.due = traits.due;
  if (params.has_partitions()) out.partition = traits.partition;
  return out;
}

ContextSnapshot snapshot_of(const ContextTable::Row& row) {
  ContextSnapshot out;
  out.page_table = row.page_table;
  out.has_budget = row.has_budget;
  out.budget = row.budget;
  out.kernels = row.kernels;
  out.is_dealt = row.is_dealt;
  return out;
}

TurnSnapshot snapshot_of(const Turn& turn) {
  const Turn::Registers& registers = turn.registers();
  TurnSnapshot out;
  out.state = static_cast<std::uint32_t>(registers.state);
  out.turn = registers.turn;
  out.next = registers.next;
  out.has_next = registers.has_next;
  out.tick = registers.tick;
  out.over = registers.over;
  out.runs = registers.runs;
  out.evicts = registers.evicts;
  out.loaded = registers.loaded;
  out.unlisted = registers.unlisted;
  out.waiting = turn.waiting();
  out.listed = turn.listed();
  return out;
}

}  // namespace

void SchedulerModule::read_tables(CoreSnapshot& snapshot) {
  const Tables& tables = core_.tables();
  const auto fill = [](auto& rows, std::uint32_t count, auto&& row) {
    rows.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) rows[i] = row(i);
  };
  const CommandBuffers& commands = tables.command_buffers;
  fill(snapshot.command_buffers, commands.size(),
       [&](std::uint32_t i) { return snapshot_of(core_.params(), commands, i); });
  fill(snapshot.command_ages, commands.num_waiting(), [&](std::uint32_t i) { return commands.by_age(i); });
  snapshot.last_buffer = commands.last();
  fill(snapshot.active_queue, tables.active_queue.size(), [&](std::uint32_t i) { return tables.active_queue.at(i); });
  fill(snapshot.ksrt, tables.ksrt.size(), [&](std::uint32_t i) { return snapshot_of(core_.params(), tables.ksrt, i); });
  fill(snapshot.smst, tables.smst.size(), [&](std::uint32_t i) {
    const SmRow& row = tables.smst.row(i);
    return SmSnapshot{static_cast<std::uint32_t>(row.state),
                      row.ksr,
                      row.next,
                      row.running,
                      tables.linger.kept().has(i),
                      row.partition,
                      tables.set_up_tags.tag(i),
                      tables.set_up_tags.unanswered(i),
                      tables.smst.maybe_foreign().has(i)};
  });
  snapshot.lingers = tables.linger.is_on();
  snapshot.linger_priority = tables.linger.priority();
  snapshot.partitions = {tables.partitions.dirty(), tables.partitions.wants_survey(), tables.partitions.are_mixed()};
  fill(snapshot.contexts, params_.num_contexts, [&](std::uint32_t i) {
    ContextSnapshot context = snapshot_of(tables.contexts.row(i));
    context.slice_end = static_cast<std::uint32_t>(core_.turn().slice_end(i));
    return context;
  });
  snapshot.turn = snapshot_of(core_.turn());
  fill(snapshot.tokens, tables.tokens.size(), [&](std::uint32_t i) {
    return TokenSnapshot{tables.tokens.has_pool_token(i), tables.tokens.word(i)};
  });
  snapshot.are_tbs_counted = core_.lane() == nullptr || !core_.lane()->is_counting();
  snapshot.are_tokens_settled = !core_.search().is_dealing() && !tables.is_settling();
  snapshot.pool = tables.tokens.pool();
  PolicyRegister policy = core_.search().policy();
  policy.by_priority = policy.by_priority && have_order(core_.params().policies);
  snapshot.policy = policy.data();
  snapshot.is_policy_at_rest =
      core_.search().is_idle() && core_.engine().is_in_pick() && !core_.engine().has_invoked() && !tables.is_settling();
}

void SchedulerModule::read(CoreSnapshot& snapshot) {
  read_tables(snapshot);
  const Tables& tables = core_.tables();
  snapshot.ptbq.resize(params_.num_ksrs);
  for (std::uint32_t ksr = 0; ksr < params_.num_ksrs; ++ksr) {
    std::vector<std::uint64_t>& handles = snapshot.ptbq[ksr];
    handles.clear();
    std::uint32_t pointer = tables.ksrt.row(ksr).head;
    for (std::uint32_t i = 0; i < tables.ksrt.row(ksr).preempted; ++i, pointer = tables.ptbq.after(pointer)) {
      const TbHandle& handle = tables.ptbq.at(ksr, pointer);
      handles.push_back(std::uint64_t{handle.tb} << 32 | handle.stack_pointer);
    }
  }
}

std::unique_ptr<ISchedulerCore> model_scheduler(const Params& params, const SchedulerInputs& inputs,
                                                const ClockCount&) {
  return std::make_unique<SchedulerModule>("u_tsr_scheduler", params, inputs);
}

}  // namespace tessera::rtl_model
