// SPDX-License-Identifier: Apache-2.0
// Readiness, then who is suspended, then what is handed over.
#include "model/command_scheduling/xsched.h"

#include <algorithm>

#include "model/command_scheduling/run_list.h"
#include "model/spec/spec.h"

namespace tessera::command_scheduling {

XschedParameters xsched_parameters(const spec::Spec& spec) {
  XschedParameters parameters;
  for (std::size_t i = 0; i < spec.processes.size(); ++i) {
    const spec::XschedTaskSpec& task = spec.driver.xsched.task(i);
    parameters.tasks.push_back({task.threshold, task.batch, spec.processes[i].priority, task.weight.value_or(1)});
  }
  if (spec.driver.xsched.has_weights()) {
    parameters.round = std::max<Cycle>(1, Clock(spec.gpu.clock_hz).cycles_in(spec.driver.xsched.round));
  }
  return parameters;
}

Xsched::Xsched(const XschedParameters& parameters, IXschedObserver& observer)
    : observer_(observer),
      is_ready_(parameters.tasks.size()),
      is_asked_(parameters.tasks.size()),
      is_suspended_(parameters.tasks.size()) {
  std::vector<std::uint32_t> weights;
  for (const XschedTask& task : parameters.tasks) {
    tasks_.emplace_back(task.threshold, task.batch);
    priorities_.push_back(task.priority);
    weights.push_back(task.weight);
  }
  if (parameters.round > 0) turns_.emplace(weights, parameters.round);
}

void Xsched::dispatch(Cycle now) {
  // 1. Who has work.
  note_readiness();
  // 2. Who must not go on: those stop before others begin.
  const std::vector<bool> stopped = stopped_by_policy(now);
  for (const bool stops : {true, false}) {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if ((stopped[i] || is_asked_[i]) != stops || is_suspended_[i] == stops) continue;
      is_suspended_[i] = stops;
      stops ? observer_.on_suspended(TaskId(i)) : observer_.on_resumed(TaskId(i));
    }
  }
  // 3. The others' launches, as far as their thresholds let them.
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    while (!is_suspended_[i] && tasks_[i].may_hand_over()) {
      tasks_[i].hand_over();
      observer_.on_handed_over(TaskId(i));
    }
  }
}

void Xsched::note_readiness() {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (is_ready_[i] != tasks_[i].is_idle()) continue;
    is_ready_[i] = !is_ready_[i];
    is_ready_[i] ? observer_.on_ready(TaskId(i)) : observer_.on_idle(TaskId(i));
  }
}

std::vector<bool> Xsched::stopped_by_policy(Cycle now) {
  std::vector<bool> stopped(tasks_.size());
  if (turns_) {
    // Where nobody is ready nobody has the turn, and who was suspended stays so until he is.
    const std::optional<TaskId> owner = turns_->choose(now, is_ready_);
    for (std::size_t i = 0; i < stopped.size(); ++i) stopped[i] = owner ? TaskId(i) != *owner : bool{is_suspended_[i]};
    return stopped;
  }
  const int highest = highest_ready(priorities_, is_ready_);
  for (std::size_t i = 0; i < stopped.size(); ++i) stopped[i] = static_cast<int>(priorities_[i]) < highest;
  return stopped;
}

}  // namespace tessera::command_scheduling
