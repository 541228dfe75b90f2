// SPDX-License-Identifier: Apache-2.0
// The scoreboard knows nothing but pins: here they are made up, right ones first, then one that breaks a rule.
#include <gmock/gmock.h>

#include <array>

#include "testbench/configurations.h"
#include "testbench/scoreboard.h"

namespace tessera::testbench::test {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here
using testing::HasSubstr;
using testing::IsEmpty;

// A machine of two SMs, two slots each, and three command buffers.
class ScoreboardTest : public testing::Test {
 protected:
  explicit ScoreboardTest(bool has_refill_lane = false) : board_(params(has_refill_lane)) { begin(); }

  void cycle() {
    board_.cycle(in_, out_);
    begin();
  }
  // Cycles in which a kernel of so many TBs becomes active, as KSR 0.
  void activate(std::uint32_t num_tbs, std::uint32_t tbs_per_sm = 2, std::uint32_t ksr = 0) {
    in_.command = {true, 0, 1, 0, num_tbs, tbs_per_sm, kDescriptor + ksr};
    cycle();
    out_.buffer_free.clear(0);
    cycle();
    out_.events.activated = true;
    out_.events.ksr = ksr;
    cycle();
  }
  // The SM is assigned to the KSR of its number and set up.
  void set_up(std::uint32_t sm = 0) {
    out_.events.moved = true;
    out_.events.sm = out_.events.ksr = sm;
    cycle();  // it is sent
    send_set_up(sm);
    cycle();
    event(SmEventKind::kSetupDone, sm);
    cycle();
  }
  void send_set_up(std::uint32_t sm = 0) {
    tags_[sm] = (tags_[sm] + 1) % 2;
    out_.sm_control = {true, sm, SmControlKind::kSetup, 1, 0, kDescriptor + sm, tags_[sm]};
  }
  void issue(std::uint32_t tb, std::uint32_t sm = 0) { out_.dispatch = {true, sm, false, false, tb, 0}; }
  void event(SmEventKind kind, std::uint32_t sm = 0) { in_.sm_event = {true, sm, kind, tags_[sm]}; }

  static constexpr std::uint64_t kDescriptor = 0xABCD;
  Scoreboard board_;
  SchedulerInputs in_;
  SchedulerOutputs out_;
  std::array<std::uint32_t, 2> tags_{};  // of the last set-ups

 private:
  static Params params(bool has_refill_lane) {
    Params params = configuration("two_sms").params;
    params.has_refill_lane = has_refill_lane;
    return params;
  }
  void begin() {
    in_ = {};
    out_ = {};
    for (std::uint32_t buffer = 0; buffer < 3; ++buffer) out_.buffer_free.set(buffer);
    out_.sm_event_ready = true;
    out_.idle = false;
  }
};

TEST_F(ScoreboardTest, AKernelFromCommandToDoneBreaksNoRule) {
  activate(2);
  set_up();
  issue(0);
  cycle();
  issue(1);
  event(SmEventKind::kTbDone);
  cycle();
  event(SmEventKind::kTbDone);
  cycle();
  out_.kernel_done = {true, kDescriptor};
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  EXPECT_FALSE(board_.has_work());
}

TEST_F(ScoreboardTest, ATbForAnSmThatIsNotSetUp) {
  activate(2);
  issue(0);
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("only an SM that is set up"));
}

TEST_F(ScoreboardTest, ATbIssuedTwice) {
  activate(3);
  set_up();
  issue(0);
  cycle();
  issue(0);
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("each once"));
}

TEST_F(ScoreboardTest, OneTbTooManyOnAnSm) {
  activate(3, 1);
  set_up();
  issue(0);
  cycle();
  issue(1);
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("tbs_per_sm"));
}

TEST_F(ScoreboardTest, AKernelThatIsDoneTooEarly) {
  activate(2);
  set_up();
  issue(0);
  cycle();
  event(SmEventKind::kTbDone);
  cycle();
  out_.kernel_done = {true, kDescriptor};
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("kernel_done follows"));
}

