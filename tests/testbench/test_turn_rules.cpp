// SPDX-License-Identifier: Apache-2.0
// What the scoreboard expects of a kept turn: pins are made up, right ones first, then one that breaks a rule.
#include <gmock/gmock.h>

#include "testbench/configurations.h"
#include "testbench/turn_rules.h"

namespace tessera::testbench::test {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here
using testing::HasSubstr;
using testing::IsNull;

class TurnRulesTest : public testing::Test {
 protected:
  static Params keeping() {
    Params params = configuration("two_sms").params;
    params.scheduler.policy = spec::PolicyKind::kTimeSlice;
    params.scheduler.turn = spec::Turn::kKept;
    params.scheduler.switch_scope = spec::SwitchScope::kGpu;
    return params;
  }

  // A cycle: the rule that its pins break.
  const char* cycle(bool are_all_idle = true) {
    const char* const broken = rules_.see(out_, are_all_idle);
    in_.listed = SmSet::of(0) | SmSet::of(1);
    rules_.take(in_, out_, contexts_);
    const std::uint32_t turn = out_.turn;
    in_ = {};
    out_ = {};
    out_.turn = turn;
    return broken;
  }
  // Context 0 has the turn and a kernel.
  void begin() {
    contexts_.with_kernel.set(0);
    cycle();
    out_.events.turn_began = true;
    cycle();
  }
  const char* pass(TurnCause cause) {
    out_.events.turn_passed = true;
    out_.events.turn_cause = cause;
    return cycle();
  }

  TurnRules rules_{keeping()};
  TurnRules::Contexts contexts_;
  SchedulerInputs in_;
  SchedulerOutputs out_;
};

TEST_F(TurnRulesTest, ATurnPassesFromADryOwnerToWhoWaits) {
  begin();
  contexts_.with_kernel = SmSet::of(1);
  EXPECT_THAT(cycle(), IsNull());
  EXPECT_THAT(pass(TurnCause::kDry), IsNull());
}

TEST_F(TurnRulesTest, AnOwnerThatHasWorkIsNotDry) {
  begin();
  contexts_.with_kernel.set(1);
  cycle();
  EXPECT_THAT(pass(TurnCause::kDry), HasSubstr("cause 0"));
}

TEST_F(TurnRulesTest, ADryOwnerPassesItsTurnOnAtOnce) {
  begin();
  contexts_.with_kernel = SmSet::of(1);
  cycle();
  EXPECT_THAT(cycle(), HasSubstr("at once"));
}

TEST_F(TurnRulesTest, ASliceIsOverByATick) {
  begin();
  contexts_.with_kernel.set(1);
  cycle();
  EXPECT_THAT(pass(TurnCause::kSliceOver), HasSubstr("cause 1"));
}

TEST_F(TurnRulesTest, ATickEndsASlice) {
  begin();
  contexts_.with_kernel.set(1);
  in_.slice_tick = true;
  cycle();
  EXPECT_THAT(pass(TurnCause::kSliceOver), IsNull());
}

TEST_F(TurnRulesTest, OnlyKernelsOfTheOwnerGetSms) {
  begin();
  EXPECT_THAT(rules_.see_move(0, false), IsNull());
  EXPECT_THAT(rules_.see_move(1, false), HasSubstr("only kernels of its context"));
}

TEST_F(TurnRulesTest, OneMoveThatWasUnderWayMayFollowThePass) {
  begin();
  contexts_.with_kernel = SmSet::of(1);
  cycle();
  pass(TurnCause::kDry);
  EXPECT_THAT(rules_.see_move(0, false), IsNull());
  EXPECT_THAT(rules_.see_move(0, false), HasSubstr("only kernels of its context"));
}

TEST_F(TurnRulesTest, AnAssignThatWasUnderWayMayGiveMoreThanOneSm) {
  begin();
  contexts_.with_kernel = SmSet::of(1);
  cycle();
  EXPECT_THAT(rules_.see_move(0, false), IsNull());
  pass(TurnCause::kDry);
  EXPECT_THAT(rules_.see_move(0, true), IsNull());
  EXPECT_THAT(rules_.see_move(0, true), IsNull());
  EXPECT_THAT(rules_.see_move(0, false), HasSubstr("only kernels of its context"));
}

TEST_F(TurnRulesTest, ASwitchOfTheGpuBeginsWhenAllSmsAreIdle) {
  begin();
  contexts_.with_kernel = SmSet::of(1);
  cycle();
  pass(TurnCause::kDry);
  out_.switch_start = true;
  EXPECT_THAT(cycle(false), HasSubstr("all SMs are idle"));
}

TEST_F(TurnRulesTest, SmsAreNotEvictedWhileTheTurnHasAnOwner) {
  begin();
  EXPECT_THAT(rules_.see_eviction(), HasSubstr("SMs are evicted"));
}

TEST_F(TurnRulesTest, APolicyWriteLeavesNoPins) {
  begin();
  in_.control = {true, ControlRegister::kPolicy, 0, 0};
  cycle();
  out_.turn = 1;
  EXPECT_THAT(cycle(), HasSubstr("are 0 if it is not kept"));
}

}  // namespace
}  // namespace tessera::testbench::test
