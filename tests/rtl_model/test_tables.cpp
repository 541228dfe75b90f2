// SPDX-License-Identifier: Apache-2.0
// The tables of the scheduling framework: what they hold after an edge at which several writes meet.
#include <gtest/gtest.h>

#include "rtl_model/tables/active_queue.h"
#include "rtl_model/tables/command_buffers.h"
#include "rtl_model/tables/context_table.h"
#include "rtl_model/tables/ksrt.h"
#include "rtl_model/tables/ptbq.h"
#include "rtl_model/tables/smst.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {
namespace {

// ---- command buffers: four ----------------------------------------------------------------------------------

class Commands : public testing::Test {
 protected:
  // Taken at the edge, like everything else that was set up in the cycle.
  void accept(std::uint32_t buffer, std::uint32_t priority = 0, std::uint32_t context = 0) {
    CommandPins command;
    command.valid = true;
    command.buffer = buffer;
    command.context = context;
    command.priority = priority;
    command.num_tbs = command.tbs_per_sm = 1;
    buffers.accept(command);
    buffers.seq();
  }
  std::uint32_t retire_next(CommandOrder order) {
    const std::uint32_t buffer = buffers.select(order);
    buffers.retire(buffer);
    buffers.seq();
    return buffer;
  }

  Params params{machine(2)};
  CommandBuffers buffers{"buffers", params};
};

TEST_F(Commands, AreTakenInOrderOfArrival) {
  EXPECT_EQ(buffers.select(CommandOrder::kArrival), kNone);
  for (const std::uint32_t buffer : {2U, 0U, 3U}) accept(buffer, buffer);
  for (const std::uint32_t buffer : {2U, 0U, 3U}) EXPECT_EQ(retire_next(CommandOrder::kArrival), buffer);
  EXPECT_FALSE(buffers.any_waiting());
}

TEST_F(Commands, TheOldestOfTheHighestPriorityGoesFirst) {
  accept(0, 1);
  accept(3, 2);
  accept(1, 2);
  for (const std::uint32_t buffer : {3U, 1U, 0U}) EXPECT_EQ(retire_next(CommandOrder::kPriority), buffer);
}

TEST_F(Commands, TurnsGoRoundFromTheBufferServedLast) {
  for (const std::uint32_t buffer : {3U, 2U, 1U, 0U}) accept(buffer);
  EXPECT_EQ(retire_next(CommandOrder::kInTurn), 0U);
  EXPECT_EQ(retire_next(CommandOrder::kInTurn), 1U);
  accept(0);  // behind the turn
  for (const std::uint32_t buffer : {2U, 3U, 0U}) EXPECT_EQ(retire_next(CommandOrder::kInTurn), buffer);
}

TEST_F(Commands, TurnsGoRoundWithinTheHighestPriority) {
  accept(3, 2);
  accept(0, 1);
  accept(1, 2);
  for (const std::uint32_t buffer : {1U, 3U, 0U}) EXPECT_EQ(retire_next(CommandOrder::kPriorityInTurn), buffer);
}

TEST_F(Commands, OneLeavesWhileAnotherComesIn) {
  accept(0);
  accept(1);
  buffers.retire(0);
  accept(2);
  EXPECT_TRUE(buffers.free().has(0));
  EXPECT_FALSE(buffers.free().has(2));
  for (const std::uint32_t buffer : {1U, 2U}) EXPECT_EQ(retire_next(CommandOrder::kArrival), buffer);
}

TEST_F(Commands, APriorityWriteReachesThoseThatWaitOfItsContext) {
  accept(0, 3, 0);
  accept(1, 1, 1);
  buffers.set_priority(1, 9);
  accept(2, 1, 1);  // comes in with the write and keeps what stands on its pins
  EXPECT_EQ(buffers.row(0).priority, 3U);
  EXPECT_EQ(buffers.row(1).priority, 9U);
  EXPECT_EQ(buffers.row(2).priority, 1U);
  EXPECT_EQ(buffers.select(CommandOrder::kPriority), 1U);
  EXPECT_EQ(buffers.select(CommandOrder::kArrival), 0U);
}

// ---- active queue: four entries -----------------------------------------------------------------------------

class Queue : public testing::Test {
 protected:
  void push(std::initializer_list<std::uint32_t> ksrs) {
    for (const std::uint32_t ksr : ksrs) {
      queue.push(ksr);
      queue.seq();
    }
  }
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> ksrs;
    for (std::uint32_t i = 0; i < queue.size(); ++i) ksrs.push_back(queue.at(i));
    return ksrs;
  }
  using Ksrs = std::vector<std::uint32_t>;

