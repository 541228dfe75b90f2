// SPDX-License-Identifier: Apache-2.0
// Coverpoints count what they say: short stories, and the points that they meet and do not meet.
#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "rtl_model/policy/policy_register.h"
#include "rtl_model/sm/flushed_handle.h"
#include "testbench/configurations.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench::test {
namespace {

using rtl_model::SmControlKind;
using rtl_model::SmEventKind;

// The model alone on its pins, coverage looking on.
class CoverageTest : public testing::Test {
 protected:
  CoverageTest() : params_(configuration("two_sms").params), board_(params_) {
    model_.reset(params_);
    coverage_.reset(model_);
  }

  void cycle() {
    board_.cycle(in_, model_.outputs());
    coverage_.sample(in_, model_.outputs(), board_);
    model_.cycle(in_);
    in_ = {};
  }
  void cycles(unsigned count) {
    while (count-- > 0) cycle();
  }
  void launch(std::uint32_t buffer) { in_.command = {true, buffer, buffer, 0, 1, 1, 100 + buffer}; }
  void event(std::uint32_t sm, SmEventKind kind) { in_.sm_event = {true, sm, kind, board_.sm(sm).tag}; }
  std::uint64_t hits(const std::string& name) const {
    const auto hits = coverage_.points().hits();
    const auto point = hits.find(name);
    EXPECT_NE(point, hits.end()) << name;
    return point == hits.end() ? 0 : point->second;
  }

  // A cycle in which SMs answer set-ups at once, one after the other.
  void answering_cycle() {
    const rtl_model::SchedulerOutputs& out = model_.outputs();
    if (out.sm_control.valid && out.sm_control.kind == SmControlKind::kSetup) sets_up_.push_back(out.sm_control.sm);
    if (!sets_up_.empty() && out.sm_event_ready) {
      event(sets_up_.back(), SmEventKind::kSetupDone);
      sets_up_.pop_back();
    }
    cycle();
  }

  rtl_model::Params params_;
  Scoreboard board_;
  ModelCore model_;
  CoreCoverage coverage_;
  rtl_model::SchedulerInputs in_;
  std::vector<std::uint32_t> sets_up_;
};

TEST_F(CoverageTest, BuffersAreFullInTheCyclesInWhichTheyAre) {
  for (std::uint32_t buffer = 0; buffer < params_.num_command_buffers; ++buffer) {
    launch(buffer);
    cycle();
  }
  EXPECT_EQ(hits("buffers.full"), 0U);
  cycle();
  EXPECT_EQ(hits("buffers.full"), 1U);
}

TEST_F(CoverageTest, AResetCountsForTheStateItFinds) {
  launch(0);
  cycles(3);  // idle, begin, scan
  coverage_.sample_reset();
  EXPECT_EQ(hits("reset.scan"), 1U);
  EXPECT_EQ(hits("reset.walk"), 0U);
}

TEST_F(CoverageTest, AJobCountsWhenItIsOver) {
  launch(0);
  while (!model_.outputs().usage.valid) {  // SMs are shown before
    EXPECT_EQ(hits("assign.done"), 0U);
    cycle();
  }
  cycle();
  EXPECT_EQ(hits("burst.one"), 1U);
  EXPECT_EQ(hits("assign.done"), 1U);
  while (!model_.outputs().sm_control.valid) cycle();
  event(0, SmEventKind::kSetupDone);
  while (!model_.outputs().sm_event_ready) {
    cycle();
    event(0, SmEventKind::kSetupDone);
  }
  EXPECT_EQ(hits("set_up_done.active"), 0U);
  while (!model_.outputs().dispatch.valid) cycle();
  EXPECT_EQ(hits("set_up_done.active"), 1U);
}

TEST_F(CoverageTest, AnAnswerIsStaleByItsTag) {
  launch(0);
  while (!model_.outputs().sm_control.valid) cycle();
  cycle();
  while (!model_.outputs().sm_event_ready) cycle();
  in_.sm_event = {true, 0, SmEventKind::kSetupDone, 0};  // the set-up has 1
  cycle();
  EXPECT_EQ(hits("link.stale"), 1U);
}

TEST_F(CoverageTest, EverythingMayComeInOneCycle) {
  launch(0);
  while (!model_.outputs().sm_control.valid) cycle();
  while (!model_.outputs().sm_event_ready || !model_.outputs().control_ready) cycle();
  launch(1);
  in_.control = {true, rtl_model::ControlRegister::kPriority, 0, 3};
  in_.handle = {true, 0, 0, 700};
  event(0, SmEventKind::kSetupDone);
  EXPECT_EQ(hits("inputs.all_at_once"), 0U);
  cycle();
  EXPECT_EQ(hits("inputs.all_at_once"), 1U);
}

TEST_F(CoverageTest, AFlushIsKnownByTheHandlesThatItGivesBack) {
  rtl_model::PolicyRegister policy;
  policy.code = 2;       // ppq
  policy.technique = 2;  // flush
  in_.control = {true, rtl_model::ControlRegister::kPolicy, 0, policy.data()};
  cycle();
  in_.command = {true, 0, 0, 0, 8, 2, 100};  // takes all SMs
  for (unsigned i = 0; i < 200; ++i) answering_cycle();
  in_.command = {true, 1, 1, 1, 1, 2, 101};  // is more urgent
  cycle();
  while (!model_.outputs().sm_control.valid) cycle();
  const std::uint32_t sm = model_.outputs().sm_control.sm;
  EXPECT_EQ(hits("trap.flush"), 0U);
  cycle();
  EXPECT_EQ(hits("trap.flush"), 1U);
  in_.handle = {true, sm, 0, rtl_model::flushed_stack_pointer(1)};
  cycle();
  in_.handle = {true, sm, 1, 700};
  cycle();
  while (!model_.outputs().sm_event_ready) cycle();
  event(sm, SmEventKind::kPreempted);
  EXPECT_EQ(hits("flush.handed_both"), 0U);
  cycle();
  EXPECT_EQ(hits("flush.handed_both"), 1U);
  EXPECT_EQ(hits("flush.handed"), 0U);
  EXPECT_EQ(hits("flush.nothing_left"), 0U);
}

TEST_F(CoverageTest, PointsHaveANameOfTheirOwnAndALine) {
  std::set<std::string> names;
  for (const Coverage::Point& point : coverage_.points().points()) {
    EXPECT_TRUE(names.insert(point.name).second) << point.name;
    EXPECT_FALSE(point.description.empty()) << point.name;
  }
  EXPECT_GT(names.size(), 200U);
}

}  // namespace
}  // namespace tessera::testbench::test
