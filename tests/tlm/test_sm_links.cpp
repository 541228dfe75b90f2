// SPDX-License-Identifier: Apache-2.0
// The two queues of an SM's links (docs/hardware/timing.md 7.5).
#include <gtest/gtest.h>

#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/set_up_tags.h"
#include "tlm/execution_engine/one_job/sm_links.h"

namespace tessera::tlm_model {
namespace {

constexpr Cycle kUp = 10;
constexpr auto kSm = SmId(0);

spec::Spec one_sm() {
  spec::Spec spec;
  spec.gpu.num_sms = 1;
  spec.gpu.framework.link_cycles = {{kUp}, {0}};
  return spec;
}

class SmLinksTest : public testing::Test {
 protected:
  // What the link takes in this cycle; nothing else is due before.
  SmEvent take(Cycle now) {
    EXPECT_EQ(links_.next(), now);
    return links_.take(kSm, now).value().event;
  }
  // When the next event is at the networks.
  Cycle comes() {
    EXPECT_TRUE(links_.next_place().is_at_networks);
    const Cycle at = links_.next();
    links_.come(kSm);
    return at;
  }

  spec::Spec spec_ = one_sm();
  SmLinks links_{spec_};
};

TEST_F(SmLinksTest, AnAnswerThatWasNotTakenIsWithdrawnByTheNextSetUp) {
  links_.begin_set_up(kSm, 1);
  links_.show(kSm, kSetUpDone, 5);
  links_.begin_set_up(kSm, 0);
  EXPECT_EQ(links_.next(), kNever);
  links_.show(kSm, kSetUpDone, 9);
  EXPECT_EQ(take(9), kSetUpDone);
  EXPECT_EQ(comes(), 9 + kUp);
  EXPECT_EQ(links_.take_at_networks(kSm, 30).tag, 0U);
}

TEST_F(SmLinksTest, AnAnswerThatWasTakenStays) {
  links_.begin_set_up(kSm, 1);
  links_.show(kSm, kSetUpDone, 5);
  EXPECT_EQ(take(5), kSetUpDone);
  links_.begin_set_up(kSm, 0);
  EXPECT_EQ(comes(), 5 + kUp);
  EXPECT_EQ(links_.take_at_networks(kSm, 30).tag, 1U);
}

// In a cycle the more urgent event goes, the lowest slot first.
TEST_F(SmLinksTest, OneMessageGoesACycle) {
  links_.show(kSm, kRestoreDone, 5);
  links_.show_tb_done(kSm, 3, 5);
  links_.show_tb_done(kSm, 1, 5);
  EXPECT_EQ(links_.take(kSm, 5).value().slot, 1U);
  EXPECT_EQ(links_.take(kSm, 6).value().slot, 3U);
  EXPECT_EQ(take(7), kRestoreDone);
}

// Handles of 11 to 14, behind TBs done of 11 and 12, which have precedence.
TEST_F(SmLinksTest, PreemptedFollowsTheHandles) {
  links_.show_tb_done(kSm, 0, 11);
  links_.show_tb_done(kSm, 1, 11);
  EXPECT_EQ(take(11), kTbDone);
  EXPECT_EQ(take(12), kTbDone);
  EXPECT_EQ(comes(), 11 + kUp);
  links_.show_handles(kSm, 4, 11);
  links_.show(kSm, kPreempted, 15);
  EXPECT_EQ(links_.next(), 15U);
  EXPECT_FALSE(links_.take(kSm, 15).has_value()) << "handles go from 13 to 16";
  EXPECT_EQ(take(17), kPreempted);
  // The second TB waits behind the first, handles behind both: they go from 42 on.
  links_.take_at_networks(kSm, 40);
  EXPECT_EQ(links_.first(kSm), kTbDone);
  links_.take_at_networks(kSm, 41);
  EXPECT_EQ(links_.first(kSm), std::nullopt);
  EXPECT_EQ(comes(), 46U);
}

// ---- tags ----------------------------------------------------------------------------------------------------

TEST(SetUpTags, CountWhatMayStillBeAnswered) {
  SetUpTags tags(1, 1);
  EXPECT_EQ(tags.next(kSm), 1U);
  EXPECT_FALSE(tags.is_full(kSm));
  EXPECT_EQ(tags.next(kSm), 0U);
  EXPECT_TRUE(tags.is_full(kSm));
  EXPECT_TRUE(tags.answered(kSm, 1));
  EXPECT_FALSE(tags.is_full(kSm));
  EXPECT_EQ(tags.next(kSm), 1U);
  EXPECT_TRUE(tags.is_full(kSm)) << "0 and 1 may be answered";
  EXPECT_TRUE(tags.answered(kSm, 1)) << "0 was superseded";
  EXPECT_FALSE(tags.answered(kSm, 1));
}

TEST(SetUpTags, WithoutABitEveryAnswerIsCurrent) {
  SetUpTags tags(0, 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(tags.next(kSm), tags.last(kSm));
  EXPECT_FALSE(tags.is_full(kSm));
}

}  // namespace
}  // namespace tessera::tlm_model