  Params params{machine(2)};
  ActiveQueue queue{"queue", params};
};

TEST_F(Queue, KeepsTheOrderOfActivation) {
  push({2, 0, 3});
  EXPECT_EQ(order(), (Ksrs{2, 0, 3}));
  EXPECT_FALSE(queue.is_full());
  push({1});
  EXPECT_TRUE(queue.is_full());
}

TEST_F(Queue, AKernelThatLeavesClosesUpTheQueue) {
  for (const std::uint32_t leaves : {2U, 0U, 3U}) {
    ActiveQueue fresh(("q" + std::to_string(leaves)).c_str(), params);
    Ksrs rest;
    for (const std::uint32_t ksr : {2U, 0U, 3U}) {
      fresh.push(ksr);
      fresh.seq();
      if (ksr != leaves) rest.push_back(ksr);
    }
    fresh.remove(leaves);
    fresh.seq();
    ASSERT_EQ(fresh.size(), 2U);
    EXPECT_EQ((Ksrs{fresh.at(0), fresh.at(1)}), rest);
  }
}

TEST_F(Queue, OneLeavesWhileAnotherEnters) {
  push({2, 0, 3, 1});  // full
  queue.remove(0);
  push({0});
  EXPECT_EQ(order(), (Ksrs{2, 3, 1, 0}));
}

TEST_F(Queue, TheOnlyKernelLeavesWhileAnotherEnters) {
  push({2});
  queue.remove(2);
  push({0});
  EXPECT_EQ(order(), (Ksrs{0}));
}

// ---- KSRT ---------------------------------------------------------------------------------------------------

class Kernels : public testing::Test {
 protected:
  static spec::Spec breadth_first() {
    spec::Spec spec = machine(2);
    spec.scheduler.fill = spec::Fill::kBreadthFirst;
    return spec;
  }
  KsrRow kernel(std::uint32_t context, std::uint32_t remaining) const {
    KsrRow row = ksrt.empty_row();
    row.valid = true;
    row.context = context;
    row.remaining = remaining;
    row.tbs_per_sm = 4;
    return row;
  }
  static Ksrt::Step step(std::uint32_t ksr) {
    Ksrt::Step s;
    s.ksr = ksr;
    return s;
  }

  Params params{machine(2)};
  Params params_of_breadth_first{breadth_first()};
  Ksrt ksrt{"ksrt", params};
  Ksrt wide{"wide", params_of_breadth_first};
};

TEST_F(Kernels, StepsOfOneRowAddUpBeforeTheyAreApplied) {
  KsrRow row = kernel(0, 5);
  row.outstanding = 1;
  row.covered = 8;
  ksrt.activate(1, row);
  ksrt.seq();
  Ksrt::Step issue = step(1);
  issue.remaining = -1;
  issue.outstanding = 1;
  issue.covered = -1;
  Ksrt::Step done = step(1);
  done.outstanding = -2;  // below zero, were it alone
  done.covered = -2;
  ksrt.step(issue);
  ksrt.step(done);
  ksrt.seq();
  EXPECT_EQ(ksrt.row(1).remaining, 4U);
  EXPECT_EQ(ksrt.row(1).next_tb, 1U);
  EXPECT_EQ(ksrt.row(1).outstanding, 0U);
  EXPECT_EQ(ksrt.row(1).covered, 5U);
}

