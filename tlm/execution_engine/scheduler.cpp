// SPDX-License-Identifier: Apache-2.0
// Command buffers, activation, the timed policy search.
#include "tlm/execution_engine/scheduler.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/policy/shared_sms_policy.h"
#include "model/record/numbers.h"
#include "model/spec/core_cycles.h"
#include "model/spec/search_cycles.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::tlm_model {

Scheduler::Scheduler(SmParts& parts, ISmDriver& driver, TimerLeaves leaves)
    : spec_(parts.spec),
      tables_(parts.tables),
      array_(parts.array),
      driver_(driver),
      timers_(parts.timers),
      leaves_(leaves),
      log_(parts.log),
      monitor_(parts.monitor),
      scheduler_(spec_.scheduler),
      turn_(parts, driver, {leaves.policy, leaves.switch_over}),
      policy_(make_policy(spec_.scheduler)),
      search_cycles_(spec::search_core_cycles(spec_)),
      activation_cycles_(spec::given_activation_cycles(spec_)),
      makes_sets_(driver.victim_port() != nullptr && spec_.scheduler.candidate_sets == spec::CandidateSets::kDecision),
      in_buffer_(spec_.gpu.framework.num_command_buffers),
      offered_(spec_.gpu.framework.num_command_buffers) {
  tables_.linger().set_enabled(keeps_sms());
  tables_.set_partitioned(is_partitioned());
}

bool Scheduler::keeps_sms() const {
  return spec::info(scheduler_.policy).has(spec::kKeepsSms) && spec_.scheduler.linger > 0;
}

policy::PolicyConfig Scheduler::config_of(const spec::SchedulerSpec& scheduler) const {
  policy::PolicyConfig config;
  config.scheduler = scheduler;
  config.num_sms = spec_.gpu.num_sms;
  config.num_processes = static_cast<std::uint32_t>(spec_.processes.size());
  for (const spec::ProcessSpec& process : spec_.processes) config.tokens.push_back(process.tokens);
  config.victims = driver_.victim_port();
  config.turn = turn_.seen();
  return config;
}

std::unique_ptr<policy::IPolicy> Scheduler::make_policy(const spec::SchedulerSpec& scheduler) const {
  std::unique_ptr<policy::IPolicy> policy = policy::make_policy(config_of(scheduler));
  if (!spec_.gpu.framework.shares_sms()) return policy;
  return std::make_unique<policy::SharedSmsPolicy>(std::move(policy));
}

Cycle Scheduler::time_slice_cycles() const {
  return std::max<Cycle>(1, Clock(spec_.gpu.clock_hz).cycles_in(scheduler_.time_slice));
}

CommandBufferId Scheduler::buffer_of(ContextId context) const {
  return CommandBufferId(index(context) % in_buffer_.size());
}

// ---- what arrives --------------------------------------------------------------------------------------------

void Scheduler::offer(const KernelLaunch& launch, Cycle now) {
  const CommandBufferId buffer = buffer_of(launch.context);
  if (tables_.command(buffer).is_valid || !offered_[index(buffer)].empty()) {
    queue_up(offered_[index(buffer)], launch);
  } else {
    accept(buffer, launch, now);
  }
  look_at_turn_after(now);
}

void Scheduler::refill_command_buffers(Cycle now) {
  has_refill_pending_ = false;
  for (std::size_t i = 0; i < offered_.size(); ++i) {
    if (offered_[i].empty() || tables_.command(CommandBufferId(i)).is_valid) continue;
    accept(CommandBufferId(i), offered_[i].front(), now);
    offered_[i].pop_front();
  }
}

void Scheduler::accept(CommandBufferId buffer, const KernelLaunch& launch, Cycle now) {
  policy::CommandEntry& entry = tables_.command(buffer);
  entry = {true,
           launch.context,
           launch.priority,
           next_arrival_++,
           policy::deadline_unit(now, launch.deadline),
           launch.partition};
  in_buffer_[index(buffer)] = {LaunchId{next_launch_++}, launch};
  in_buffer_[index(buffer)].launch.arrived = now;
  log_.emit(now, about(record::Kind::kKernelArrived, in_buffer_[index(buffer)].id, launch, now));
  invoke(now);
}

