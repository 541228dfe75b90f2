// SPDX-License-Identifier: Apache-2.0
// Breadth-first issue by itself: which SM gets the next thread block, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/tlm/core_bench.h"
#include "tlm/execution_engine/sm_control/issue_rounds.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;

// SMs of one slot each, which want so many thread blocks in all.
struct OneSlotSms {
  std::vector<std::uint64_t> free;
  int wanted = 0;
  std::vector<std::size_t> served{};
  std::vector<std::size_t> released{};

  bool wants_issue(SmId id) const { return wanted > 0 && free[index(id)] != 0; }
  std::uint64_t free_slots(SmId id) const { return free[index(id)]; }
  bool is_unused(SmId id) const { return free[index(id)] != 0; }
  void issue_in_round(SmId id, Cycle) {
    free[index(id)] = 0;
    --wanted;
    served.push_back(index(id));
  }
  void release(SmId id, Cycle) { released.push_back(index(id)); }
};

spec::Spec breadth_first(std::uint32_t num_sms) {
  spec::Spec spec = tiny_machine(num_sms, 1);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.scheduler.tbs_per_cycle = 1;
  return spec;
}

TEST(IssueRounds, SmsTakeTurnsFromTheOneBehindTheLastThatWasServed) {
  IssueRounds rounds(breadth_first(3));
  OneSlotSms sms{{1, 1, 1}, 100};
  rounds.request(SmId{0}, 1, 0);
  for (int i = 0; i < 7; ++i) {
    const Cycle now = rounds.next();
    ASSERT_NE(now, kNever);
    rounds.due(now, sms);
    for (std::uint16_t id = 0; id < 3; ++id) {  // what was issued is over at once
      if (sms.free[id] != 0) continue;
      sms.free[id] = 1;
      rounds.request(SmId{id}, 1, now + 1);
    }
  }
  EXPECT_THAT(sms.served, ElementsAre(1, 2, 0, 1, 2, 0, 1));
}

TEST(IssueRounds, ASlotIsFilledTheIssueLatencyAfterItBecameFree) {
  const spec::Spec spec = breadth_first(1);
  IssueRounds rounds(spec);
  rounds.free_from(SmId{0}, 1, 40);
  rounds.request(SmId{0}, 1, 41);
  EXPECT_EQ(rounds.next(), 40U + spec.gpu.framework.tb_issue_cycles);
  EXPECT_EQ(rounds.ready(SmId{0}, 1, rounds.next() - 1), 0U);
  EXPECT_EQ(rounds.ready(SmId{0}, 1, rounds.next()), 1U);
}

TEST(IssueRounds, AnSmThatGotNothingAndHoldsNothingIsReleased) {
  IssueRounds rounds(breadth_first(2));
  OneSlotSms sms{{1, 1}, 1};
  rounds.request(SmId{0}, 1, 0);
  rounds.due(rounds.next(), sms);
  EXPECT_THAT(sms.served, ElementsAre(1));
  EXPECT_THAT(sms.released, ElementsAre(0));
  EXPECT_EQ(rounds.next(), kNever);
}

}  // namespace
}  // namespace tessera::tlm_model::test
