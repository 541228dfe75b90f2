// SPDX-License-Identifier: Apache-2.0
// Keys of a scheduler that neither scheduler nor baseline reads (docs/guide/yaml_reference.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/policy_keys.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kUnread = "neither scheduler nor baseline reads it";

constexpr const char* kScheduler = "{policy: dss, technique: drain, token_scope: process, search_width: 2}";

// In the file, so that nobody has chosen the policy anew.
class Schedulers : public Files {
 public:
  explicit Schedulers(const std::string& scheduler, const std::string& baseline = "{policy: fcfs}") {
    replace("experiment.yaml", "{policy: fcfs}", baseline);
    replace("experiment.yaml", kScheduler, scheduler);
    replace("experiment.yaml", ", tokens: 2", "");
  }
};

struct KeyCase {
  const char* key;
  const char* value;   // not the default
  const char* preset;  // the default
  const char* reader;  // a policy that reads it, with what else it takes
  const char* other;   // one that does not
};

class PolicyKeyTest : public testing::TestWithParam<KeyCase> {
 protected:
  std::string scheduler(const std::string& policy, const std::string& value) const {
    return "{policy: " + policy + ", " + GetParam().key + ": " + value + "}";
  }
};

TEST_P(PolicyKeyTest, IsRefusedWhereNeitherSchedulerNorBaselineReadsIt) {
  EXPECT_THAT(Schedulers(scheduler(GetParam().other, GetParam().value)).mistakes(),
              ElementsAre(mistake(std::string("scheduler.") + GetParam().key, kUnread)));
  EXPECT_THAT(Schedulers("{policy: npq}", scheduler(GetParam().other, GetParam().value)).mistakes(),
              ElementsAre(mistake(std::string("baseline.") + GetParam().key, kUnread)));
}

TEST_P(PolicyKeyTest, IsReadByTheSchedulerOrByABaselineThatTakesItOver) {
  EXPECT_THAT(Schedulers(scheduler(GetParam().reader, GetParam().value)).mistakes(), IsEmpty());
  EXPECT_THAT(
      Schedulers(scheduler(GetParam().other, GetParam().value), std::string("{policy: ") + GetParam().reader + "}")
          .mistakes(),
      IsEmpty());
}

TEST_P(PolicyKeyTest, MayStandAnywhereAtItsDefault) {
  EXPECT_THAT(Schedulers(scheduler(GetParam().other, GetParam().preset)).mistakes(), IsEmpty());
}

TEST_P(PolicyKeyTest, OfTheFileIsLeftOutWhereAnOverrideChoosesThePolicy) {
  const Schedulers files(scheduler(GetParam().reader, GetParam().value));
  const Spec spec = files.load({std::string("scheduler.policy=") + GetParam().other});
  EXPECT_THAT(spec.left_out_keys, ElementsAre(std::string("scheduler.") + GetParam().key));
  for (const PolicyKey& key : kPolicyKeys) EXPECT_TRUE(key.is_default(spec.scheduler)) << key.name;
}

TEST_P(PolicyKeyTest, OfAnOverrideIsRefusedAllTheSame) {
  const Schedulers files("{policy: npq}");
  EXPECT_THAT(files.mistakes({std::string("scheduler.policy=") + GetParam().other,
                              std::string("scheduler.") + GetParam().key + "=" + GetParam().value}),
              ElementsAre(mistake(std::string("scheduler.") + GetParam().key, kUnread)));
}

INSTANTIATE_TEST_SUITE_P(Keys, PolicyKeyTest,
                         testing::Values(KeyCase{"technique", "drain", "context_switch", "ppq", "npq"},
                                         KeyCase{"technique", "flush", "context_switch", "dss", "fcfs"},
                                         KeyCase{"access", "shared", "exclusive", "ppq", "dss"},
                                         KeyCase{"exclusive_scope", "all", "needed", "ppq", "fcfs"},
                                         KeyCase{"exclusive_scope", "all", "needed", "ppq", "time_slice"},
                                         KeyCase{"token_scope", "process", "kernel", "dss", "ppq"},
                                         KeyCase{"debt", "gap", "always", "dss", "npq"},
                                         KeyCase{"remainder", "once", "pool", "dss", "fcfs"},
                                         KeyCase{"time_slice_us", "100", "500", "time_slice", "ppq"},
                                         KeyCase{"turn", "kept", "passed", "time_slice", "ppq"},
                                         KeyCase{"linger_us", "50", "0", "ppq", "dss"}),
                         [](const auto& info) { return std::string(info.param.key) + "_under_" + info.param.other; });

TEST(PolicyKeys, AScopeOfExclusiveAccessIsReadWithExclusiveAccessAlone) {
  EXPECT_THAT(Schedulers("{policy: ppq, access: shared, exclusive_scope: all}").mistakes(),
              ElementsAre(mistake("scheduler.exclusive_scope", kUnread)));
}

TEST(PolicyKeys, TokensOfAProcessAreReadUnderDss) {
  Files files;
  EXPECT_THAT(files.mistakes(), IsEmpty());
  files.replace("experiment.yaml", kScheduler, "{policy: ppq}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("workload.processes.0.tokens", kUnread)));
  files.replace("experiment.yaml", "{policy: fcfs}", "{policy: dss}");
  EXPECT_THAT(files.mistakes(), IsEmpty());
}

TEST(PolicyKeys, ThoseOfTheFileAreLeftOutWithTokens) {
  const Spec spec = Files().load({"scheduler.policy=ppq"});
  EXPECT_THAT(spec.left_out_keys, ElementsAre("scheduler.token_scope", "workload.processes.0.tokens"));
  EXPECT_EQ(spec.processes[0].tokens, std::nullopt);
}

// A campaign takes its base for policies of its own.
TEST(PolicyKeys, AreKeptForWhoChoosesPoliciesLater) {
  const Schedulers files("{policy: fcfs, token_scope: process}");
  const Spec spec = load_experiment(files.path("experiment.yaml"), {}, Cores::kTlm, UnreadKeys::kKept);
  EXPECT_EQ(spec.scheduler.token_scope, TokenScope::kProcess);
}

}  // namespace
}  // namespace tessera::spec