TEST_F(Kernels, StepsOfTwoRowsDoNotMix) {
  for (const std::uint32_t ksr : {0U, 1U}) {
    ksrt.activate(ksr, kernel(0, 5));
    ksrt.seq();
  }
  Ksrt::Step a = step(0), b = step(1);
  a.owned = 1;
  b.reserved = 1;
  ksrt.step(a);
  ksrt.step(b);
  ksrt.step(a);
  ksrt.seq();
  EXPECT_EQ(ksrt.row(0).owned, 2U);
  EXPECT_EQ(ksrt.row(0).reserved, 0U);
  EXPECT_EQ(ksrt.row(1).owned, 0U);
  EXPECT_EQ(ksrt.row(1).held(), 1U);
}

TEST_F(Kernels, DepthFirstASlotThatWaitsCoversATb) {
  KsrRow row = kernel(0, 3);
  row.preempted = 1;
  row.covered = 3;
  EXPECT_TRUE(ksrt.is_uncovered(row));
  row.covered = 4;
  EXPECT_FALSE(ksrt.is_uncovered(row));
  EXPECT_EQ(ksrt.slots_of_reserved_sm(row), 4);
}

TEST_F(Kernels, BreadthFirstATbWantsAnSmOfItsOwn) {
  KsrRow row = kernel(0, 3);
  row.owned = 1;
  row.covered = 3;  // one SM with three free slots is one place
  row.reserved = 1;
  EXPECT_TRUE(wide.is_uncovered(row));
  row.owned = 2;
  EXPECT_FALSE(wide.is_uncovered(row));
  row.covered = 1;  // two SMs with one free slot between them are one place
  EXPECT_TRUE(wide.is_uncovered(row));
  EXPECT_EQ(wide.slots_of_reserved_sm(row), 0);
}

TEST_F(Kernels, AFreedRowIsTheNextToBeGivenOut) {
  for (const std::uint32_t ksr : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(ksrt.lowest_free(), ksr);
    ksrt.activate(ksr, kernel(0, 5));
    ksrt.seq();
  }
  EXPECT_EQ(ksrt.lowest_free(), kNone);
  ksrt.free(2);
  ksrt.seq();
  EXPECT_EQ(ksrt.lowest_free(), 2U);
  EXPECT_EQ(ksrt.row(2).remaining, 0U);
}

TEST_F(Kernels, OneLeavesWhileAnotherEnters) {
  ksrt.activate(0, kernel(0, 5));
  ksrt.seq();
  Ksrt::Step last = step(0);
  last.remaining = -5;
  ksrt.step(last);
  ksrt.free(0);
  ksrt.activate(1, kernel(1, 7));
  ksrt.seq();
  EXPECT_FALSE(ksrt.row(0).valid);
  EXPECT_EQ(ksrt.row(0).next_tb, 0U);
  EXPECT_EQ(ksrt.row(1).remaining, 7U);
}

TEST_F(Kernels, AContextWriteReachesTheKernelThatEntersWithIt) {
  ksrt.activate(0, kernel(1, 5));
  ksrt.seq();
  ksrt.set_tokens(0, 3, true);
  ksrt.activate(1, kernel(1, 5));
  ksrt.set_context_tokens(1, 9);
  ksrt.set_context_priority(1, 4);
  ksrt.seq();
  for (const std::uint32_t ksr : {0U, 1U}) {
    EXPECT_EQ(ksrt.row(ksr).tokens, 9U);
    EXPECT_FALSE(ksrt.row(ksr).has_pool_token);
    EXPECT_EQ(ksrt.row(ksr).priority, 4U);
  }
}

TEST_F(Kernels, AContextWriteLeavesOthersAlone) {
  ksrt.activate(0, kernel(2, 5));
  ksrt.seq();
  ksrt.set_tokens(0, 3, true);
  ksrt.set_context_tokens(1, 9);
  ksrt.set_context_priority(1, 4);
  ksrt.seq();
  EXPECT_EQ(ksrt.row(0).tokens, 3U);
  EXPECT_TRUE(ksrt.row(0).has_pool_token);
  EXPECT_EQ(ksrt.row(0).priority, 0U);
}

// ---- SMST ---------------------------------------------------------------------------------------------------

