// SPDX-License-Identifier: Apache-2.0
// Situations that random input does not meet in a hundred million cycles, step by step: rtl_model and rtl in lockstep,
// and the coverpoint that names the situation.
#include <gmock/gmock.h>

#include <algorithm>

#include "cosim/compare.h"
#include "cosim/core_library.h"
#include "testbench/configurations.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench::test {
namespace {

using rtl_model::ControlRegister;
using rtl_model::SmEventKind;
using rtl_model::SmState;

rtl_model::Params urgent_first(rtl_model::Params params) {
  params.scheduler.policy = spec::PolicyKind::kPpq;
  params.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  params.scheduler.access = spec::Access::kShared;
  params.activation_cycles = params.search_step_cycles = 1;
  return params;
}

class Directed : public testing::Test {
 protected:
  // Six SMs of four slots, a walk of one cycle, rings of four handles.
  Directed()
      : params_(urgent_first(configuration("tight").params)),
        board_(params_),
        verilog_(cosim::make_core(cosim::BuildRequest(cosim::Elaboration(params_)))) {
    model_.reset(params_);
    coverage_.reset(model_);
    verilog_->reset(cosim::straps_of(params_));
  }

  // ---- inputs of this cycle
  void launch(std::uint32_t context, std::uint32_t priority, std::uint32_t num_tbs, std::uint32_t tbs_per_sm) {
    in_.command = {
        true, num_launched_ % params_.num_command_buffers, context, priority, num_tbs, tbs_per_sm, 100 + num_launched_};
    ++num_launched_;
  }
  void event(std::uint32_t sm, SmEventKind kind) { in_.sm_event = {true, sm, kind}; }
  void write_priority(std::uint32_t context, std::uint64_t priority) {
    in_.control = {true, ControlRegister::kPriority, context, priority};
  }

  // ---- cycles
  void cycle() {
    const auto difference = cosim::first_difference(model_.outputs(), verilog_->outputs());
    ASSERT_FALSE(difference) << difference->signal;
    if (in_.sm_event.valid) {
      ASSERT_TRUE(model_.outputs().sm_event_ready);
    }
    const rtl_model::SmControlPins control = model_.outputs().sm_control;
    if (control.valid && control.kind == rtl_model::SmControlKind::kSetup) {
      // One set-up done of an SM that is set up anew meanwhile.
      set_up_sent_.erase(std::remove(set_up_sent_.begin(), set_up_sent_.end(), control.sm), set_up_sent_.end());
      set_up_sent_.push_back(control.sm);
    }
    board_.cycle(in_, model_.outputs());
    coverage_.sample(in_, model_.outputs(), board_);
    model_.cycle(in_);
    verilog_->cycle(in_);
    in_ = {};
  }
  void take(std::uint32_t sm, SmEventKind kind, unsigned times = 1) {
    while (times-- > 0) {
      while (!model_.outputs().sm_event_ready) cycle();
      event(sm, kind);
      cycle();
    }
  }
  // Until nothing goes on; set-ups are done at once.
  void settle() {
    for (unsigned quiet = 0; quiet < 2; ++quiet) {
      if (!set_up_sent_.empty()) {
        const std::uint32_t sm = set_up_sent_.front();
        set_up_sent_.erase(set_up_sent_.begin());
        take(sm, SmEventKind::kSetupDone);
        quiet = 0;
      }
      if (!model_.outputs().idle) quiet = 0;
      cycle();
    }
  }
  // The SM was trapped; these TBs go into the ring.
  void save(std::uint32_t sm, const std::vector<std::uint32_t>& tbs) {
    for (const std::uint32_t tb : tbs) {
      in_.handle = {true, sm, tb, 700 + tb};
      cycle();
    }
    take(sm, SmEventKind::kPreempted);
    settle();
  }
  void launch_and_settle(std::uint32_t context, std::uint32_t priority, std::uint32_t num_tbs,
                         std::uint32_t tbs_per_sm) {
    launch(context, priority, num_tbs, tbs_per_sm);
    cycle();
    settle();
  }

  // Up to the cycle before SM 2, trapped with one TB, goes to kernel `heir` (context 1), which has one TB left to issue
  // and then has it sent to SM 5. The room that the trapped TB frees lets the trap of SM 1 go out in the next cycle, so
  // that the set-up of SM 2 has to wait; and a kernel of context 3 has just become urgent.
  void set_the_scene();