TEST_F(ScoreboardTest, ACommandActivatedTwice) {
  activate(1);
  out_.events.activated = true;
  out_.events.ksr = 1;
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("a command that waits"));
}

TEST_F(ScoreboardTest, ASetUpWithAnOldPageTable) {
  activate(1);
  in_.control = {true, ControlRegister::kPageTable, 1, 77};
  cycle();
  cycle();
  set_up();
  EXPECT_THAT(board_.violation(), HasSubstr("page table"));
}

// What is on the pins was sent in the cycle before: by the tables of then.
TEST_F(ScoreboardTest, ASetUpThatWasSentAsThePageTableWasWritten) {
  activate(1);
  out_.events.moved = true;
  in_.control = {true, ControlRegister::kPageTable, 1, 77};
  cycle();
  send_set_up();
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
}

TEST_F(ScoreboardTest, ASetUpInTheCycleOfItsMoveIsTooEarly) {
  activate(1);
  out_.events.moved = true;
  send_set_up();
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("when it has changed hands"));
}

TEST_F(ScoreboardTest, ATrapThatWasSentAsTheLastTbWasDone) {
  activate(2, 1);
  set_up();
  issue(0);
  cycle();
  out_.events.moved = true;
  out_.events.move = MoveKind::kReserve;
  event(SmEventKind::kTbDone);
  cycle();
  out_.sm_control = {true, 0, SmControlKind::kTrap, 0, 0, 0};
  out_.events.preempted = true;
  out_.events.ksr = 0;
  cycle();
  send_set_up();
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
}

TEST_F(ScoreboardTest, HandlesThatComeBackInAnotherOrder) {
  activate(3);
  set_up();
  issue(0);
  cycle();
  issue(1);
  cycle();
  out_.events.moved = true;
  out_.events.move = MoveKind::kReserve;
  cycle();
  out_.sm_control = {true, 0, SmControlKind::kTrap, 0, 0, 0};
  cycle();
  for (const std::uint32_t tb : {0U, 1U}) {
    in_.handle = {true, 0, tb, 100 + tb};
    cycle();
  }
  event(SmEventKind::kPreempted);
  cycle();
  out_.events.preempted = true;
  out_.events.ksr = 0;
  cycle();
  send_set_up();
  cycle();
  event(SmEventKind::kSetupDone);
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  out_.dispatch = {true, 0, true, false, 1, 101};
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("first in, first out"));
}

// ---- a refill lane -------------------------------------------------------------------------------------------

class LaneScoreboardTest : public ScoreboardTest {
 protected:
  LaneScoreboardTest() : ScoreboardTest(true) {}
  void send_set_up_beside_a_tb() {
    activate(2);
    activate(1, 2, 1);
    set_up();
    out_.events.moved = true;
    out_.events.sm = out_.events.ksr = 1;
    cycle();
    send_set_up(1);
    issue(0);
    cycle();
  }
};
class NoLaneScoreboardTest : public LaneScoreboardTest {
 protected:
  NoLaneScoreboardTest() { board_ = Scoreboard(configuration("two_sms").params); }
};

TEST_F(LaneScoreboardTest, ASetUpMayGoBesideATbOfAnotherSm) {
  send_set_up_beside_a_tb();
  EXPECT_THAT(board_.violation(), IsEmpty());
}

TEST_F(NoLaneScoreboardTest, ASetUpBesideATbOfAnotherSm) {
  send_set_up_beside_a_tb();
  EXPECT_THAT(board_.violation(), HasSubstr("one at a time"));
}