void Scheduler::set_priority(ContextId context, std::uint32_t priority, Cycle now) {
  policy::CommandEntry& waiting = tables_.command(buffer_of(context));
  if (waiting.context == context) waiting.priority = priority;
  for (const KsrId id : tables_.active_queue()) {
    if (tables_.ksr(id).context != context) continue;
    tables_.ksr(id).priority = priority;
    tables_.touch(tables_.ksr(id).partition);
  }
  for (auto& queue : offered_) {
    for (KernelLaunch& launch : queue) {
      if (launch.context == context) launch.priority = priority;
    }
  }
  register_written(Deals::kNone, now);
}

void Scheduler::set_tokens(ContextId context, std::uint32_t tokens, Cycle now) {
  policy_->set_tokens(context, static_cast<std::int32_t>(tokens));
  for (const KsrId id : tables_.active_queue()) {
    if (tables_.ksr(id).context == context) tables_.ksr(id).tokens = static_cast<std::int32_t>(tokens);
  }
  register_written(Deals::kContext, now);
}

// Kernels that are active stay so; their budgets are distributed anew in the order of the active queue.
void Scheduler::set_policy(const spec::SchedulerSpec& scheduler, Cycle now) {
  scheduler_ = scheduler;
  driver_.set_scheduler(scheduler);
  turn_.policy_written(scheduler);
  policy_ = make_policy(scheduler);
  tables_.linger().set_enabled(keeps_sms());
  tables_.set_partitioned(is_partitioned());
  for (const KsrId id : tables_.active_queue()) {
    tables_.ksr(id).tokens = policy_->take_tokens(tables_.ksr(id).context);
    tables_.touch(tables_.ksr(id).partition);
  }
  update_policy_timer(now);
  look_at_turn_after(now);
  register_written(Deals::kAll, now);
}

void Scheduler::set_partition(SmId sm, PartitionId partition, Cycle now) {
  tables_.set_partition(sm, partition);
  register_written(Deals::kNone, now);
}

void Scheduler::set_mask(PartitionId partition, const SmSet& sms, Cycle now) {
  tables_.set_mask(partition, sms);
  register_written(Deals::kNone, now);
}

void Scheduler::register_written(Deals, Cycle now) { invoke(now); }

// ---- the policy in time --------------------------------------------------------------------------------------

void Scheduler::invoke(Cycle now) {
  if (step_ != Step::kNone) return;
  core_cycles_over_ = 0;
  note_invoked(now, now);
  begin_step(now);
}

void Scheduler::note_invoked(Cycle at, Cycle now) {
  invoked_at_ = at;
  until_first_move_ = 0;
  driver_.decision_began(at);
  record::Record invoked;
  invoked.cycle = at;
  invoked.kind = record::Kind::kPolicyInvoked;
  log_.emit(now, invoked);
}

// A waiting kernel that may enter the active queue goes first; else the policy searches the tables.
void Scheduler::begin_step(Cycle now) {
  const bool activates = tables_.has_free_ksr() && policy_->select_command(tables_) != kNoCommandBuffer;
  step_ = activates ? Step::kActivation : Step::kSearch;
  has_made_sets_ = false;
  if (!activates) policy_->begin_step(tables_);
  timers_.set(leaves_.step, now + sm_cycles_of(activates ? activation_cycles_ : search_cycles_));
}

// Steps of a decision follow each other without a gap: what one takes beyond a whole SM cycle counts in the next.
Cycle Scheduler::sm_cycles_of(Cycle core_cycles) {
  const Cycle ratio = spec_.scheduler.tbs_per_cycle;
  const Cycle cycles = core_cycles + core_cycles_over_;
  core_cycles_over_ = cycles % ratio;
  return cycles / ratio;
}

void Scheduler::step_due(Cycle now) {
  timers_.clear(leaves_.step);
  if (step_ == Step::kActivation) {
    activate_next(now);
    begin_step(now);
  } else {
    search_done(now);
  }
}

void Scheduler::activate_next(Cycle now) {
  const CommandBufferId buffer = policy_->select_command(tables_);
  if (buffer != kNoCommandBuffer) activate(buffer, now);  // else overtaken by an event
}

