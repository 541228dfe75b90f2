// SPDX-License-Identifier: Apache-2.0
// The turn of channels by timelines worked out by hand: the quantum is 100 cycles everywhere.
// A queue has the number of its context times ten, and one more for each other one of that context.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tlm/command_dispatcher/channel_arbiter.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cycle kChannelQuantum = 100;

class ChannelArbiterTest : public testing::Test {
 protected:
  void request(std::uint16_t queue) { arbiter_.request(QueueId(queue), ContextId(queue / 10)); }
  std::vector<std::size_t> grant(Cycle now) {
    std::vector<std::size_t> queues;
    for (const QueueId queue : arbiter_.grant(now)) queues.push_back(index(queue));
    return queues;
  }
  // A command that is alone in flight, of a channel whose turn it is or becomes.
  void run(std::uint16_t queue, Cycle from) {
    request(queue);
    EXPECT_THAT(grant(from), ElementsAre(queue));
    arbiter_.done();
  }

  ChannelArbiter arbiter_{kChannelQuantum};
};

TEST_F(ChannelArbiterTest, TheFirstCommandEverTakesTheTurnAtOnce) {
  request(30);
  EXPECT_THAT(grant(7), ElementsAre(30));
}

TEST_F(ChannelArbiterTest, OfTheFirstOnesThatComeTogetherTheLowestContextIsFirst) {
  request(30);
  request(20);
  request(21);
  EXPECT_THAT(grant(7), ElementsAre(20, 21));
}

TEST_F(ChannelArbiterTest, ATurnLastsItsQuantumThroughGapsWhoeverWaits) {
  run(0, 10);
  request(10);
  EXPECT_THAT(grant(20), IsEmpty());
  run(0, 60);
  run(1, 109);  // in the last cycle of the quantum
  EXPECT_EQ(arbiter_.next_turn(), 110U);
  EXPECT_THAT(grant(110), ElementsAre(10));
}

TEST_F(ChannelArbiterTest, WhoGetsTheTurnHasAQuantumFromThenOn) {
  run(0, 10);
  request(10);
  EXPECT_THAT(grant(130), ElementsAre(10));
  request(0);
  arbiter_.done();
  EXPECT_EQ(arbiter_.next_turn(), 230U);
  EXPECT_THAT(grant(229), IsEmpty());
  EXPECT_THAT(grant(230), ElementsAre(0));
}

TEST_F(ChannelArbiterTest, BeyondItsQuantumATurnLastsUntilAllThatIsInFlightIsDone) {
  request(0);
  request(1);
  EXPECT_THAT(grant(0), ElementsAre(0, 1));
  request(10);
  EXPECT_THAT(grant(100), IsEmpty());
  EXPECT_EQ(arbiter_.next_turn(), std::nullopt);  // by itself it does not pass
  arbiter_.done();
  EXPECT_THAT(grant(400), IsEmpty());
  arbiter_.done();
  EXPECT_THAT(grant(500), ElementsAre(10));
}

TEST_F(ChannelArbiterTest, OverAndWantedATurnIsNotProlongedByAnotherQueueOfItsChannel) {
  request(0);
  EXPECT_THAT(grant(0), ElementsAre(0));
  request(10);
  request(1);
  EXPECT_THAT(grant(150), IsEmpty());
  arbiter_.done();
  EXPECT_THAT(grant(200), ElementsAre(10));
  arbiter_.done();
  EXPECT_EQ(arbiter_.next_turn(), 300U);
  EXPECT_THAT(grant(300), ElementsAre(1));
}

TEST_F(ChannelArbiterTest, TurnsGoRoundByContextNotByWhoCameFirst) {
  run(20, 0);
  request(50);
  request(10);
  request(30);
  EXPECT_THAT(grant(100), ElementsAre(30));  // the next above 2
  arbiter_.done();
  EXPECT_THAT(grant(200), ElementsAre(50));
  arbiter_.done();
  request(40);                               // too late for this round
  EXPECT_THAT(grant(300), ElementsAre(10));  // the lowest: nobody is above 5
  arbiter_.done();
  EXPECT_THAT(grant(400), ElementsAre(40));
}

TEST_F(ChannelArbiterTest, WhereNobodyWaitsTheTurnStaysAndPassesOnAsSoonAsOneComes) {
  run(0, 0);
  run(0, 170);
  EXPECT_EQ(arbiter_.next_turn(), std::nullopt);
  run(1, 950);  // beyond the quantum, and wanted by nobody: at once
  run(10, 951);
}

TEST_F(ChannelArbiterTest, AQuantumIsNotRenewedByTheChannelsOwnCommands) {
  run(0, 0);
  request(0);
  EXPECT_THAT(grant(170), ElementsAre(0));
  request(10);
  EXPECT_THAT(grant(180), IsEmpty());
  arbiter_.done();
  EXPECT_THAT(grant(190), ElementsAre(10));
}

TEST_F(ChannelArbiterTest, AllCommandsThatWaitOfAChannelGoOutWhenItGetsItsTurn) {
  run(0, 0);
  request(12);
  request(20);
  request(10);
  EXPECT_THAT(grant(100), ElementsAre(10, 12));
}

// Engines and looks have no order within a cycle.
TEST_F(ChannelArbiterTest, WhatIsDoneInACycleCountsInItBeforeAndAfterTheRequests) {
  for (const bool is_done_first : {false, true}) {
    ChannelArbiter arbiter(kChannelQuantum);
    std::vector<QueueId> granted;
    const auto ask = [&] {
      for (const QueueId queue : arbiter.grant(100)) granted.push_back(queue);
    };
    arbiter.request(QueueId{0}, ContextId{0});
    arbiter.grant(0);
    if (is_done_first) arbiter.done();
    for (const std::uint16_t queue : {1, 20, 10}) arbiter.request(QueueId(queue), ContextId(queue / 10));
    ask();
    if (!is_done_first) arbiter.done();
    ask();
    EXPECT_THAT(granted, ElementsAre(QueueId{10})) << is_done_first;
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