class Sms : public testing::Test {
 protected:
  void own(std::uint32_t sm, std::uint32_t ksr) {
    smst.own(sm, ksr);
    smst.seq();
  }
  void reserve(std::uint32_t sm, std::uint32_t next) {
    smst.reserve(sm, next);
    smst.seq();
  }

  Params params{machine(3)};
  Smst smst{"smst", params};
};

TEST_F(Sms, AnIdleOneCountsAgainstNobody) {
  EXPECT_EQ(smst.row(0).state, SmState::kIdle);
  EXPECT_FALSE(smst.has_owner(smst.row(0)));
  EXPECT_EQ(smst.claimant(smst.row(0)), kNone);
}

TEST_F(Sms, ARunningOneCountsAgainstItsOwnerAndAReservedOneAgainstTheNext) {
  own(1, 2);
  EXPECT_EQ(smst.claimant(smst.row(1)), 2U);
  EXPECT_TRUE(smst.running().has(1));
  reserve(1, 3);
  EXPECT_EQ(smst.row(1).state, SmState::kReserved);
  EXPECT_EQ(smst.row(1).ksr, 2U);
  EXPECT_EQ(smst.claimant(smst.row(1)), 3U);
  EXPECT_FALSE(smst.running().has(1));
  EXPECT_TRUE(smst.reserved().has(1));
  EXPECT_FALSE(smst.owned_by(2).any());
}

TEST_F(Sms, AReleasedOneNamesNobody) {
  own(1, 2);
  smst.release(1);
  smst.seq();
  EXPECT_EQ(smst.row(1).state, SmState::kIdle);
  EXPECT_FALSE(smst.has_owner(smst.row(1)));
}

TEST_F(Sms, AFinishedKernelIsForgottenInEveryRow) {
  own(0, 2);
  own(1, 2);
  reserve(1, 3);
  own(2, 3);
  smst.reserve(2, 2);
  smst.forget(2);  // the row that changes hands in this cycle included
  smst.seq();
  EXPECT_EQ(smst.row(0).state, SmState::kIdle);
  EXPECT_EQ(smst.row(1).state, SmState::kReserved);  // goes on to its next
  EXPECT_FALSE(smst.has_owner(smst.row(1)));
  EXPECT_EQ(smst.row(1).next, 3U);
  EXPECT_EQ(smst.row(2).ksr, 3U);
  EXPECT_FALSE(smst.has_next(smst.row(2)));
  EXPECT_EQ(smst.claimant(smst.row(2)), kNone);
}

TEST_F(Sms, OneTbComesAndOneGoesInACycle) {
  own(1, 2);
  smst.step_running(1, 4);  // full
  smst.seq();
  smst.step_running(1, 1);
  smst.step_running(1, -1);
  smst.seq();
  EXPECT_EQ(smst.row(1).running, 4U);
  smst.step_running(1, -4);
  smst.seq();
  smst.step_running(1, -1);
  smst.step_running(1, 1);
  smst.seq();
  EXPECT_EQ(smst.row(1).running, 0U);
}

TEST_F(Sms, OneTbComesHereAndOneGoesThere) {
  smst.step_running(0, 1);
  smst.seq();
  smst.step_running(2, 1);
  smst.step_running(0, -1);
  smst.seq();
  EXPECT_EQ(smst.row(0).running, 0U);
  EXPECT_EQ(smst.row(2).running, 1U);
}

// ---- context table ------------------------------------------------------------------------------------------

class Contexts : public testing::Test {
 protected:
  Params params{machine(2)};
  ContextTable table{"table", params};
};

TEST_F(Contexts, HaveNoBudgetUntilTheOsWritesOne) {
  EXPECT_FALSE(table.row(1).has_budget);
  table.set_pool_token(1, true);
  table.seq();
  table.write_budget(1, 7);
  table.seq();
  EXPECT_TRUE(table.row(1).has_budget);
  EXPECT_EQ(table.row(1).budget, 7U);
  EXPECT_FALSE(table.row(1).has_pool_token);
  EXPECT_FALSE(table.row(0).has_budget);
}

