// SPDX-License-Identifier: Apache-2.0
// Time goes on from event to event; in each: completions, replenishments, arrivals, submissions.
#include "campaign/k11/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace tessera::campaign::k11 {
namespace {

namespace cs = command_scheduling;

class TimelineRun : cs::ITimeGraphObserver {
 public:
  TimelineRun(std::vector<TimelineTask> tasks, Cycle handler_delay) : delay_(handler_delay), core_({}, this) {
    for (TimelineTask& task : tasks) tasks_.push_back({std::move(task)});
  }

  Timeline run(Cycle end, const std::optional<cs::ReserveParameters>& reserve, bool is_known) {
    if (is_known) warm_up();
    std::optional<cs::ReserveId> id;
    if (reserve) {
      cs::ReserveParameters shifted = *reserve;
      shifted.phase += origin_;
      id = core_.add_reserve(shifted);
    }
    reserve_ = id;
    for (State& state : tasks_) {
      state.task.parameters.reserve = id;
      state.id = core_.add_task(state.task.parameters);
      schedule(state, origin_, origin_);
    }
    for (Cycle now = next_event(); now <= origin_ + end; now = next_event()) step(now);
    return std::move(timeline_);
  }

 private:
  struct State {
    TimelineTask task;
    cs::TaskId id{};
    std::size_t arrived = 0;
    std::size_t done = 0;
    Cycle next = kNever;  // arrival
  };
  struct Online {
    State* state;
    cs::GroupId group;
    Cycle seen;
  };

  void on_arrived(Cycle, cs::TaskId, cs::GroupId, Cycle) override {}
  void on_suspended(Cycle, cs::TaskId, cs::GroupId) override {}
  void on_submitted(Cycle, cs::TaskId, cs::GroupId, Cycle) override {}
  void on_completed(Cycle, cs::TaskId, cs::GroupId, Cycle) override {}
  void on_replenished(Cycle now, cs::ReserveId reserve, std::int64_t budget) override {
    if (reserve == reserve_) timeline_.budgets.push_back({now - origin_, budget});
  }

  // Another task has run each group once.
  void warm_up() {
    const cs::ReserveId rich = core_.add_reserve({kNever, kNever, 0, true});
    const cs::TaskId profiler = core_.add_task({cs::Dispatch::kPrt, 0, false, rich});
    for (const State& state : tasks_) {
      for (const TimelineStep& step : state.task.script) {
        const cs::GroupId group = core_.arrive(origin_, profiler, {step.duration});
        core_.dispatch(origin_);
        origin_ += step.duration;
        core_.complete(origin_, group);
      }
    }
  }

  // The next group, where its time is known: the call before it has returned then.
  void schedule(State& state, Cycle returned, Cycle done) const {
    state.next = kNever;
    if (state.arrived == state.task.script.size()) return;
    const TimelineStep& step = state.task.script[state.arrived];
    if (step.from == TimelineStep::From::kTime) {
      state.next = std::max(origin_ + step.delay, returned);
    } else if (step.from == TimelineStep::From::kReturn) {
      state.next = returned + step.delay;
    } else if (done != kNever) {
      state.next = done + step.delay;
    }
  }

  Cycle next_event() const {
    Cycle next = core_.next_replenishment();
    for (const State& state : tasks_) next = std::min(next, state.next);
    return online_.empty() ? next : std::min(next, online_.front().seen);
  }

  void step(Cycle now) {
    while (!online_.empty() && online_.front().seen <= now) complete(now);
    core_.replenish(now);
    for (State& state : tasks_) {
      if (state.next > now) continue;
      state.next = kNever;
      core_.arrive(now, state.id, {state.task.script[state.arrived].duration});
      ++state.arrived;
    }
    for (const cs::TimeGraph::Submission& submission : core_.dispatch(now)) submit(now, submission);
  }

  void complete(Cycle now) {
    const Online first = online_.front();
    online_.pop_front();
    core_.complete(now, first.group);
    if (reserve_) timeline_.budgets.push_back({now - origin_, core_.reserve(*reserve_).budget()});
    State& state = *first.state;
    if (++state.done == state.arrived && state.next == kNever && !core_.is_waiting(state.id)) schedule(state, now, now);
  }

  void submit(Cycle now, const cs::TimeGraph::Submission& submission) {
    const auto its =
        std::find_if(tasks_.begin(), tasks_.end(), [&](const State& state) { return state.id == submission.task; });
    const Cycle begin = std::max(now, free_);
    free_ = begin + its->task.script[its->arrived - 1].duration;
    timeline_.spans.push_back({its->task.name, begin - origin_, free_ - origin_});
    online_.push_back({&*its, submission.group, free_ + delay_});
    schedule(*its, now, kNever);
  }

  Cycle delay_;
  cs::TimeGraph core_;
  std::deque<State> tasks_;
  std::optional<cs::ReserveId> reserve_;
  std::deque<Online> online_;
  Cycle origin_ = 0;
  Cycle free_ = 0;  // the GPU
  Timeline timeline_;
};

}  // namespace

Timeline run_timeline(std::vector<TimelineTask> tasks, Cycle handler_delay, Cycle end,
                      const std::optional<cs::ReserveParameters>& reserve, bool is_known) {
  return TimelineRun(std::move(tasks), handler_delay).run(end, reserve, is_known);
}

std::string spans_text(const Timeline& timeline) {
  std::string text;
  for (const TimelineSpan& span : timeline.spans) {
    text += fmt::format("{}{}{}-{}", text.empty() ? "" : ", ", span.task.empty() ? "" : span.task + " ", span.begin,
                        span.end);
  }
  return text;
}

std::string budgets_text(const Timeline& timeline) {
  std::string text;
  for (const TimelineBudget& at : timeline.budgets) {
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", at.budget, at.time);
  }
  return text;
}

}  // namespace tessera::campaign::k11
