// SPDX-License-Identifier: Apache-2.0
// The search unit, cycle by cycle.
#include "rtl_model/policy/search.h"

#include <algorithm>

#include "rtl_model/policy/dss.h"
#include "rtl_model/policy/fcfs.h"
#include "rtl_model/policy/priority.h"
#include "rtl_model/policy/time_slice.h"
#include "rtl_model/policy_register.h"

namespace tessera::rtl_model {

Search::Search(const sc_core::sc_module_name& name, const Params& params, Tables& tables)
    : ClockedModule(name), params_(params), tables_(tables) {
  engines_ = {std::make_unique<FcfsEngine>(CommandOrder::kArrival),
              std::make_unique<FcfsEngine>(CommandOrder::kPriority), std::make_unique<PriorityEngine>(),
              std::make_unique<DssEngine>(), std::make_unique<TimeSliceEngine>(params.num_contexts)};
  select_policy(policy_register(params.scheduler));
  d_.pool = params.token_pool;
  seq();
}

void Search::select_policy(std::uint32_t data) {
  if ((data & 7) < engines_.size()) d_.policy = data & 7;  // else reserved: the policy stays
  d_.is_draining = (data >> 3 & 1) != 0;
  d_.by_process = (data >> 6 & 1) != 0;
  d_.mode.is_exclusive = (data >> 4 & 1) == 0;
  d_.mode.empties_engine = (data >> 5 & 1) != 0;
  engines_[d_.policy]->select(d_.mode);
}

std::uint32_t Search::policy() const {
  const auto bit = [](bool value, unsigned position) { return std::uint32_t{value} << position; };
  return q_.policy | bit(q_.is_draining, 3) | bit(!q_.mode.is_exclusive, 4) | bit(q_.mode.empties_engine, 5) |
         bit(q_.by_process, 6);
}

// ---- the walk ------------------------------------------------------------------------------------------------

void Search::walk() {
  move_.valid = false;
  outcome_ = Outcome::kGoesOn;
  // 1. A step begins: a waiting kernel that may enter the active queue goes first, else the tables are searched.
  State state = q_.state;
  if (state == State::kBegin) state = command_to_activate() != kNone ? State::kActivate : State::kWalk;
  d_.state = state;
  if (state == State::kActivate) walk_to_activation();
  // 2. This step's rows pass.
  const bool has_rows = state == State::kWalk && q_.cycle + 1 == params_.search_step_cycles;
  if (has_rows) show_rows();
  // 3. The walk is over: with its last rows, or a few cycles later.
  const bool is_last_step = has_rows && q_.step + 1 == params_.search_steps;
  if (params_.is_pipelined ? is_checking() : is_last_step) check();
  const bool is_settled = state == State::kSettle && q_.cycle + 1 == params_.outcome_cycles();
  if (params_.is_pipelined ? is_settled : is_last_step) {
    outcome_ = q_.is_second ? end_of_second_walk() : end_of_first_walk();
  }
}

// A pipelined search looks for the command a cycle before it is activated.
void Search::walk_to_activation() {
  if (q_.step + 1 == params_.activation_cycles) outcome_ = Outcome::kActivates;
  if (params_.is_pipelined) d_.command = command_to_activate();
}

void Search::show_rows() {
  if (q_.is_second) {
    walk_victims();
  } else {
    walk_kernels();
    walk_sms();
  }
}

std::uint32_t Search::command_to_activate() const {
  if (tables_.active_queue.is_full() || !tables_.command_buffers.any_waiting()) return kNone;
  const std::uint32_t buffer = tables_.command_buffers.select(engine().command_order());
  if (!engine().is_one_context_at_a_time() || tables_.active_queue.size() == 0) return buffer;
  const std::uint32_t current = tables_.ksrt.row(tables_.active_queue.at(0)).context;
  return tables_.command_buffers.row(buffer).context == current ? buffer : kNone;
}

void Search::walk_kernels() {
  if (q_.step == 0) engine().start_walk();
  const std::uint32_t first = q_.step * params_.ksrs_per_step;
  const std::uint32_t end = std::min(first + params_.ksrs_per_step, tables_.active_queue.size());
  for (std::uint32_t i = first; i < end; ++i) engine().show(kernel_row(tables_.active_queue.at(i)));
}

KernelRow Search::kernel_row(std::uint32_t ksr) const {
  const KsrRow& row = tables_.ksrt.row(ksr);
  const std::uint32_t held = q_.by_process ? std::uint32_t{tables_.context_table.row(row.context).held} : row.held();
  return {ksr,
          row.context,
          row.priority,
          static_cast<std::int32_t>(std::uint32_t{row.tokens}) - static_cast<std::int32_t>(held),
          tables_.ksrt.is_uncovered(row),
          row.held() != 0};
}

void Search::walk_sms() {
  if (q_.step == 0) d_.idle_sm = kNone;
  const std::uint32_t first = q_.step * params_.search_width;
  const std::uint32_t end = std::min(first + params_.search_width, params_.num_sms);
  for (std::uint32_t sm = first; sm < end && d_.idle_sm == kNone; ++sm) {
    if (tables_.smst.row(sm).state == SmState::kIdle) d_.idle_sm = sm;
  }
}

void Search::walk_victims() {
  if (q_.step == 0) d_.victim = {};
  const std::uint32_t first = q_.step * params_.search_width;
  const std::uint32_t end = std::min(first + params_.search_width, params_.num_sms);
  for (std::uint32_t sm = first; sm < end; ++sm) {
    const SmRow& row = tables_.smst.row(sm);
    const std::uint32_t claimant = tables_.smst.claimant(row);
    if (claimant == kNone) continue;
    const KsrRow& ksr = tables_.ksrt.row(claimant);
    const VictimRow victim{claimant, ksr.context, ksr.priority};
    if (!engine().is_victim(victim)) continue;
    // The lowest rank; of those a reserved SM, which is being emptied already; of those the lowest.
    const std::uint32_t rank = engine().victim_rank(victim);
    const bool is_running = row.state == SmState::kRunning;
    const bool is_better =
        !d_.victim.valid || rank < d_.victim.rank || (rank == d_.victim.rank && d_.victim.is_running && !is_running);
    if (is_better) d_.victim = {true, is_running, rank, sm, claimant};
  }
}

// Events may have overtaken the search: is what it has found still good? In a pipelined search this is a cycle of its
// own; until the next one nothing changes hands.
void Search::check() {
  if (!q_.is_second) d_.candidate = engine().candidate();
  d_.is_candidate_good = d_.candidate.ksr != kNone && is_candidate_still_good();
  d_.is_victim_as_seen = q_.is_second && is_victim_still_as_seen();
}

Search::Outcome Search::end_of_first_walk() {
  engine().end_walk();
  if (d_.candidate.ksr == kNone) return Outcome::kEnds;
  if (d_.candidate.takes_idle && d_.idle_sm != kNone) {
    if (!d_.is_candidate_good) return Outcome::kRepeats;
    move_ = {true, MoveKind::kAssign, d_.idle_sm, d_.candidate.ksr};
    return Outcome::kMoves;
  }
  return d_.candidate.takes_away ? Outcome::kLooksForVictim : Outcome::kEnds;
}

// A victim that is not what it was when it passed is left alone.
Search::Outcome Search::end_of_second_walk() {
  if (!d_.victim.valid) return Outcome::kEnds;
  if (!d_.is_victim_as_seen || !d_.is_candidate_good) return Outcome::kRepeats;
  move_ = {true, d_.victim.is_running ? MoveKind::kReserve : MoveKind::kRetarget, d_.victim.sm, d_.candidate.ksr};
  return Outcome::kMoves;
}

bool Search::is_candidate_still_good() const {
  const KsrRow& row = tables_.ksrt.row(d_.candidate.ksr);
  return row.valid && (!d_.candidate.takes_idle || tables_.ksrt.is_uncovered(row));
}

bool Search::is_victim_still_as_seen() const {
  if (!d_.victim.valid) return false;
  const SmRow& row = tables_.smst.row(d_.victim.sm);
  const SmState expected = d_.victim.is_running ? SmState::kRunning : SmState::kReserved;
  return row.state == expected && tables_.smst.claimant(row) == d_.victim.claimant;
}

Cycle Search::cycles_of_mere_walk() const {
  if (q_.state != State::kWalk && q_.state != State::kSettle) return 0;
  // While it settles, the step is that after the last.
  return params_.walk_cycles() - 1 - (Cycle{q_.step} * params_.search_step_cycles + q_.cycle);
}

void Search::walk_on(Cycle cycles) {
  for (; cycles > 0; --cycles) {
    walk();
    count();
    seq();
  }
}

// ---- the rest of the cycle -----------------------------------------------------------------------------------

void Search::comb(const Inputs& inputs, EventPins& events) {
  is_touched_ = inputs.invoke || inputs.policy_write || inputs.tick || inputs.pool_step != 0;
  if (q_.state == State::kIdle && !is_touched_) return;
  d_.pool = static_cast<std::uint32_t>(static_cast<std::int64_t>(q_.pool) + inputs.pool_step);
  d_.pending = q_.pending || inputs.invoke;
  d_.tick_waits = q_.tick_waits || inputs.tick;
  if (inputs.invoke && q_.state == State::kIdle) events.policy_invoked = true;
  if (inputs.policy_write) {
    // 1. Another policy: what was being decided is dropped, and budgets are distributed anew.
    select_policy(inputs.policy_data);
    d_.tick_waits = false;
    start_distribution();
  } else if (q_.state == State::kIdle) {
    if (inputs.invoke) begin();
  } else if (q_.state == State::kDistribute) {
    inputs.control_write ? start_distribution() : distribute();
  } else {
    conclude(inputs, events);
  }
}

void Search::conclude(const Inputs& inputs, EventPins& events) {
  // 1. A control write in the cycle of a decision comes before it: the decision is made again. A kernel's end comes
  //    before an activation, for its tokens.
  if (inputs.control_write && outcome_ != Outcome::kGoesOn) return begin();
  if (inputs.kernel_finished && outcome_ == Outcome::kActivates) return;
  // 2. What the walk came to.
  conclude(outcome_, events);
}

void Search::conclude(Outcome outcome, EventPins& events) {
  switch (outcome) {
    case Outcome::kGoesOn:
      return count();
    case Outcome::kActivates:
      activate(events);
      return begin();
    case Outcome::kMoves:
    case Outcome::kRepeats:
      return begin();
    case Outcome::kLooksForVictim:
      d_.state = State::kWalk;
      d_.is_second = true;
      d_.step = d_.cycle = 0;
      return;
    case Outcome::kEnds:
      // Events since the walk began may have changed what has passed already.
      if (d_.pending || command_to_activate() != kNone) return begin();
      d_.state = State::kIdle;
      events.policy_decided = true;
      return;
  }
}

void Search::count() {
  if (d_.state == State::kActivate) {
    d_.step = q_.step + 1;
  } else if (d_.state == State::kSettle || q_.cycle + 1 != params_.search_step_cycles) {
    d_.cycle = q_.cycle + 1;
  } else {
    d_.cycle = 0;
    d_.step = q_.step + 1;
    // Unless it is pipelined, the walk has had its outcome.
    if (d_.step == params_.search_steps) d_.state = State::kSettle;
  }
}

void Search::begin() {
  d_.state = State::kBegin;
  d_.is_second = false;
  d_.step = d_.cycle = 0;
  d_.pending = false;
  // The turn passes between walks: within one, distances would change.
  if (d_.tick_waits) engine().tick();
  d_.tick_waits = false;
}

// ---- the active queue ----------------------------------------------------------------------------------------

void Search::activate(EventPins& events) {
  const std::uint32_t buffer = params_.is_pipelined ? q_.command : command_to_activate();
  if (buffer == kNone) return;  // overtaken by an event
  const CommandBuffers::Row& command = tables_.command_buffers.row(buffer);
  const std::uint32_t ksr = tables_.ksrt.lowest_free();
  // 1. The KSR is set up.
  const bool is_first = tables_.context_table.row(command.context).kernels == 0;
  const Budget budget = budget_for(command.context, is_first, q_.pool);
  KsrRow row = tables_.ksrt.empty_row();
  row.valid = true;
  row.descriptor = command.descriptor;
  row.context = command.context;
  row.priority = command.priority;
  row.tbs_per_sm = command.tbs_per_sm;
  row.remaining = command.num_tbs;
  row.tokens = budget.tokens;
  row.has_pool_token = budget.takes_from_pool && !q_.by_process;
  tables_.ksrt.activate(ksr, row);
  // 2. The kernel enters the active queue, and its command buffer is free.
  tables_.active_queue.push(ksr);
  tables_.command_buffers.retire(buffer);
  tables_.context_table.kernel_enters(command.context);
  take_from_pool(command.context, budget);
  events.activated = true;
  events.activated_buffer = buffer;
  events.activated_ksr = ksr;
}

Search::Budget Search::budget_for(std::uint32_t context, bool is_first_of_context, std::uint32_t pool) const {
  const ContextTable::Row& row = tables_.context_table.row(context);
  if (row.has_budget) return {row.budget, false};
  const bool takes = pool > 0 && (!q_.by_process || is_first_of_context);
  const bool has_one = q_.by_process && row.has_pool_token;
  return {params_.equal_share + (takes || has_one ? 1 : 0), takes};
}

void Search::take_from_pool(std::uint32_t context, const Budget& budget) {
  if (!budget.takes_from_pool) return;
  --d_.pool;
  if (q_.by_process) tables_.context_table.set_pool_token(context, true);
}

void Search::start_distribution() {
  d_.state = State::kDistribute;
  d_.step = 0;
  d_.pool = params_.token_pool;
  tables_.context_table.clear_pool_tokens();
}

// A kernel a cycle, in the order of the active queue.
void Search::distribute() {
  if (q_.step == tables_.active_queue.size()) return begin();
  const std::uint32_t ksr = tables_.active_queue.at(q_.step);
  const std::uint32_t context = tables_.ksrt.row(ksr).context;
  const Budget budget = budget_for(context, !tables_.context_table.row(context).has_pool_token, q_.pool);
  tables_.ksrt.set_tokens(ksr, budget.tokens, budget.takes_from_pool && !q_.by_process);
  take_from_pool(context, budget);
  d_.step = q_.step + 1;
}

// ---- edge ----------------------------------------------------------------------------------------------------

void Search::seq() {
  if (q_.state == State::kIdle && !is_touched_) return;
  is_touched_ = false;
  q_ = d_;
  engine().seq();
}

bool Search::wants_timer() const {
  if (!engine().wants_timer()) return false;
  const ActiveQueue& queue = tables_.active_queue;
  for (std::uint32_t i = 1; i < queue.size(); ++i) {
    if (tables_.ksrt.row(queue.at(i)).context != tables_.ksrt.row(queue.at(0)).context) return true;
  }
  return false;
}

void Search::list_signals(ISignalSink& signals) const {
  signals.enter("u_search");
  signals.signal("state_q", 3, [this] { return static_cast<std::uint64_t>(q_.state); });
  signals.signal("is_second_q", 1, [this] { return q_.is_second; });
  signals.signal("step_q", bits_for_value(params_.search_steps), [this] { return q_.step; });
  signals.signal("cycle_q", bits_for_value(std::max(params_.search_step_cycles, params_.outcome_cycles())),
                 [this] { return q_.cycle; });
  signals.signal("pending_q", 1, [this] { return q_.pending; });
  signals.signal("tick_waits_q", 1, [this] { return q_.tick_waits; });
  signals.signal("pool_q", params_.sm_count_width(), [this] { return q_.pool; });
  signals.signal("policy_q", 3, [this] { return q_.policy; });
  signals.signal("is_draining_q", 1, [this] { return q_.is_draining; });
  signals.signal("by_process_q", 1, [this] { return q_.by_process; });
  signals.signal("is_checking_o", 1, [this] { return is_checking(); });
  signals.signal("victim_valid_q", 1, [this] { return q_.victim.valid; });
  signals.signal("victim_sm_q", params_.sm_width(), [this] { return q_.victim.sm; });
  for (const auto& engine : engines_) engine->list_signals(signals);
  signals.leave();
}

}  // namespace tessera::rtl_model
