// SPDX-License-Identifier: Apache-2.0
// The event loop. In one cycle: completions, then preemption done, then commands (docs/concepts/readings.md, Order in a
// cycle).
#include "tlm/execution_engine/execution_core.h"

#include <algorithm>
#include <utility>

#include "model/base/overloaded.h"
#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_scheduler.h"
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"
#include "tlm/execution_engine/sm_control/ideal_driver.h"
#include "tlm/execution_engine/tb_dispatcher/tb_dispatcher.h"

namespace tessera::tlm_model {
namespace {

record::SmUse limits_of(const spec::GpuSpec& gpu) {
  return {gpu.registers_per_sm, gpu.shared_memory_bytes.back(), gpu.max_threads_per_sm, gpu.max_tbs_per_sm};
}

// Leaves of the timer tree behind those of the SMs, in the order of one cycle.
std::uint32_t link_leaf(const spec::Spec& spec) { return spec.gpu.num_sms; }  // only of a machine with links
// The serialised engine looks at the turn with the registers of the cycle, before anything of that cycle; the ideal one
// when all has come that comes in it.
bool looks_at_turn_first(const spec::Spec& spec) { return spec::has_one_job_engine(spec); }
std::uint32_t first_leaf(const spec::Spec& spec) {
  return spec.gpu.num_sms + (spec.gpu.framework.link_cycles.up.empty() ? 0 : 1);
}
std::uint32_t message_leaf(const spec::Spec& spec) { return first_leaf(spec) + (looks_at_turn_first(spec) ? 1 : 0); }
std::uint32_t policy_timer_leaf(const spec::Spec& spec) { return message_leaf(spec) + 1; }
std::uint32_t switch_leaf(const spec::Spec& spec) { return message_leaf(spec) + 2; }
std::uint32_t turn_leaf(const spec::Spec& spec) { return first_leaf(spec) + (looks_at_turn_first(spec) ? 0 : 3); }
std::uint32_t step_leaf(const spec::Spec& spec) { return first_leaf(spec) + 4; }
std::uint32_t engine_leaf(const spec::Spec& spec) { return first_leaf(spec) + 5; }
std::uint32_t linger_leaf(const spec::Spec& spec) { return first_leaf(spec) + 6; }
std::uint32_t num_leaves(const spec::Spec& spec) { return first_leaf(spec) + 7; }

}  // namespace

ExecutionCore::ExecutionCore(const spec::Spec& spec, record::RecordLog& log, PagedMemory* context_bytes)
    : spec_(spec),
      tables_(spec.gpu.num_sms, spec.gpu.framework.num_ksrs, spec.gpu.framework.num_command_buffers),
      monitor_(spec.gpu.framework.num_ksrs, limits_of(spec.gpu)),
      timers_(num_leaves(spec)),
      parts_(spec, tables_, timers_, log, spec.checks.enable_invariants ? &monitor_ : nullptr,
             spec.checks.enable_context_check ? context_bytes : nullptr),
      array_(parts_.array),
      driver_(make_driver()),
      scheduler_(make_scheduler()),
      usage_(spec.processes.size()),
      held_sms_(spec.processes.size()) {}

// When things happen, how thread blocks leave, and who fills a slot: the engine, the technique and whether kernels
// share SMs say so.
std::unique_ptr<ISmDriver> ExecutionCore::make_driver() {
  if (spec::info(spec_.scheduler.technique).chooses_victims) return std::make_unique<SharedSmDriver>(parts_);
  if (spec_.gpu.framework.shares_sms()) return std::make_unique<TbDispatcher>(parts_);
  if (!spec::has_one_job_engine(spec_)) return std::make_unique<IdealDriver>(parts_);
  auto driver = std::make_unique<OneJobDriver>(parts_, engine_leaf(spec_), link_leaf(spec_));
  one_job_driver_ = driver.get();
  return driver;
}

std::unique_ptr<Scheduler> ExecutionCore::make_scheduler() {
  const Scheduler::TimerLeaves leaves{step_leaf(spec_), policy_timer_leaf(spec_), linger_leaf(spec_), turn_leaf(spec_),
                                      switch_leaf(spec_)};
  if (one_job_driver_ == nullptr) return std::make_unique<Scheduler>(parts_, *driver_, leaves);
  return std::make_unique<OneJobScheduler>(parts_, *one_job_driver_, leaves);
}

spec::Cores ExecutionCore::which() const { return spec::Cores::kTlm; }

record::MemoryResult ExecutionCore::memory() const {
  if (array_.memory() == nullptr) return {};
  const MemoryTotals& totals = array_.memory()->totals();
  return {totals.bytes, mul_div_round(totals.largest_factor, 1'000'000, kUnloaded)};
}

void ExecutionCore::send(const EngineMessage& message) {
  if (const auto* const word = std::get_if<LoopWord>(&message.what)) {
    return array_.require_loops().post(message.stamp, *word);
  }
  const auto later = [](const EngineMessage& a, const EngineMessage& b) {
    return a.stamp != b.stamp ? a.stamp < b.stamp : a.sender < b.sender;
  };
  inbox_.insert(std::upper_bound(inbox_.begin(), inbox_.end(), message, later), message);
  timers_.set(message_leaf(spec_), std::min(timers_.time(message_leaf(spec_)), inbox_.front().stamp + 1));
}

Cycle ExecutionCore::next_loop() const { return array_.loops() == nullptr ? kNever : array_.loops()->next_event(); }

Cycle ExecutionCore::next_event() const {
  return std::min({array_.next_end(), driver_->next_issue(), timers_.min_time(), next_loop()});
}

void ExecutionCore::run_until(Cycle limit) {
  for (;;) {
    const Cycle completion = array_.next_end();
    const Cycle issue = driver_->next_issue();
    const Cycle timer = timers_.min_time();
    const Cycle loop = next_loop();
    const Cycle next = std::min({completion, issue, timer, loop});
    if (next >= limit || next == kNever) return;
    monitor_.set_now(next);
    // 1. Breadth-first issue fills what became free in earlier cycles.
    if (issue == next) {
      driver_->issue_due(next);
    } else if (loop == next) {
      // 2. Loops of event-driven kernels: their ends are completions of this cycle.
      array_.loops()->due(next);
    } else if (completion == next) {
      // 3. Completions of this cycle, and of those until something else is due.
      driver_->run_ends(std::min({limit, issue, loop, timer + 1}));
      monitor_.set_now(array_.now());
    } else {
      // 4. Timers: SMs (preemption done), then messages, then the policy.
      fire_timer(EventTree::leaf_of(timers_.min()), next);
    }
    settle(monitor_.now());
    if (!done_.empty()) limit = std::min(limit, done_.back().cycle + 1);
    if (array_.has_loop_requests()) {
      const std::vector<LoopRequest> requests = array_.take_loop_requests();
      loop_requests_.insert(loop_requests_.end(), requests.begin(), requests.end());
      limit = std::min(limit, loop_requests_.back().cycle + 1);
    }
  }
}

void ExecutionCore::fire_timer(std::uint32_t leaf, Cycle now) {
  if (leaf < spec_.gpu.num_sms) {
    driver_->timer_fired(SmId(leaf), now);
  } else if (leaf == message_leaf(spec_)) {
    deliver_messages(now);
  } else if (leaf == turn_leaf(spec_)) {
    scheduler_->turn_due(now);
  } else if (leaf == link_leaf(spec_)) {
    one_job_driver_->links_due(now);
  } else if (leaf == policy_timer_leaf(spec_)) {
    scheduler_->policy_timer_fired(now);
  } else if (leaf == linger_leaf(spec_)) {
    scheduler_->linger_timer_fired(now);
  } else if (leaf == switch_leaf(spec_)) {
    scheduler_->switch_timer_fired(now);
  } else if (leaf == engine_leaf(spec_)) {
    one_job_driver_->engine_due(now);
    refill_later(now);
  } else {
    scheduler_->step_due(now);
    refill_later(now);
  }
}

// A command buffer that has become free takes what waits for it in the next cycle.
void ExecutionCore::refill_later(Cycle now) {
  if (scheduler_->has_refill_pending()) {
    timers_.set(message_leaf(spec_), std::min(timers_.time(message_leaf(spec_)), now + 1));
  }
}
void ExecutionCore::deliver_messages(Cycle now) {
  scheduler_->refill_command_buffers(now);
  auto first_later = inbox_.begin();
  for (; first_later != inbox_.end() && first_later->stamp < now; ++first_later) deliver(*first_later, now);
  inbox_.erase(inbox_.begin(), first_later);
  timers_.set(message_leaf(spec_), inbox_.empty() ? kNever : inbox_.front().stamp + 1);
  scheduler_->messages_delivered(now);
  refill_later(now);
}

void ExecutionCore::deliver(const EngineMessage& message, Cycle now) {
  std::visit(Overloaded{[&](const KernelLaunch& launch) { scheduler_->offer(launch, now); },
                        [&](const RegisterWrite& write) { take(write, now); },
                        [](const LoopWord&) {},  // send() has posted them
                        [&](const TurnInput& input) { take(input, now); },
                        [&](const CopyTraffic& copy) { array_.copy_moves(copy.starts, now); }},
             message.what);
}

void ExecutionCore::take(const RegisterWrite& write, Cycle now) {
  std::visit(Overloaded{[&](const SetPriority& set) { scheduler_->set_priority(set.context, set.priority, now); },
                        [&](const SetTokens& set) { scheduler_->set_tokens(set.context, set.tokens, now); },
                        [&](const SetPageTable& set) { parts_.owners.context_table().set(set.context, set.base); },
                        [&](const SetPolicy& set) { scheduler_->set_policy(set.scheduler, now); },
                        [&](const SetPartition& set) { scheduler_->set_partition(set.sm, set.partition, now); },
                        [&](const SetMask& set) { scheduler_->set_mask(set.partition, set.sms, now); },
                        [&](const SetSliceEnd& set) { scheduler_->set_slice_end(set.context, set.slice_end); }},
             write);
}

void ExecutionCore::take(const TurnInput& input, Cycle now) {
  std::visit(Overloaded{[&](const SetWaiting& set) { scheduler_->set_waiting(set.context, set.is_waiting, now); },
                        [&](const SetListed& set) { scheduler_->set_listed(set.context, set.is_listed, now); }},
             input);
}

// What the last event left for others to do: kernels leave the active queue, and the policy looks at the tables.
void ExecutionCore::settle(Cycle now) {
  DriverReport& report = parts_.owners.report();
  for (const KsrId ksr : report.finished) {
    const KernelLaunch& launch = array_.kernel(ksr).launch;
    done_.push_back({launch.queue, now, launch.node});
    scheduler_->kernel_finished(ksr, now);
  }
  report.finished.clear();
  scheduler_->start_linger_timer(now);
  if (std::exchange(report.wants_policy, false)) {
    scheduler_->invoked_by_driver(now);
  }
  if (tables_.num_moves() != counted_moves_ && !is_giving()) count_usage();
  scheduler_->settled(now);
  scheduler_->check_steady_state();
}

// SMs that an assign gives one after the other count when its job is over.
bool ExecutionCore::is_giving() const { return one_job_driver_ != nullptr && one_job_driver_->is_giving(); }

// SMs have changed hands, or a kernel has gone.
void ExecutionCore::count_usage() {
  counted_moves_ = tables_.num_moves();
  std::fill(held_sms_.begin(), held_sms_.end(), 0);
  for (const KsrId id : tables_.active_queue()) held_sms_[index(tables_.ksr(id).context)] += tables_.ksr(id).sms_held();
  for (std::size_t i = 0; i < held_sms_.size(); ++i) {
    const std::int64_t freed = usage_.held(ContextId(i)) - held_sms_[i];
    if (freed != 0) usage_.freed(ContextId(i), freed, now());
  }
}

void ExecutionCore::finish(Cycle end) {
  monitor_.set_now(end);
  parts_.owners.finish(
      end, [this](KsrId ksr) { return parts_.supply.ptbq(ksr).num_saved() + driver_->num_contexts_away(ksr); });
}

}  // namespace tessera::tlm_model
