// SPDX-License-Identifier: Apache-2.0
// Keys of the links between the scheduler and the SMs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::mistake;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

const std::string kLinks = "gpu.framework.link_cycles=";

FrameworkSpec framework_of(const std::vector<std::string>& overrides) {
  return test::Files().load(overrides).gpu.framework;
}

TEST(SpecLinks, WithoutAWordTheSmsAreWiredAndHaveNoTag) {
  const FrameworkSpec framework = framework_of({});
  EXPECT_FALSE(framework.link_cycles.any());
  EXPECT_EQ(framework.setup_tag_bits, 0U);
}

TEST(SpecLinks, OneDelayIsForAllSmsAndAListHasOneForEach) {
  const std::uint32_t num_sms = test::Files().load().gpu.num_sms;
  const LinkSpec same = framework_of({kLinks + "{up: 3}"}).link_cycles;
  EXPECT_THAT(same.up, SizeIs(num_sms));
  EXPECT_THAT(same.up, Each(3U));
  EXPECT_THAT(same.down, Each(0U));
  std::string list;
  for (std::uint32_t sm = 0; sm < num_sms; ++sm) list += (sm == 0 ? "" : ", ") + std::to_string(sm);
  const LinkSpec own = framework_of({kLinks + "{up: 1, down: [" + list + "]}"}).link_cycles;
  ASSERT_THAT(own.down, SizeIs(num_sms));
  for (std::uint32_t sm = 0; sm < num_sms; ++sm) EXPECT_EQ(own.down[sm], sm);
}

TEST(SpecLinks, LinksBringATagOfOneBitUnlessAnotherIsNamed) {
  EXPECT_EQ(framework_of({kLinks + "{down: 2}"}).setup_tag_bits, 1U);
  EXPECT_EQ(framework_of({kLinks + "{down: 2}", "gpu.framework.setup_tag_bits=3"}).setup_tag_bits, 3U);
  EXPECT_EQ(framework_of({"gpu.framework.setup_tag_bits=2"}).setup_tag_bits, 2U);
}

TEST(SpecLinks, ARefillLaneNeedsATagToo) {
  EXPECT_FALSE(framework_of({}).refill_lane);
  const FrameworkSpec framework = framework_of({"gpu.framework.refill_lane=true"});
  EXPECT_TRUE(framework.refill_lane);
  EXPECT_EQ(framework.setup_tag_bits, 1U);
  EXPECT_THAT(test::Files().mistakes({"gpu.framework.refill_lane=true", "gpu.framework.setup_tag_bits=0"}),
              ElementsAre(mistake("gpu.framework.setup_tag_bits", "a refill lane needs a tag")));
}

TEST(SpecLinks, GpusAboveSixteenSmsHaveALaneUnlessTheySayOtherwise) {
  EXPECT_FALSE(framework_of({"gpu.num_sms=16"}).refill_lane);
  const FrameworkSpec large = framework_of({"gpu.num_sms=17"});
  EXPECT_TRUE(large.refill_lane);
  EXPECT_EQ(large.setup_tag_bits, 1U);
  const FrameworkSpec without = framework_of({"gpu.num_sms=17", "gpu.framework.refill_lane=false"});
  EXPECT_FALSE(without.refill_lane);
  EXPECT_EQ(without.setup_tag_bits, 0U);
  EXPECT_FALSE(framework_of({"gpu.num_sms=17", "gpu.framework.engine=ideal"}).refill_lane);
}

TEST(SpecLinks, WhatIsWrittenOfALargeGpuSaysWhetherItHasALane) {
  for (const char* value : {"true", "false"}) {
    const Spec spec = test::Files().load({"gpu.num_sms=17", std::string("gpu.framework.refill_lane=") + value});
    EXPECT_EQ(to_json(spec)["gpu"]["framework"]["refill_lane"], spec.gpu.framework.refill_lane);
  }
}

TEST(SpecLinks, DelaysOfZeroAreNoLinks) {
  const Spec spec = test::Files().load({kLinks + "{up: 0, down: 0}"});
  EXPECT_FALSE(spec.gpu.framework.link_cycles.any());
  EXPECT_EQ(to_json(spec), to_json(test::Files().load()));
}

TEST(SpecLinks, WhatIsWrongIsSaid) {
  const test::Files files;
  EXPECT_THAT(files.mistakes({kLinks + "{up: 1001}"}),
              ElementsAre(mistake("gpu.framework.link_cycles.up", "out of range")));
  EXPECT_THAT(files.mistakes({kLinks + "{up: [1, -1]}"}),
              ElementsAre(mistake("gpu.framework.link_cycles.up", "has 2 entries for 4 SMs"),
                          mistake("gpu.framework.link_cycles.up.1", "is negative")));
  EXPECT_THAT(files.mistakes({kLinks + "{sideways: 1}"}),
              ElementsAre(mistake("gpu.framework.link_cycles.sideways", "unknown key")));
  EXPECT_THAT(files.mistakes({kLinks + "{up: 1}", "gpu.framework.setup_tag_bits=0"}),
              ElementsAre(mistake("gpu.framework.setup_tag_bits", "links need a tag")));
  EXPECT_THAT(files.mistakes({"gpu.framework.setup_tag_bits=4"}),
              ElementsAre(mistake("gpu.framework.setup_tag_bits", "out of range")));
}

TEST(SpecLinks, AWrongNumberOfSmsIsNotBlamedOnTheirDelays) {
  EXPECT_THAT(test::Files().mistakes({"gpu.num_sms=none", kLinks + "{up: [1, 2, 3, 4]}"}),
              ElementsAre(mistake("gpu.num_sms", "")));
}

TEST(SpecLinks, TheIdealEngineHasNone) {
  const test::Files files;
  EXPECT_THAT(files.mistakes({"gpu.framework.engine=ideal", kLinks + "{up: 1}"}),
              ElementsAre(mistake("gpu.framework.link_cycles", "only the serialised engine")));
  EXPECT_THAT(files.mistakes({"gpu.framework.engine=ideal", "gpu.framework.setup_tag_bits=1"}),
              ElementsAre(mistake("gpu.framework.setup_tag_bits", "only the serialised engine")));
  EXPECT_THAT(files.mistakes({"gpu.framework.engine=ideal", "gpu.framework.refill_lane=true"}),
              ElementsAre(mistake("gpu.framework.refill_lane", "only the serialised engine")));
}

}  // namespace
}  // namespace tessera::spec