void Scheduler::activate(CommandBufferId buffer, Cycle now) {
  const Waiting& waiting = in_buffer_[index(buffer)];
  const policy::CommandEntry& command = tables_.command(buffer);
  // 1. A KSR is set up and enters the active queue.
  policy::KsrEntry entry;
  entry.context = command.context;
  entry.priority = command.priority;
  entry.deadline_unit = command.deadline_unit;
  entry.partition = command.partition;
  entry.tokens = policy_->take_tokens(command.context);
  entry.tbs_per_sm = workload::occupancy(spec_.gpu, resources_of(waiting.launch)).tbs_per_sm;
  entry.is_spread = spec_.scheduler.fill == spec::Fill::kBreadthFirst;  // the driver's, whatever the policy
  const KsrId ksr = tables_.lowest_free_ksr();
  array_.set_now(now);
  array_.begin_kernel(ksr, waiting.id, waiting.launch, entry.tbs_per_sm);
  entry.counted = &array_.kernel(ksr).tbs;
  tables_.activate(ksr, buffer, entry);
  driver_.kernel_activated(ksr);
  log_.emit(now, about(record::Kind::kKernelActivated, waiting.id, waiting.launch, now));
  // 2. The command buffer takes the next kernel of its contexts, a cycle later.
  has_refill_pending_ = has_refill_pending_ || !offered_[index(buffer)].empty();
  update_policy_timer(now);
}

void Scheduler::search_done(Cycle now) {
  if (tables_.is_partitioned()) tables_.clear_false_foreign();
  const policy::Decision decision = policy_->step(tables_);
  // The move is decided again when the sets are there, on the tables as they are then.
  if (decision.takes_sm() && makes_sets_ && !has_made_sets_) {
    has_made_sets_ = true;
    timers_.set(leaves_.step, now + sm_cycles_of(search_cycles_));
    return;
  }
  if (decision.action == policy::Action::kPass) return begin_step(now);
  if (decision.action != policy::Action::kNone) {
    if (until_first_move_ == 0) until_first_move_ = now - invoked_at_;
    carry_out(decision, now);
    begin_step(now);
    return;
  }
  step_ = Step::kNone;
  if (tables_.has_free_ksr() && policy_->select_command(tables_) != kNoCommandBuffer) return begin_step(now);
  note_decided(now);
}

void Scheduler::note_decided(Cycle now) {
  driver_.decision_over(now);
  record::Record decided;
  decided.cycle = now;
  decided.kind = record::Kind::kPolicyDecided;
  decided.cycles = now - invoked_at_;
  record::number::until_first_move(decided) = until_first_move_;
  log_.emit(now, decided);
  note_withheld_sms(now);
}

void Scheduler::note_withheld_sms(Cycle now) {
  const bool is_any = policy_->withholds_idle_sms(tables_);
  if (!is_any && !is_any_withheld_) return;
  is_any_withheld_ = is_any;
  const auto is_idle = [](const policy::SmEntry& sm) { return sm.status == policy::SmStatus::kIdle; };
  record::Record withheld;
  withheld.cycle = now;
  withheld.kind = record::Kind::kSmsWithheld;
  const auto& smst = tables_.smst();
  if (is_any)
    record::number::withheld_sms(withheld) =
        static_cast<std::uint64_t>(std::count_if(smst.begin(), smst.end(), is_idle));
  log_.emit(now, withheld);
}

void Scheduler::carry_out(const policy::Decision& decision, Cycle now) {
  switch (decision.action) {
    case policy::Action::kAssign:
      return assign(decision, now);
    case policy::Action::kReserve:
      return driver_.reserve(decision.sm, decision.kernel, now);
    case policy::Action::kRetarget:
      return driver_.retarget(decision.sm, decision.kernel, now);
    case policy::Action::kNone:
    case policy::Action::kPass:
      return;
  }
}

// It gives all SMs at once.
void Scheduler::assign(const policy::Decision& decision, Cycle now) {
  SmId idle = decision.sm;
  for (std::uint32_t given = 1; idle != kNoSm; ++given) {
    driver_.assign(idle, decision.kernel, now);
    if (given == decision.limit || !tables_.ksr(decision.kernel).needs_another_sm()) return;
    idle = tables_.idle_sm_for(decision.kernel);
  }
}

