// SPDX-License-Identifier: Apache-2.0
// Hosts with cores, and processes on them: what the Spec says, that it loads back from its JSON, and that each mistake
// is one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

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

const std::string kFirst = "workload.processes.0.";

std::vector<std::string> with_cores(std::vector<std::string> more = {}) {
  more.emplace_back("host.cores=4");
  return more;
}

TEST(SpecHostCores, AreNoneUnlessGiven) {
  const Files files;
  const Spec spec = files.load();
  EXPECT_FALSE(spec.host.cpu);
  for (const char* key : {"cores", "cpu_priority", "wake_us", "\"wait\": "}) {
    EXPECT_THAT(json_text(to_json(spec)), Not(HasSubstr(key)));
  }
}

TEST(SpecHostCores, CountTheirThreads) {
  const Files files;
  const Spec spec = files.load(with_cores({"host.threads_per_core=2", "host.wake_us=7.5"}));
  EXPECT_EQ(spec.host.cpu->num_threads(), 8U);
  EXPECT_EQ(spec.host.cpu->wake, 7'500'000U);
  EXPECT_THAT(cores_of(spec.processes[0], *spec.host.cpu), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(SpecHostCores, WakeAProcessWithinTheInterruptsTimeUnlessSaidOtherwise) {
  const Files files;
  EXPECT_EQ(files.load(with_cores({"host.interrupt_us=4"})).host.cpu->wake, 4'000'000U);
}

TEST(SpecHostCores, AreThoseThatAProcessNames) {
  const Files files;
  const Spec spec = files.load(with_cores({kFirst + "cores=[3, 1]", kFirst + "cpu_priority=99", kFirst + "wait=spin"}));
  EXPECT_THAT(spec.processes[0].cores, ElementsAre(1, 3));
  EXPECT_EQ(spec.processes[0].cpu_priority, 99U);
  EXPECT_EQ(spec.processes[0].wait, WaitKind::kSpin);
  EXPECT_EQ(spec.processes[1].wait, WaitKind::kSleep);
}

TEST(SpecHostCores, LoadBackFromTheirJson) {
  const Files files;
  const Spec first = files.load(
      with_cores({"host.threads_per_core=2", "host.wake_us=9", kFirst + "cores=[0, 7]", kFirst + "wait=spin"}));
  nlohmann::ordered_json json = to_json(first);
  for (auto& process : json["workload"]["processes"]) process["application"] = json["applications"][0];
  json.erase("applications");
  Files other;
  other.write("experiment.yaml", json_text(json, 2));
  EXPECT_EQ(to_json(first), to_json(other.load()));
}

TEST(SpecHostCores, EachKeyChangesTheHash) {
  const Files files;
  const std::vector<std::vector<std::string>> changes = {{},
                                                         {"host.threads_per_core=2"},
                                                         {"host.wake_us=9"},
                                                         {kFirst + "cores=[0, 2]"},
                                                         {kFirst + "cpu_priority=1"},
                                                         {kFirst + "wait=spin"}};
  std::set<std::string> hashes{content_hash(files.load())};
  for (const auto& change : changes) hashes.insert(content_hash(files.load(with_cores(change))));
  EXPECT_EQ(hashes.size(), changes.size() + 1);
}

// ---- mistakes --------------------------------------------------------------------------------------------------

struct CoreMistake {
  const char* name;
  std::vector<std::string> settings;
  std::string key;
  const char* problem;
};
void PrintTo(const CoreMistake& mistake, std::ostream* out) { *out << mistake.name; }

class SpecHostCoreMistake : public testing::TestWithParam<CoreMistake> {};

TEST_P(SpecHostCoreMistake, IsOneLine) {
  const CoreMistake& made = GetParam();
  EXPECT_THAT(Files().mistakes(made.settings), ElementsAre(mistake(made.key, made.problem)));
}

const std::vector<CoreMistake> kCoreMistakes = {
    {"NoCores", {"host.cores=0"}, "host.cores", "out of range"},
    {"NoCoresAndAProcessOnOne", {"host.cores=0", kFirst + "cores=[1]"}, "host.cores", "out of range"},
    {"ThreadsWithoutCores", {"host.threads_per_core=2"}, "host.threads_per_core", "only valid with cores"},
    {"WakeWithoutCores", {"host.wake_us=5"}, "host.wake_us", "only valid with cores"},
    {"WakeBeforeTheInterrupt", with_cores({"host.wake_us=2.999999"}), "host.wake_us", "shorter than interrupt_us"},
    {"CoresWithoutHostCores", {kFirst + "cores=[0]"}, kFirst + "cores", "only valid with host.cores"},
    {"PriorityWithoutHostCores", {kFirst + "cpu_priority=1"}, kFirst + "cpu_priority", "only valid with host.cores"},
    {"WaitWithoutHostCores", {kFirst + "wait=sleep"}, kFirst + "wait", "only valid with host.cores"},
    {"CoreThatIsNot", with_cores({kFirst + "cores=[0, 4]"}), kFirst + "cores.1", "out of range"},
    {"CoreTwice", with_cores({kFirst + "cores=[2, 1, 2]"}), kFirst + "cores.2", "is named twice"},
    {"CoreThatIsAWord", with_cores({kFirst + "cores=[first]"}), kFirst + "cores.0", "is not"},
    {"ProcessWithoutACore", with_cores({kFirst + "cores=[]"}), kFirst + "cores", "is empty"},
    {"CoresThatAreNoList", with_cores({kFirst + "cores=1"}), kFirst + "cores", "must be a list"},
    {"PriorityThatIsNot", with_cores({kFirst + "cpu_priority=100"}), kFirst + "cpu_priority", "out of range"},
    {"UnknownWait", with_cores({kFirst + "wait=yield"}), kFirst + "wait", "is unknown"},
};

INSTANTIATE_TEST_SUITE_P(All, SpecHostCoreMistake, testing::ValuesIn(kCoreMistakes),
                         [](const testing::TestParamInfo<CoreMistake>& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::spec
