// SPDX-License-Identifier: Apache-2.0
// Words and enumeration values name each other one to one.
// The words stand in users' files: they do not change.
#include <gtest/gtest.h>

#include <set>

#include "model/spec/names.h"

namespace tessera::spec {
namespace {

template <typename E>
class NamesOf : public testing::Test {};
using Enumerations = testing::Types<PolicyKind, TechniqueKind, FlushFallback, ChimeraMix, SwitchPricing, Estimator,
                                    CandidateSets, Access, ExclusiveScope, TokenScope, Fill, ChannelSharing, TimeBase,
                                    DmaPolicy, CopyDirection, CopyMode, Transfers>;
TYPED_TEST_SUITE(NamesOf, Enumerations);

TYPED_TEST(NamesOf, EveryWordParsesToTheValueThatPrintsIt) {
  std::set<std::string_view> words;
  std::set<TypeParam> values;
  for (const auto& name : kNames<TypeParam>) {
    EXPECT_EQ(parse<TypeParam>(name.text), name.value);
    EXPECT_EQ(to_string(name.value), name.text);
    words.insert(name.text);
    values.insert(name.value);
  }
  EXPECT_EQ(words.size(), kNames<TypeParam>.size());
  EXPECT_EQ(values.size(), kNames<TypeParam>.size());
}

TYPED_TEST(NamesOf, OtherWordsHaveNoValue) {
  for (const std::string_view word : {"", "FCFS", "fcfs ", "unknown", "?"}) {
    EXPECT_EQ(parse<TypeParam>(word), std::nullopt) << word;
  }
}

TEST(Names, WordsAreThoseOfTheExperimentFile) {
  EXPECT_EQ(to_string(PolicyKind::kTimeSlice), "time_slice");
  EXPECT_EQ(to_string(TechniqueKind::kContextSwitch), "context_switch");
  EXPECT_EQ(to_string(TimeBase::kTimePerTb), "time_per_tb");
  EXPECT_EQ(to_string(Fill::kBreadthFirst), "breadth_first");
  EXPECT_EQ(to_string(CopyDirection::kToHost), "to_host");
}

}  // namespace
}  // namespace tessera::spec
