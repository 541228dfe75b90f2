// SPDX-License-Identifier: Apache-2.0
// Claims about lockstep's comparison: each field of each bundle and of each table counts, by its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "cosim/compare.h"

namespace tessera::cosim {
namespace {

using rtl_model::CoreSnapshot;
using rtl_model::EventPins;
using rtl_model::SchedulerOutputs;
using rtl_model::SmControlKind;

// All bundles valid, so that all of their fields count.
SchedulerOutputs busy_outputs() {
  SchedulerOutputs out;
  out.sm_control.valid = out.dispatch.valid = out.kernel_done.valid = out.usage.valid = true;
  return out;
}

CoreSnapshot busy_snapshot() {
  CoreSnapshot snapshot;
  snapshot.command_buffers.resize(3);
  snapshot.command_buffers[2].valid = snapshot.command_buffers[2].has_due = true;
  snapshot.command_ages = {2};
  snapshot.active_queue = {1};
  snapshot.ksrt.resize(2);
  snapshot.ksrt[1].valid = snapshot.ksrt[1].has_due = true;
  snapshot.smst.resize(4);
  snapshot.lingers = true;
  snapshot.contexts.resize(2);
  snapshot.contexts[1].has_budget = true;
  snapshot.ptbq = {{}, {7, 8}};
  return snapshot;
}

// What is changed in one of two that are equal, and the name under which that is reported.
template <typename T>
using Changes = std::vector<std::pair<const char*, std::function<void(T&)>>>;

template <typename T>
void expect_reported(const T& original, const Changes<T>& changes) {
  EXPECT_FALSE(first_difference(original, original));
  for (const auto& [name, change] : changes) {
    T changed = original;
    change(changed);
    const auto difference = first_difference(original, changed);
    ASSERT_TRUE(difference) << name;
    EXPECT_EQ(difference->signal, name);
    EXPECT_NE(difference->left, difference->right) << name;
    const auto reversed = first_difference(changed, original);
    ASSERT_TRUE(reversed) << name;
    EXPECT_EQ(reversed->left, difference->right) << name;
    EXPECT_EQ(reversed->right, difference->left) << name;
  }
}

TEST(CompareOutputs, EveryPinIsReportedByItsName) {
  using O = SchedulerOutputs;
  expect_reported<O>(busy_outputs(),
                     {{"buffer_free[0]", [](O& o) { o.buffer_free.set(0); }},
                      {"buffer_free[255]", [](O& o) { o.buffer_free.set(255); }},
                      {"control_ready", [](O& o) { o.control_ready = false; }},
                      {"slice_timer_enable", [](O& o) { o.slice_timer_enable = true; }},
                      {"linger_start", [](O& o) { o.linger_start = true; }},
                      {"sm_event_ready", [](O& o) { o.sm_event_ready = true; }},
                      {"sm_control.valid", [](O& o) { o.sm_control.valid = false; }},
                      {"sm_control.sm", [](O& o) { o.sm_control.sm = 3; }},
                      {"sm_control.kind", [](O& o) { o.sm_control.kind = SmControlKind::kTrap; }},
                      {"sm_control.context", [](O& o) { o.sm_control.context = 1; }},
                      {"sm_control.page_table", [](O& o) { o.sm_control.page_table = std::uint64_t{1} << 63; }},
                      {"sm_control.descriptor", [](O& o) { o.sm_control.descriptor = std::uint64_t{1} << 39; }},
                      {"dispatch.valid", [](O& o) { o.dispatch.valid = false; }},
                      {"dispatch.sm", [](O& o) { o.dispatch.sm = 3; }},
                      {"dispatch.is_restore", [](O& o) { o.dispatch.is_restore = true; }},
                      {"dispatch.last", [](O& o) { o.dispatch.last = true; }},
                      {"dispatch.tb", [](O& o) { o.dispatch.tb = 9; }},
                      {"dispatch.stack_pointer", [](O& o) { o.dispatch.stack_pointer = 9; }},
                      {"kernel_done.valid", [](O& o) { o.kernel_done.valid = false; }},
                      {"kernel_done.descriptor", [](O& o) { o.kernel_done.descriptor = 5; }},
                      {"usage.valid", [](O& o) { o.usage.valid = false; }},
                      {"usage.context", [](O& o) { o.usage.context = 3; }},
                      {"usage.freed", [](O& o) { o.usage.freed = 1; }},
                      {"events.policy_invoked", [](O& o) { o.events.policy_invoked = true; }},
                      {"events.policy_decided", [](O& o) { o.events.policy_decided = true; }},
                      {"events.withheld", [](O& o) { o.events.withheld = true; }},
                      {"events.activated", [](O& o) { o.events.activated = true; }},
                      {"events.moved", [](O& o) { o.events.moved = true; }},
                      {"events.cancelled", [](O& o) { o.events.cancelled = true; }},
                      {"events.preempted", [](O& o) { o.events.preempted = true; }},
                      {"events.released", [](O& o) { o.events.released = true; }},
                      {"idle", [](O& o) { o.idle = false; }}});
}

// One set of fields for all pulses: a field counts with a pulse that has it.
TEST(CompareOutputs, DataOfAnEventAreReportedWithThePulsesThatHaveThem) {
  struct Data {
    const char* signal;
    std::function<void(EventPins&)> corrupt;
    std::vector<bool EventPins::*> pulses;
  };
  const std::vector<bool EventPins::*> all = {&EventPins::policy_invoked, &EventPins::activated, &EventPins::moved,
                                              &EventPins::preempted, &EventPins::released};
  const std::vector<Data> data = {
      {"events.buffer", [](EventPins& pins) { pins.buffer = 1; }, {&EventPins::activated}},
      {"events.move", [](EventPins& pins) { pins.move = rtl_model::MoveKind::kRetarget; }, {&EventPins::moved}},
      {"events.sm",
       [](EventPins& pins) { pins.sm = 1; },
       {&EventPins::moved, &EventPins::preempted, &EventPins::released}},
      {"events.ksr",
       [](EventPins& pins) { pins.ksr = 1; },
       {&EventPins::activated, &EventPins::moved, &EventPins::preempted}}};
  for (const Data& each : data) {
    for (const auto pulse : all) {
      SchedulerOutputs left;
      left.events.*pulse = true;
      SchedulerOutputs right = left;
      each.corrupt(right.events);
      const bool has_it = std::find(each.pulses.begin(), each.pulses.end(), pulse) != each.pulses.end();
      const auto difference = first_difference(left, right);
      ASSERT_EQ(difference.has_value(), has_it) << each.signal;
      if (has_it) {
        EXPECT_EQ(difference->signal, each.signal);
      }
    }
  }
}

TEST(CompareOutputs, AnSmThatIsHandedOverToNobodyHasNoKernel) {
  SchedulerOutputs left;
  left.events.preempted = left.events.released = true;
  SchedulerOutputs right = left;
  right.events.ksr = 1;
  EXPECT_FALSE(first_difference(left, right));
}

TEST(CompareOutputs, DataOfABundleThatIsNotValidIsNotLookedAt) {
  SchedulerOutputs changed;
  changed.sm_control = {false, 1, SmControlKind::kTrap, 1, 1, 1};
  changed.dispatch = {false, 1, true, true, 1, 1};
  changed.kernel_done = {false, 1};
  changed.usage = {false, 1, 1};
  EXPECT_FALSE(first_difference(SchedulerOutputs{}, changed));
}

TEST(CompareOutputs, ATrapHasNoSetUpData) {
  SchedulerOutputs trap;
  trap.sm_control = {true, 2, SmControlKind::kTrap, 0, 0, 0};
  SchedulerOutputs other = trap;
  other.sm_control = {true, 2, SmControlKind::kTrap, 1, 1, 1};
  EXPECT_FALSE(first_difference(trap, other));
}

TEST(CompareOutputs, TheFirstOfSeveralIsReported) {
  SchedulerOutputs changed = busy_outputs();
  changed.idle = false;
  changed.dispatch.tb = 4;
  changed.dispatch.stack_pointer = 5;
  EXPECT_EQ(first_difference(busy_outputs(), changed)->signal, "dispatch.tb");
}

TEST(CompareSnapshots, EveryRegisterIsReportedByItsName) {
  using S = CoreSnapshot;
  expect_reported<S>(busy_snapshot(),
                     {{"command_buffers.size", [](S& s) { s.command_buffers.resize(2); }},
                      {"command_buffers[2].valid", [](S& s) { s.command_buffers[2].valid = false; }},
                      {"command_buffers[2].context", [](S& s) { s.command_buffers[2].context = 1; }},
                      {"command_buffers[2].priority", [](S& s) { s.command_buffers[2].priority = 1; }},
                      {"command_buffers[2].num_tbs", [](S& s) { s.command_buffers[2].num_tbs = 1; }},
                      {"command_buffers[2].tbs_per_sm", [](S& s) { s.command_buffers[2].tbs_per_sm = 1; }},
                      {"command_buffers[2].descriptor", [](S& s) { s.command_buffers[2].descriptor = 1; }},
                      {"command_buffers[2].has_due", [](S& s) { s.command_buffers[2].has_due = false; }},
                      {"command_buffers[2].due", [](S& s) { s.command_buffers[2].due = 1; }},
                      {"command_buffers.age.size", [](S& s) { s.command_ages.clear(); }},
                      {"command_buffers.age[0]", [](S& s) { s.command_ages[0] = 0; }},
                      {"command_buffers.last", [](S& s) { s.last_buffer = 1; }},
                      {"active_queue.size", [](S& s) { s.active_queue.push_back(0); }},
                      {"active_queue[0]", [](S& s) { s.active_queue[0] = 0; }},
                      {"KSRT[1].valid", [](S& s) { s.ksrt[1].valid = false; }},
                      {"KSRT[1].descriptor", [](S& s) { s.ksrt[1].descriptor = 1; }},
                      {"KSRT[1].context", [](S& s) { s.ksrt[1].context = 1; }},
                      {"KSRT[1].priority", [](S& s) { s.ksrt[1].priority = 1; }},
                      {"KSRT[1].tbs_per_sm", [](S& s) { s.ksrt[1].tbs_per_sm = 1; }},
                      {"KSRT[1].remaining", [](S& s) { s.ksrt[1].remaining = 1; }},
                      {"KSRT[1].next_tb", [](S& s) { s.ksrt[1].next_tb = 1; }},
                      {"KSRT[1].outstanding", [](S& s) { s.ksrt[1].outstanding = 1; }},
                      {"KSRT[1].preempted", [](S& s) { s.ksrt[1].preempted = 1; }},
                      {"KSRT[1].promised", [](S& s) { s.ksrt[1].promised = 1; }},
                      {"KSRT[1].saved_per_sm", [](S& s) { s.ksrt[1].saved_per_sm = 1; }},
                      {"KSRT[1].owned", [](S& s) { s.ksrt[1].owned = 1; }},
                      {"KSRT[1].reserved", [](S& s) { s.ksrt[1].reserved = 1; }},
                      {"KSRT[1].covered", [](S& s) { s.ksrt[1].covered = 1; }},
                      {"KSRT[1].has_due", [](S& s) { s.ksrt[1].has_due = false; }},
                      {"KSRT[1].due", [](S& s) { s.ksrt[1].due = 1; }},
                      {"SMST[3].state", [](S& s) { s.smst[3].state = 2; }},
                      {"SMST[3].ksr", [](S& s) { s.smst[3].ksr = 0; }},
                      {"SMST[3].next", [](S& s) { s.smst[3].next = 0; }},
                      {"SMST[3].running", [](S& s) { s.smst[3].running = 1; }},
                      {"SMST[3].is_kept", [](S& s) { s.smst[3].is_kept = true; }},
                      {"SMST[3].tag", [](S& s) { s.smst[3].tag = 1; }},
                      {"SMST[3].unanswered", [](S& s) { s.smst[3].unanswered = 1; }},
                      {"SMST[3].partition", [](S& s) { s.smst[3].partition = 1; }},
                      {"SMST[3].is_foreign", [](S& s) { s.smst[3].is_foreign = true; }},
                      {"linger", [](S& s) { s.lingers = false; }},
                      {"linger.priority", [](S& s) { s.linger_priority = 4; }},
                      {"context_table[1].has_budget", [](S& s) { s.contexts[1].has_budget = false; }},
                      {"context_table[1].budget", [](S& s) { s.contexts[1].budget = 1; }},
                      {"context_table[1].kernels", [](S& s) { s.contexts[1].kernels = 1; }},
                      {"context_table[1].is_dealt", [](S& s) { s.contexts[1].is_dealt = true; }},
                      {"PTBQ[1].size", [](S& s) { s.ptbq[1].pop_back(); }},
                      {"PTBQ[1][1]", [](S& s) { s.ptbq[1][1] = 9; }},
                      {"search.pool", [](S& s) { s.pool = 1; }},
                      {"search.policy", [](S& s) { s.policy = 1; }},
                      {"search.is_policy_at_rest", [](S& s) { s.is_policy_at_rest = false; }}});
}

TEST(CompareSnapshots, RowsThatAreNotValidAreNotLookedAt) {
  CoreSnapshot changed = busy_snapshot();
  changed.command_buffers[0].context = 1;
  changed.ksrt[0].priority = 1;
  changed.contexts[0].budget = 1;
  EXPECT_FALSE(first_difference(busy_snapshot(), changed));
}

TEST(CompareSnapshots, WhenNothingIsDueItsDueIsNotLookedAt) {
  CoreSnapshot without = busy_snapshot();
  without.command_buffers[2].has_due = without.ksrt[1].has_due = false;
  CoreSnapshot changed = without;
  changed.command_buffers[2].due = changed.ksrt[1].due = 1;
  EXPECT_FALSE(first_difference(without, changed));
}

// A core that has tokens left in a table beside the KSRT: of KSRs or, with token scope process, of contexts.
CoreSnapshot snapshot_with_tokens(bool by_process) {
  CoreSnapshot snapshot = busy_snapshot();
  snapshot.tokens.resize(2);
  snapshot.policy = by_process ? 1U << 9 : 0;  // the policy register's token scope
  snapshot.ksrt[1].valid = !by_process;
  snapshot.contexts[1].kernels = by_process ? 1 : 0;
  return snapshot;
}

TEST(CompareSnapshots, TokensLeftOfARowInUseCount) {
  using S = CoreSnapshot;
  for (const bool by_process : {false, true}) {
    const S tokens = snapshot_with_tokens(by_process);
    expect_reported<S>(tokens, {{"tokens.size", [](S& s) { s.tokens.resize(1); }},
                                {"tokens[0].has_pool_token", [](S& s) { s.tokens[0].has_pool_token = true; }},
                                {"tokens[1].left", [](S& s) { s.tokens[1].left = 1; }}});
    S of_nobody = tokens;
    of_nobody.tokens[0].left = 1;
    EXPECT_FALSE(first_difference(tokens, of_nobody));
  }
}

TEST(CompareSnapshots, TokensLeftAreNotLookedAtWhileTheyAreDealt) {
  const CoreSnapshot tokens = snapshot_with_tokens(false);
  CoreSnapshot stale = tokens;
  stale.tokens[1].left = 1;
  stale.are_tokens_settled = false;
  EXPECT_FALSE(first_difference(tokens, stale));
  EXPECT_FALSE(first_difference(stale, tokens));
}

TEST(CompareSnapshots, APageTableOfACoreThatDoesNotKnowWhetherItWasWrittenIsNotLookedAt) {
  CoreSnapshot changed = snapshot_with_tokens(false);
  changed.contexts[1].page_table = 1;
  EXPECT_FALSE(first_difference(snapshot_with_tokens(false), changed));
}

}  // namespace
}  // namespace tessera::cosim
