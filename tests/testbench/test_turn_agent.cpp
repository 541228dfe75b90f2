// SPDX-License-Identifier: Apache-2.0
// Who waits and who is listed, by themselves.
#include <gtest/gtest.h>

#include "testbench/agents/turn_agent.h"
#include "testbench/configurations.h"

namespace tessera::testbench::test {
namespace {

// An episode ends where nothing more can happen: what nobody can see is no activity.
TEST(TurnAgent, AContextWithACommandToComeHasNothingToSayOfWhetherItWaits) {
  const Configuration sizes = configuration("one_of_all");
  Profile profile = draw_profile(sizes.params, sizes.policies, 1);
  profile.turn.waits = profile.turn.dry = {1, 100};
  profile.turn.listed = profile.turn.unlisted = {kNever / 2, kNever / 2};
  profile.turn.switch_cycles = {1, 4};
  profile.turn.has_stray_overs = false;
  for (const bool has_command : {false, true}) {
    TurnAgent agent(profile, 1);
    rtl_model::SmSet with_command;
    with_command.set(0, has_command);
    rtl_model::SchedulerInputs in;
    agent.drive(0, {}, with_command, in);
    EXPECT_EQ(agent.next_activity(in) >= kNever / 2, has_command);
  }
}

}  // namespace
}  // namespace tessera::testbench::test