TEST_F(LaneScoreboardTest, TwoKernelsMayEndBeforeTheFirstIsDone) {
  for (const std::uint32_t sm : {0U, 1U}) {
    activate(1, 2, sm);
    set_up(sm);
    issue(0, sm);
    cycle();
  }
  for (const std::uint32_t sm : {1U, 0U}) {
    event(SmEventKind::kTbDone, sm);
    cycle();
    EXPECT_EQ(board_.finishing_context(), 1U);
  }
  cycle();
  EXPECT_EQ(board_.finishing_context(), std::nullopt);
  out_.kernel_done = {true, kDescriptor + 1};
  cycle();
  out_.kernel_done = {true, kDescriptor};
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  EXPECT_FALSE(board_.has_work());
}

// SM 1's save is over, and its event in the lane behind one that SM 0 gets a TB for.
TEST_F(LaneScoreboardTest, AFreshTbMayGoUntilTheSaveBeforeItCounts) {
  activate(4, 1);
  activate(1, 1, 1);
  set_up();
  out_.events.moved = true;
  out_.events.sm = 1;
  cycle();
  tags_[1] = 1;
  out_.sm_control = {true, 1, SmControlKind::kSetup, 1, 0, kDescriptor, 1};
  cycle();
  event(SmEventKind::kSetupDone, 1);
  cycle();
  issue(0, 1);
  cycle();
  out_.events.moved = true;
  out_.events.move = MoveKind::kReserve;
  out_.events.sm = out_.events.ksr = 1;
  cycle();
  out_.sm_control = {true, 1, SmControlKind::kTrap, 0, 0, 0};
  cycle();
  in_.handle = {true, 1, 0, 100};
  cycle();
  event(SmEventKind::kPreempted, 1);
  cycle();
  issue(1);
  cycle();
  out_.events.preempted = true;
  out_.events.sm = out_.events.ksr = 1;
  event(SmEventKind::kTbDone);
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  issue(2);
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("preempted TBs go before"));
}

// ---- links ---------------------------------------------------------------------------------------------------

TEST_F(ScoreboardTest, ASetUpWhoseTagIsNotTheNext) {
  activate(1);
  out_.events.moved = true;
  cycle();
  send_set_up();
  out_.sm_control.tag = 0;
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("the next tag"));
}

// A kernel is over elsewhere while its set-up is on the way, and the SM is assigned again.
TEST_F(ScoreboardTest, AnAnswerToAnEarlierSetUpMakesNoSmReady) {
  activate(2);
  out_.events.moved = true;
  cycle();
  send_set_up();
  cycle();
  out_.events.released = true;
  cycle();
  out_.events.moved = true;
  cycle();
  send_set_up();
  cycle();
  in_.sm_event = {true, 0, SmEventKind::kSetupDone, 1};  // the first one's
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  issue(0);
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("only an SM that is set up"));
}

TEST_F(ScoreboardTest, MoreSetUpsOnTheWayThanThereAreTags) {
  activate(2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(board_.violation(), IsEmpty());
    out_.events.moved = true;
    cycle();
    send_set_up();
    cycle();
    out_.events.released = true;
    cycle();
  }
  EXPECT_THAT(board_.violation(), HasSubstr("than there are tags"));
}

// A link that does not keep its order.
TEST_F(ScoreboardTest, AHandleBehindItsPreempted) {
  activate(3);
  set_up();
  issue(0);
  cycle();
  out_.events.moved = true;
  out_.events.move = MoveKind::kReserve;
  cycle();
  out_.sm_control = {true, 0, SmControlKind::kTrap, 0, 0, 0};
  cycle();
  event(SmEventKind::kPreempted);
  cycle();
  out_.events.preempted = true;
  out_.events.ksr = 0;
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("only an SM without TBs is handed over"));
}

TEST_F(ScoreboardTest, AnIdleCoreThatMoves) {
  out_.idle = true;
  cycle();
  out_.idle = true;
  cycle();
  EXPECT_THAT(board_.violation(), IsEmpty());
  out_.slice_timer_enable = true;
  cycle();
  EXPECT_THAT(board_.violation(), HasSubstr("an idle core"));
}

}  // namespace
}  // namespace tessera::testbench::test
