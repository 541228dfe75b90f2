// SPDX-License-Identifier: Apache-2.0
// TimeGraph's core driven event by event: each is followed by a decision.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "model/command_scheduling/timegraph.h"

namespace tessera::command_scheduling::test {

class TimeGraphByHand : public ITimeGraphObserver {
 public:
  explicit TimeGraphByHand(const TimeGraphParameters& parameters = {}) : core(parameters, this) {}

  // The tasks that are submitted now.
  std::vector<TaskId> dispatch(Cycle now) {
    std::vector<TaskId> tasks;
    for (const auto& each : core.dispatch(now)) {
      tasks.push_back(each.task);
      last_group = each.group;
    }
    return tasks;
  }
  std::vector<TaskId> arrive(Cycle now, TaskId task, std::uint8_t engines = kComputeEngine, const GroupKey& key = {1}) {
    core.arrive(now, task, key, engines);
    return dispatch(now);
  }
  std::vector<TaskId> complete(Cycle now, GroupId group) {
    core.complete(now, group);
    return dispatch(now);
  }
  // Alone on the GPU.
  void run(Cycle begin, Cycle end, TaskId task, const GroupKey& key) {
    EXPECT_THAT(arrive(begin, task, kComputeEngine, key), ::testing::ElementsAre(task));
    complete(end, last_group);
  }

  void on_arrived(Cycle, TaskId, GroupId, Cycle predicted) override { predicted_at_arrival = predicted; }
  void on_suspended(Cycle, TaskId, GroupId) override {}
  void on_submitted(Cycle, TaskId, GroupId, Cycle predicted) override { predicted_at_submission = predicted; }
  void on_completed(Cycle, TaskId, GroupId, Cycle all) override { charged = all; }
  void on_replenished(Cycle, ReserveId, std::int64_t) override {}

  TimeGraph core;
  GroupId last_group = 0;  // that was submitted
  Cycle predicted_at_arrival = 0;
  Cycle predicted_at_submission = 0;
  Cycle charged = 0;
};

}  // namespace tessera::command_scheduling::test