TEST_F(Contexts, KeepTheLastPageTable) {
  table.write_page_table(2, 0xFEDCBA9876543210);
  table.seq();
  EXPECT_EQ(table.row(2).page_table, 0xFEDCBA9876543210U);
}

TEST_F(Contexts, AnSmThatChangesHandsWithinOneStaysWithinItsCount) {
  table.step_held(1, 2);  // all SMs
  table.seq();
  table.step_held(1, 1);
  table.step_held(1, -1);
  table.step_held(0, 1);
  table.seq();
  EXPECT_EQ(table.row(1).held, 2U);
  EXPECT_EQ(table.row(0).held, 1U);
}

TEST_F(Contexts, AKernelLeavesWhileAnotherEnters) {
  table.kernel_enters(1);
  table.seq();
  EXPECT_EQ(table.row(1).kernels, 1U);
  table.kernel_leaves(1);
  table.kernel_enters(1);
  table.seq();
  EXPECT_EQ(table.row(1).kernels, 1U);
}

TEST_F(Contexts, ADistributionsStartComesBeforeTheTokensItHandsOut) {
  table.set_pool_token(0, true);
  table.seq();
  table.clear_pool_tokens();
  table.set_pool_token(1, true);
  table.seq();
  EXPECT_FALSE(table.row(0).has_pool_token);
  EXPECT_TRUE(table.row(1).has_pool_token);
}

// ---- PTBQ: rings of three -----------------------------------------------------------------------------------

class Handles : public testing::Test {
 protected:
  static Params params_of(std::uint32_t depth) {
    Params params(machine(2));
    params.ptbq_depth = depth;
    return params;
  }
  void push(std::uint32_t ksr, std::uint32_t tb) {
    ptbq.push(ksr, {tb, 100 + tb});
    ptbq.seq();
  }
  std::uint32_t pop(std::uint32_t ksr) {
    ptbq.pop(ksr);
    ptbq.seq();
    EXPECT_EQ(ptbq.read_data().stack_pointer, 100 + ptbq.read_data().tb);
    return ptbq.read_data().tb;
  }

  Params params = params_of(3);
  Ptbq ptbq{"ptbq", params};
};

TEST_F(Handles, AreReadInTheCycleAfterAndStayOnThePort) {
  push(0, 7);
  push(0, 8);
  EXPECT_EQ(pop(0), 7U);
  ptbq.seq();
  EXPECT_EQ(ptbq.read_data().tb, 7U);
  ptbq.pop(0);
  EXPECT_EQ(ptbq.read_data().tb, 7U);  // not in the cycle of the read
  ptbq.seq();
  EXPECT_EQ(ptbq.read_data().tb, 8U);
}

TEST_F(Handles, LeaveEachRingInTheOrderInWhichTheyCame) {
  push(0, 1);
  push(3, 2);
  push(0, 3);
  push(3, 4);
  EXPECT_EQ(pop(3), 2U);
  EXPECT_EQ(pop(0), 1U);
  EXPECT_EQ(pop(0), 3U);
  EXPECT_EQ(pop(3), 4U);
}

TEST_F(Handles, GoRoundTheRing) {
  for (const std::uint32_t tb : {0U, 1U, 2U}) push(1, tb);  // full
  for (std::uint32_t tb = 3; tb < 10; ++tb) {
    EXPECT_EQ(pop(1), tb - 3);
    push(1, tb);
  }
  for (const std::uint32_t tb : {7U, 8U, 9U}) EXPECT_EQ(pop(1), tb);
}

TEST_F(Handles, OneIsReadWhileAnotherIsWritten) {
  for (const std::uint32_t tb : {0U, 1U, 2U}) push(1, tb);
  ptbq.pop(1);
  push(1, 3);  // into the place that becomes free
  EXPECT_EQ(ptbq.read_data().tb, 0U);
  for (const std::uint32_t tb : {1U, 2U, 3U}) EXPECT_EQ(pop(1), tb);
}

}  // namespace
}  // namespace tessera::rtl_model::test
