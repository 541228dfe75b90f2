// SPDX-License-Identifier: Apache-2.0
// The ledger of kept turns finds the faults that it is there for.
#include <gtest/gtest.h>

#include "tests/ip/turn_ledger.h"

namespace tessera::ip::test {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): the pins' types

// Two contexts. Slices of 100 and 50, of which a switch of 20 or, if nothing ran, of 10 has 5.
class TurnLedgers : public ::testing::Test {
 protected:
  TurnLedgers() { ledger_.begin(true, TurnLedger::Timers{{100, 50}, 20, 10, 5}); }

  void cycles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      ledger_.cycle(out_);
      out_.events.turn_passed = out_.events.turn_began = out_.switch_start = out_.kernel_done.valid = false;
      out_.sm_control.valid = false;
    }
  }
  void own(std::uint32_t context) {
    out_.turn = context;
    out_.events.turn_began = true;
  }
  void pass(TurnCause cause) {
    out_.events.turn_passed = true;
    out_.events.turn_cause = cause;
    cycles(1);
  }
  void switch_to(std::uint32_t context, bool runs, unsigned cost) {
    out_.turn = context;
    out_.switch_start = true;
    out_.switch_runs = runs;
    cycles(cost + 1);
    own(context);
    cycles(1);
  }
  void set_up(std::uint32_t context) {
    out_.sm_control = {true, 0, SmControlKind::kSetup, context, 0, 0, 0};
    cycles(1);
  }
  bool is_broken() const { return !ledger_.violation().empty(); }

  TurnLedger ledger_{2};
  SchedulerOutputs out_;
};

TEST_F(TurnLedgers, TurnsThatKeepTheRulesAreFine) {
  own(0);
  cycles(96);
  set_up(0);
  pass(TurnCause::kSliceOver);
  switch_to(1, true, 20);
  set_up(1);
  pass(TurnCause::kDry);
  switch_to(0, false, 10);
  EXPECT_EQ(ledger_.violation(), "");
  EXPECT_EQ(ledger_.num_switches(), 2U);
}

TEST_F(TurnLedgers, FindASetUpOutOfTurn) {
  own(0);
  cycles(1);
  set_up(1);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, FindASetUpWithinASwitch) {
  own(0);
  cycles(1);
  out_.turn = 1;
  out_.switch_start = true;
  cycles(3);
  set_up(1);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, FindATurnThatPassesAsDryWhileALaunchIsNotDone) {
  own(0);
  cycles(1);
  ledger_.launch(7, 0);
  cycles(10);
  pass(TurnCause::kDry);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, TakeALaunchThatIsDoneForDry) {
  own(0);
  cycles(1);
  ledger_.launch(7, 0);
  cycles(10);
  out_.kernel_done = {true, 7};
  cycles(1);
  pass(TurnCause::kDry);
  EXPECT_FALSE(is_broken());
}

TEST_F(TurnLedgers, FindATurnThatPassesAsDryWhileItsContextWaits) {
  own(0);
  ledger_.set_waiting(0, true);
  cycles(10);
  pass(TurnCause::kDry);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, LetAContextPassThatIsOffTheRunList) {
  own(0);
  ledger_.set_waiting(0, true);
  ledger_.set_listed(0, false);
  cycles(10);
  pass(TurnCause::kDry);
  EXPECT_FALSE(is_broken());
}

TEST_F(TurnLedgers, FindASliceThatIsTooShort) {
  own(0);
  cycles(90);
  pass(TurnCause::kSliceOver);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, FindASwitchThatTakesTheOtherCost) {
  own(0);
  cycles(1);
  pass(TurnCause::kDry);
  switch_to(1, false, 20);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, FindATurnOfAnotherContextWithoutASwitch) {
  own(0);
  cycles(1);
  own(1);
  cycles(1);
  EXPECT_TRUE(is_broken());
}

TEST_F(TurnLedgers, FindASwitchToTheSameContext) {
  own(0);
  cycles(1);
  switch_to(0, false, 10);
  EXPECT_TRUE(is_broken());
}

}  // namespace
}  // namespace tessera::ip::test
