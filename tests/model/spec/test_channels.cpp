// SPDX-License-Identifier: Apache-2.0
// `framework.channels` of a GPU: what YAML says of it, what it must not say, and what JSON keeps of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kOneChannel = "gpu.framework.channels=one";

TEST(SpecChannels, AreAllUnlessTheFileSaysOtherwise) {
  EXPECT_EQ(Files().load().gpu.framework.channels, Channels::kAll);
}

TEST(SpecChannels, HaveHalfAMillisecondUnlessTheFileSaysOtherwise) {
  const FrameworkSpec framework = Files().load({kOneChannel}).gpu.framework;
  EXPECT_EQ(framework.channels, Channels::kOne);
  EXPECT_EQ(framework.channel_quantum, 500 * (kPicosecondsPerSecond / 1'000'000));
  const Spec other = Files().load({kOneChannel, "gpu.framework.channel_quantum_us=0.25"});
  EXPECT_EQ(other.gpu.framework.channel_quantum, 250'000U);
}

TEST(SpecChannels, AQuantumGoesWithOneChannel) {
  const Files files;
  const std::string quantum = "gpu.framework.channel_quantum_us=";
  const std::string key = "gpu.framework.channel_quantum_us";
  const auto is_without_meaning = ElementsAre(mistake(key, "only valid with channels: one"));
  EXPECT_THAT(files.mistakes({quantum + "500"}), is_without_meaning);
  EXPECT_THAT(files.mistakes({"gpu.framework.channels=all", quantum + "500"}), is_without_meaning);
  EXPECT_THAT(files.mistakes({kOneChannel, quantum + "0"}), ElementsAre(mistake(key, "out of range")));
}

TEST(SpecChannels, AWordThatIsUnknownIsTheOnlyMistake) {
  Files files;
  files.replace("parts/gpu.yaml", "sm_setup_cycles: 9", "channels: two\n  channel_quantum_us: 7");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("framework.channels", "unknown")));
}

TEST(SpecChannels, AMistakeStandsWhereItsKeyDoes) {
  Files files;
  files.replace("parts/gpu.yaml", "sm_setup_cycles: 9", "channel_quantum_us: 7");
  const auto mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake("framework.channel_quantum_us", "only valid with channels: one")));
  const auto [line, column] = files.position_of("parts/gpu.yaml", "7\n");
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

TEST(SpecChannels, JsonHasThemWhereTheyAreNotTheDefaultAndLoadsBack) {
  Files files;
  EXPECT_THAT(json_text(to_json(files.load())), Not(HasSubstr(R"("channel)")));
  const Spec first = files.load({kOneChannel, "gpu.framework.channel_quantum_us=12.5"});
  nlohmann::ordered_json json = to_json(first);
  EXPECT_EQ(json["gpu"]["framework"]["channels"], "one");
  EXPECT_EQ(json["gpu"]["framework"]["channel_quantum_us"], 12.5);
  for (auto& process : json["workload"]["processes"]) process["application"] = json["applications"][0];
  json.erase("applications");
  files.write("experiment.yaml", json_text(json, 2));
  EXPECT_EQ(to_json(files.load()), to_json(first));
}

TEST(SpecChannels, ChangeTheHashOfASpec) {
  const Files files;
  const std::string one = content_hash(files.load({kOneChannel}));
  EXPECT_NE(one, content_hash(files.load()));
  EXPECT_NE(one, content_hash(files.load({kOneChannel, "gpu.framework.channel_quantum_us=499"})));
}

}  // namespace
}  // namespace tessera::spec