// A tick is ignored while SMs change hands: contexts that take longer to move than a slice lasts would go back
// and forth without ever running.
void Scheduler::policy_timer_fired(Cycle now) {
  if (turn_.is_on()) {
    turn_.tick(now);
    look_at_turn_after(now);
    return invoke(now);
  }
  if (!driver_.is_any_sm_changing_hands()) timer_ticked(now);
  timers_.clear(leaves_.policy);
  update_policy_timer(now);
  invoke(now);
}

void Scheduler::timer_ticked(Cycle) { policy_->on_timer(tables_); }

void Scheduler::start_linger_timer(Cycle now) {
  if (tables_.linger().take_start()) timers_.set(leaves_.linger, linger_begins(now) + spec::linger_cycles(spec_));
}

void Scheduler::linger_timer_fired(Cycle now) {
  timers_.clear(leaves_.linger);
  tables_.linger().end();
  invoke(now);
}

void Scheduler::update_policy_timer(Cycle now) {
  if (turn_.is_on()) return;
  const bool is_running = timers_.time(leaves_.policy) != kNever;
  const bool is_wanted = policy_->wants_timer(tables_);
  if (is_wanted && !is_running) timers_.set(leaves_.policy, now + time_slice_cycles());
  if (!is_wanted && is_running) timers_.clear(leaves_.policy);
}

void Scheduler::kernel_finished(KsrId ksr, Cycle now) {
  const KernelRun& kernel = array_.kernel(ksr);
  record::Record finished = about(record::Kind::kKernelFinished, kernel.id, kernel.launch, now);
  record::number::tbs(finished) = kernel.tbs.finished;
  log_.emit(now, finished);
  if (monitor_ != nullptr) monitor_->kernel_finished(ksr);
  policy_->return_tokens(tables_, ksr);
  tables_.deactivate(ksr);
  update_policy_timer(now);
}

record::Record Scheduler::about(record::Kind kind, LaunchId id, const KernelLaunch& launch, Cycle now) const {
  record::Record record;
  record.cycle = now;
  record.kind = kind;
  record.process = launch.process;
  record.kernel = launch.kernel;
  record.run = launch.run;
  record.launch = static_cast<std::uint32_t>(id);
  return record;
}

// ---- invariants ----------------------------------------------------------------------------------------------

void Scheduler::check_steady_state() {
  if (monitor_ == nullptr || tables_.num_moves() == checked_moves_) return;
  monitor_->check_tables(tables_);
  if (step_ != Step::kNone) return;
  checked_moves_ = tables_.num_moves();
  for (const KsrId id : tables_.active_queue()) {
    const SmId idle = tables_.idle_sm_for(id);
    if (idle == kNoSm || tables_.ksr(id).uncovered_tbs() <= 0 || !policy_->may_use_idle_sm(tables_, id)) continue;
    monitor_->violated(record::Invariant::kNoNeedlessIdleSm,
                       fmt::format("SM {} is idle and KSR {} has {} uncovered TBs", index(idle), index(id),
                                   tables_.ksr(id).uncovered_tbs()));
  }
  if (policy_->owes_an_sm_to_budgets()) check_starvation();
}

void Scheduler::check_starvation() const {
  std::int64_t budgets = 0;
  for (const KsrId id : tables_.active_queue()) budgets += tables_.ksr(id).tokens;
  if (budgets > std::int64_t{spec_.gpu.num_sms}) return;
  // An SM that is being emptied for a kernel that has finished meanwhile will be idle, and then theirs; so will one
  // whose answers are awaited. One that two kernels share can be had when one of them has gone.
  if (tables_.is_any_idle_sm_awaited()) return;
  const auto& smst = tables_.smst();
  if (std::any_of(smst.begin(), smst.end(), [](const policy::SmEntry& sm) {
        return sm.status == policy::SmStatus::kReserved && (sm.next == kNoKsr || sm.is_shared);
      })) {
    return;
  }
  for (const KsrId id : tables_.active_queue()) {
    const policy::KsrEntry& ksr = tables_.ksr(id);
    if (ksr.sms_held() > 0 || ksr.tokens < 1 || ksr.uncovered_tbs() <= 0) continue;
    monitor_->violated(record::Invariant::kNoStarvation,
                       fmt::format("KSR {} holds no SM, with {} tokens", index(id), ksr.tokens));
  }
}

}  // namespace tessera::tlm_model
