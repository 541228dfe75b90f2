// SPDX-License-Identifier: Apache-2.0
// The parts of TimeGraph by themselves: admission, a reserve's budget, the history of costs ([K11] 3, 5).
#include <gtest/gtest.h>

#include <limits>

#include "model/command_scheduling/admission.h"
#include "model/command_scheduling/cost_history.h"
#include "model/command_scheduling/reserve.h"

namespace tessera::command_scheduling {
namespace {

// ---- admission --------------------------------------------------------------------------------------------------

TEST(Admission, AdmitsWhatAddsUpToTheLimitExactly) {
  Admission thirds(100);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(thirds.admit(1, 3));
  EXPECT_FALSE(thirds.admit(1, kNever));
  Admission sevenths(90);  // 0.9 = 63 / 70, in sevenths of it
  for (int i = 0; i < 7; ++i) EXPECT_TRUE(sevenths.admit(9, 70));
  EXPECT_FALSE(sevenths.admit(1, kNever));
}

TEST(Admission, ARefusedReserveLeavesNoTrace) {
  Admission half(50);
  EXPECT_TRUE(half.admit(25, 100));
  EXPECT_FALSE(half.admit(26, 100));
  EXPECT_TRUE(half.admit(25, 100));
}

TEST(Admission, RefusesASixthBomb) {
  Admission half(50);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(half.admit(2500, 25000));
  EXPECT_FALSE(half.admit(2500, 25000));
}

TEST(Admission, ALimitOfZeroAdmitsNothing) {
  Admission none(0);
  EXPECT_FALSE(none.admit(1, 1));
  EXPECT_FALSE(none.admit(1, std::numeric_limits<Cycle>::max()));
}

TEST(Admission, ACapacityAboveThePeriodIsNeverAdmitted) {
  Admission all(100);
  EXPECT_FALSE(all.admit(kNever, 1));
  EXPECT_FALSE(all.admit(std::numeric_limits<Cycle>::max() / 100 + 1, 1));  // nor where 100 of it wrap around
  EXPECT_TRUE(all.admit(kNever, kNever));
}

// ---- reserve ----------------------------------------------------------------------------------------------------

TEST(Reserve, StartsFullAndIsReplenishedAPeriodAfterItsPhase) {
  const Reserve reserve({40, 100, 7});
  EXPECT_EQ(reserve.budget(), 40);
  EXPECT_EQ(reserve.next_replenishment(), 107u);
}

TEST(Reserve, DebtIsCarriedOverAndCreditIsNot) {
  Reserve reserve({40, 100});
  reserve.charge(130);
  reserve.replenish(0);
  EXPECT_EQ(reserve.budget(), -50);
  for (int i = 0; i < 3; ++i) reserve.replenish(0);
  EXPECT_EQ(reserve.budget(), 40);
  EXPECT_EQ(reserve.next_replenishment(), 500u);
}

TEST(Reserve, PosteriorEnforcementLooksAtTheSignOfTheBudgetOnly) {
  Reserve reserve({40, 100});
  reserve.charge(39);
  EXPECT_TRUE(reserve.affords(1000));
  reserve.charge(1);
  EXPECT_FALSE(reserve.affords(0));
  for (int i = 0; i < 2; ++i) reserve.replenish(1000);
  EXPECT_EQ(reserve.budget(), 40);  // x is taken as 0
}

TEST(Reserve, AprioriEnforcementAffordsACostUpToTheBudget) {
  Reserve reserve({40, 100, 0, true});
  EXPECT_TRUE(reserve.affords(40));
  EXPECT_FALSE(reserve.affords(41));
  reserve.charge(40);
  EXPECT_FALSE(reserve.affords(0));  // e > 0 as well
}

TEST(Reserve, SavesUpForACostAboveTheCapacityAndNoFurther) {
  Reserve reserve({40, 100, 0, true});
  reserve.replenish(100);
  EXPECT_EQ(reserve.budget(), 80);
  reserve.replenish(100);
  EXPECT_EQ(reserve.budget(), 100);
  EXPECT_TRUE(reserve.affords(100));
}

TEST(Reserve, WhatWasSavedUpLapsesWhenNobodyWaitsForIt) {
  Reserve reserve({40, 100, 0, true});
  reserve.replenish(100);
  reserve.replenish(0);
  EXPECT_EQ(reserve.budget(), 40);
  EXPECT_EQ(reserve.granted(), 0);  // 40 given, 40 taken back: e = C + grants - charges
}

TEST(Reserve, TheBudgetIsCapacityAndGrantsLessCharges) {
  Reserve reserve({40, 100, 0, true});
  for (const Cycle used : {10, 0, 75, 3, 200}) {
    reserve.charge(used);
    reserve.replenish(used);
    EXPECT_EQ(reserve.budget(), 40 + reserve.granted() - static_cast<std::int64_t>(reserve.charged()));
  }
}

// ---- history of costs -------------------------------------------------------------------------------------------

const GroupKey kBlur = {1, 64};
const GroupKey kSharpen = {2, 64};
const GroupKey kLargeBlur = {1, 128};

void learn(CostHistory& history, const GroupKey& key, Cycle actual, bool was_switched = false) {
  history.predict(key);  // it is submitted
  history.learn(key, was_switched, actual);
}

TEST(CostHistory, AnEmptyOnePredictsNothing) {
  CostHistory history(4);
  EXPECT_EQ(history.predict(kBlur).cost, 0u);
  EXPECT_FALSE(history.predict(kBlur).is_hit);
}

TEST(CostHistory, AHitPredictsTheMeanOfWhatWasSeen) {
  CostHistory history(4);
  for (const Cycle actual : {10, 20, 31}) learn(history, kBlur, actual);
  EXPECT_EQ(history.predict(kBlur).cost, 61u / 3);
  EXPECT_TRUE(history.predict(kBlur).is_hit);
  EXPECT_EQ(history.size(), 1u);
}

TEST(CostHistory, AMissPredictsTheWorstMean) {
  CostHistory history(4);
  learn(history, kBlur, 10);
  learn(history, kBlur, 90);
  learn(history, kSharpen, 60);
  EXPECT_EQ(history.predict(kLargeBlur).cost, 60u);  // 50 and 60; the 90 is in a mean
  EXPECT_FALSE(history.predict(kLargeBlur).is_hit);
}

TEST(CostHistory, ACommandsSizeAndTheOrderAreOfTheKey) {
  CostHistory history(4);
  learn(history, {1, 64, 2, 64}, 10);
  EXPECT_FALSE(history.predict({2, 64, 1, 64}).is_hit);
  EXPECT_FALSE(history.predict({1, 64, 2, 65}).is_hit);
  EXPECT_FALSE(history.predict({1, 64}).is_hit);
}

TEST(CostHistory, TheLeastRecentlyUsedRecordMakesRoom) {
  CostHistory history(2);
  learn(history, kBlur, 99);
  learn(history, kSharpen, 20);
  history.predict(kBlur);  // a use
  learn(history, kLargeBlur, 30);
  EXPECT_EQ(history.size(), 2u);
  EXPECT_TRUE(history.predict(kBlur).is_hit);
  EXPECT_FALSE(history.predict(kSharpen).is_hit);
}

TEST(CostHistory, AMissIsNoUseAndARecordThatWentIsNotTheWorst) {
  CostHistory history(1);
  learn(history, kBlur, 99);
  learn(history, kSharpen, 20);
  EXPECT_EQ(history.predict(kBlur).cost, 20u);
}

TEST(CostHistory, AChangeOfContextUpdatesTheImpactAndNotTheRecord) {
  CostHistory history(4);
  EXPECT_EQ(history.switch_impact(), 0);
  learn(history, kBlur, 10);
  learn(history, kBlur, 17, true);
  EXPECT_EQ(history.predict(kBlur).cost, 10u);
  EXPECT_EQ(history.switch_impact(), 7);
  learn(history, kBlur, 4, true);  // 7 and -6
  EXPECT_EQ(history.switch_impact(), 0);
  learn(history, kBlur, 1, true);  // and -9: -8 / 3, towards zero
  EXPECT_EQ(history.switch_impact(), -2);
}

TEST(CostHistory, AMissIsRecordedAlsoAfterAChangeOfContext) {
  CostHistory history(4);
  learn(history, kBlur, 10, true);
  EXPECT_EQ(history.predict(kBlur).cost, 10u);
  EXPECT_EQ(history.switch_impact(), 0);
}

TEST(CostHistory, ARecordThatCameMeanwhileIsAHit) {
  CostHistory history(4);
  history.learn(kBlur, false, 10);
  history.learn(kBlur, false, 20);
  EXPECT_EQ(history.size(), 1u);
  EXPECT_EQ(history.predict(kBlur).cost, 15u);
}

TEST(CostHistory, ARecordThatWentMeanwhileIsAMiss) {
  CostHistory history(1);
  learn(history, kBlur, 10);
  EXPECT_TRUE(history.predict(kBlur).is_hit);
  learn(history, kSharpen, 20);
  history.learn(kBlur, true, 30);
  EXPECT_EQ(history.predict(kBlur).cost, 30u);
  EXPECT_EQ(history.switch_impact(), 0);
}

}  // namespace
}  // namespace tessera::command_scheduling