  std::uint64_t hits(const std::string& point) const { return coverage_.points().hits().at(point); }
  rtl_model::CoreSnapshot registers() {
    rtl_model::CoreSnapshot snapshot;
    verilog_->read(snapshot);
    return snapshot;
  }

  rtl_model::Params params_;
  Scoreboard board_;
  ModelCore model_;
  CoreCoverage coverage_;
  std::unique_ptr<cosim::IVerilatedCore> verilog_;
  rtl_model::SchedulerInputs in_;
  std::uint32_t num_launched_ = 0;
  std::vector<std::uint32_t> set_up_sent_;
};

void Directed::set_the_scene() {
  // 1. Who is where: the victim on SMs 0 to 2, a filler on 3 and 4, the heir on 5 with three TBs more.
  launch_and_settle(0, 2, 12, 4);
  launch_and_settle(2, 4, 2, 1);
  launch_and_settle(1, 2, 4, 1);
  // 2. Three TBs of the victim go into its ring of four.
  take(0, SmEventKind::kTbDone);
  launch_and_settle(2, 4, 1, 1);
  save(0, {1, 2, 3});
  // 3. SM 1 is reserved for one more, SM 2 for the heir; their traps wait for room.
  launch_and_settle(2, 4, 1, 1);
  write_priority(1, 3);
  cycle();
  settle();
  // 4. SM 2 is trapped with one TB. Now the ring has no room for the one of SM 1.
  take(2, SmEventKind::kTbDone, 3);
  settle();
  take(1, SmEventKind::kTbDone, 3);
  settle();
  launch_and_settle(3, 0, 1, 1);
  // 5. The heir has one TB left to issue; the slot for it is free from the next cycle on.
  take(5, SmEventKind::kTbDone);
  settle();
  take(5, SmEventKind::kTbDone);
  settle();
  write_priority(3, 15);
  event(5, SmEventKind::kTbDone);
  cycle();
}

TEST_F(Directed, AnSmThatIsReservedWhileItsSetUpWaitsIsSetUpAllTheSame) {
  set_the_scene();
  event(2, SmEventKind::kTbDone);
  cycle();  // SM 2 goes to the heir, whose last TB is sent to SM 5
  cycle();  // the trap of SM 1 is sent; SM 2 is reserved for the urgent kernel
  EXPECT_EQ(hits("set_up.reserved"), 0U);
  cycle();
  EXPECT_EQ(hits("set_up.reserved"), 1U);
  cycle();  // it is on the pins
  take(2, SmEventKind::kSetupDone);
  EXPECT_EQ(registers().smst[2].state, static_cast<std::uint32_t>(SmState::kRunning));
  settle();
}

TEST_F(Directed, AnSmThatIsReservedAndNotSetUpGoesOnWhenItsKernelFinishes) {
  set_the_scene();
  event(2, SmEventKind::kTbDone);
  cycle();
  cycle();
  event(5, SmEventKind::kTbDone);  // the heir's last TB, in the cycle in which the set-up of SM 2 would be sent
  cycle();
  EXPECT_EQ(hits("finish.reserved_set_up_withheld"), 1U);
  cycle();
  EXPECT_EQ(hits("sm.reserved_in_set_up_to_draining"), 1U);
  for (unsigned i = 0; i < 5; ++i)
    cycle();  // so that the set-up of the heir is forgotten for that of the urgent kernel
  settle();
  EXPECT_EQ(registers().smst[2].state, static_cast<std::uint32_t>(SmState::kRunning));
  EXPECT_EQ(registers().smst[2].ksr, 5U);  // the sixth kernel
}

TEST_F(Directed, AKernelMayFinishInTheCycleInWhichASetUpForItWouldBeSent) {
  // 1. A filler on SMs 0 to 3, the victim's only TB on SM 4, the heir on SM 5.
  launch_and_settle(2, 4, 4, 1);
  launch_and_settle(0, 2, 1, 1);
  launch_and_settle(1, 2, 4, 1);
  // 2. SM 4 is reserved for the heir and trapped; the heir is left with one TB to issue.
  write_priority(1, 3);
  cycle();
  settle();
  take(5, SmEventKind::kTbDone);
  settle();
  take(5, SmEventKind::kTbDone);
  settle();
  // 3. Its last TB goes to SM 5 in the cycle in which SM 4 is handed over to it, and ends in the next.
  take(5, SmEventKind::kTbDone);
  take(4, SmEventKind::kTbDone);
  EXPECT_EQ(hits("finish.set_up_withheld"), 0U);
  take(5, SmEventKind::kTbDone);
  EXPECT_EQ(hits("finish.set_up_withheld"), 1U);
  settle();
  EXPECT_EQ(registers().smst[4].state, static_cast<std::uint32_t>(SmState::kIdle));
}

// What `tessera prove` found (docs/formal.md): SM 0 still owes the restore done of a kernel that has finished, when it
// is assigned, and reserved before its set-up is sent.
TEST_F(Directed, ALateRestoreDoneMakesNoTrapForAnSmThatIsNotSetUp) {
  // 1. A TB goes from SM 0 into the ring, and is on its way back.
  launch_and_settle(3, 2, 1, 1);
  launch_and_settle(0, 2, 20, 4);  // on all other SMs
  launch_and_settle(2, 4, 1, 1);
  save(0, {0});
  take(0, SmEventKind::kTbDone);
  settle();
  write_priority(3, 3);
  cycle();
  // 2. The ring of the kernel on SMs 1 to 5 is full, so that four traps wait, each for the room of one TB.
  launch_and_settle(2, 4, 1, 1);
  save(1, {0, 1, 2, 3});
  launch_and_settle(2, 4, 4, 1);
  for (std::uint32_t sm = 2; sm < 6; ++sm) take(sm, SmEventKind::kTbDone, 3);
  settle();
  // 3. SM 1 will read the ring, a handle a cycle, and so let a trap a cycle go.
  take(1, SmEventKind::kTbDone);
  while (set_up_sent_.empty()) cycle();
  set_up_sent_.clear();
  // 4. Two kernels wait for an SM. That of context 1 gets SM 0, as the restored TB is done.
  launch_and_settle(1, 2, 1, 1);
  launch_and_settle(3, 1, 1, 1);
  take(1, SmEventKind::kSetupDone);
  take(0, SmEventKind::kTbDone);
  cycle();
  EXPECT_EQ(registers().smst[0].ksr, 2U);
  // 5. The other one takes it away, while traps keep its set-up waiting.
  write_priority(1, 0);
  cycle();
  cycle();
  cycle();
  EXPECT_EQ(registers().smst[0].state, static_cast<std::uint32_t>(SmState::kReserved));
  EXPECT_EQ(hits("set_up.reserved"), 0U);
  event(0, SmEventKind::kRestoreDone);
  cycle();
  EXPECT_EQ(hits("set_up.reserved"), 1U);
  for (unsigned i = 0; i < 10; ++i) {
    const rtl_model::SmControlPins control = model_.outputs().sm_control;
    EXPECT_FALSE(control.valid && control.sm == 0 && control.kind == rtl_model::SmControlKind::kTrap);
    cycle();
  }
  take(0, SmEventKind::kSetupDone);
  EXPECT_EQ(registers().smst[0].state, static_cast<std::uint32_t>(SmState::kRunning));
}

TEST_F(Directed, EverythingMayComeInOneCycle) {
  // 1. A filler on SM 0, the victim on SMs 1 to 5, of which SM 1 is trapped for the heir.
  launch_and_settle(1, 2, 1, 1);
  launch_and_settle(0, 2, 20, 4);
  launch_and_settle(2, 4, 1, 1);
  // 2. A handle of its save, a TB done elsewhere, a command, a priority, a tick of a timer that has just been stopped.
  in_.handle = {true, 1, 0, 700};
  launch(3, 1, 1, 1);
  write_priority(0, 3);
  in_.slice_tick = true;
  EXPECT_EQ(hits("meeting.all_inputs"), 0U);
  take(2, SmEventKind::kTbDone);
  EXPECT_EQ(hits("meeting.all_inputs"), 1U);
  save(1, {1, 2, 3});
}

}  // namespace
}  // namespace tessera::testbench::test
