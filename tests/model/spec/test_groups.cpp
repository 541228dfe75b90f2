// SPDX-License-Identifier: Apache-2.0
// Command groups in a program: what YAML says of them, what it must not say, and what JSON keeps of them.
// Positions are computed from the damaged text, problems are those that the reader states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/read_program.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGroupsApp = "parts/app.yaml";

constexpr const char* kWithGroups = R"(schema_version: 1
name: app
kernels:
  - {name: first, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, kernel_time_us: 5}
  - {name: second, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, kernel_time_us: 5}
program:
  - launch: {kernel: second}
  - loop:
      count: 2
      body:
        - group:
            - copy: {direction: to_gpu, bytes: 16, stream: 3}
            - loop: {count: 4, body: [{launch: {kernel: first, stream: 3}}, {launch: {kernel: second, stream: 3}}]}
            - copy: {direction: to_host, bytes: 16, stream: 3, mode: async}
  - group: [{launch: {kernel: first}}]
)";

struct FilesWithGroups : Files {
  FilesWithGroups() { write(kGroupsApp, kWithGroups); }
  ApplicationSpec application() const { return load().applications.at(0); }
};

const Group& group_in_loop(const ApplicationSpec& application) {
  return std::get<Group>(std::get<Loop>(application.program.at(1)).body.at(0));
}

// ---- what is read ----------------------------------------------------------------------------------------------

TEST(SpecGroups, HoldTheirStepsAndTheStreamOfThese) {
  const ApplicationSpec application = FilesWithGroups().application();
  const Group& group = group_in_loop(application);
  EXPECT_EQ(group.stream, 3U);
  ASSERT_EQ(group.work.size(), 3U);
  EXPECT_EQ(std::get<Copy>(group.work[0]).bytes, 16U);
  EXPECT_EQ(std::get<Loop>(group.work[1]).body.size(), 2U);
  EXPECT_EQ(std::get<Group>(application.program.at(2)).stream, 0U);
}

TEST(SpecGroups, CopiesInThemDoNotWait) {
  const ApplicationSpec application = FilesWithGroups().application();
  EXPECT_TRUE(std::get<Copy>(group_in_loop(application).work[0]).is_async);
  EXPECT_TRUE(std::get<Copy>(group_in_loop(application).work[2]).is_async);
}

TEST(SpecGroups, CountWhereLaunchesAndStreamsAreCounted) {
  const ApplicationSpec application = FilesWithGroups().application();
  EXPECT_EQ(application.num_streams(), 4U);
  EXPECT_EQ(launches_per_run(application), (std::vector<std::uint64_t>{2 * 4 + 1, 1 + 2 * 4}));
}

// ---- what is wrong ---------------------------------------------------------------------------------------------

struct GroupMistake {
  const char* name;
  const char* to;  // what the last group holds instead
  const char* at;  // the mistake's position is the first occurrence of this text in the damaged file
  const char* key;
  const char* problem;
};
void PrintTo(const GroupMistake& mistake, std::ostream* out) { *out << mistake.name; }

class SpecGroupMistake : public testing::TestWithParam<GroupMistake> {};

TEST_P(SpecGroupMistake, IsReportedOnceWhereItStands) {
  const GroupMistake& mistake = GetParam();
  FilesWithGroups files;
  files.replace(kGroupsApp, "[{launch: {kernel: first}}]", mistake.to);
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U) << testing::PrintToString(mistakes);
  EXPECT_EQ(mistakes[0].key, mistake.key);
  EXPECT_THAT(mistakes[0].problem, HasSubstr(mistake.problem));
  const auto [line, column] = files.position_of(kGroupsApp, mistake.at);
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

const std::vector<GroupMistake> kGroupMistakes = {
    {"Empty", "[]", "[]", "program.2.group", "is empty"},
    {"NoList", "{launch: {kernel: first}}", "{launch: {kernel: first}}", "program.2.group", "must be a list"},
    {"CpuPhase", "[{cpu: {time_us: 7}}]", "{time_us: 7}", "program.2.group.0.cpu", "has no place in a group"},
    {"Synchronise", "[{launch: {kernel: first}}, {synchronise: {}}]", "{}", "program.2.group.1.synchronise",
     "has no place in a group"},
    {"Record", "[{launch: {kernel: first}}, {record: {event: e}}]", "{event: e}", "program.2.group.1.record",
     "has no place in a group"},
    {"Wait", "[{wait: {event: e}}]", "{event: e}", "program.2.group.0.wait", "has no place in a group"},
    {"GroupInAGroup", "[{group: [{launch: {kernel: first }}]}]", "[{launch: {kernel: first }}]",
     "program.2.group.0.group", "has no place in a group"},
    {"GroupInALoopOfAGroup", "[{loop: {count: 2, body: [{group: [{launch: {kernel: first }}]}]}}]",
     "[{launch: {kernel: first }}]", "program.2.group.0.loop.body.0.group", "has no place in a group"},
    {"NoSuchStep", "[{lunch: {kernel: first }}]", "lunch", "program.2.group.0.lunch", "unknown key"},
    {"TwoStreams", "[{launch: {kernel: first}}, {launch: {kernel: first, stream: 7}}]", "7}",
     "program.2.group.1.launch.stream", "another stream than that of the group's first command"},
    {"TwoStreamsInALoop",
     "[{launch: {kernel: first, stream: 6}}, {loop: {count: 2, body: [{copy: {direction: to_gpu, bytes: 77}}]}}]",
     "{direction: to_gpu, bytes: 77}", "program.2.group.1.loop.body.0.copy.stream", "another stream"},
    {"BadStream", "[{launch: {kernel: first, stream: 99}}, {launch: {kernel: first}}]", "99",
     "program.2.group.0.launch.stream", "out of range"},
    {"Start", "[{launch: {kernel: first, start_us: 77}}]", "77", "program.2.group.0.launch.start_us",
     "has no start of its own"},
    {"CopyThatWaits", "[{copy: {direction: to_gpu, bytes: 1, mode: sync}}]", "sync}}]", "program.2.group.0.copy.mode",
     "does not wait"},
    {"TooManyCommands", "[{loop: {count: 171, body: [{loop: {count: 3, body: [{launch: {kernel: first}}]}}]}}]",
     "[{loop: {count: 171", "program.2.group", "has too many commands"},
    {"FarTooManyCommands",
     "[{loop: {count: 1000000000, body: [{loop: {count: 1000000000, body: [{launch: {kernel: first}}, {loop: {count: "
     "1000000000, body: [{launch: {kernel: first}}]}}]}}]}}]",
     "[{loop: {count: 1000000000", "program.2.group", "has too many commands"},
};

INSTANTIATE_TEST_SUITE_P(All, SpecGroupMistake, testing::ValuesIn(kGroupMistakes),
                         [](const testing::TestParamInfo<GroupMistake>& test) { return std::string(test.param.name); });

TEST(SpecGroups, HoldFiveHundredAndTwelveCommandsAtMostAndAnyNumberOfGroupsFollow) {
  static_assert(kMaxGroupCommands == 512);
  FilesWithGroups files;
  const std::string launches = "[{loop: {count: 511, body: [{launch: {kernel: first}}]}}, {launch: {kernel: first}}";
  files.replace(kGroupsApp, "[{launch: {kernel: first}}]", launches + "]\n  - group: " + launches + "]");
  EXPECT_THAT(files.mistakes(), IsEmpty());
  files.replace(kGroupsApp, "{count: 511", "{count: 512");
  EXPECT_EQ(files.mistakes().size(), 1U);
}

// After one of a group, a step outside is as free as any.
TEST(SpecGroups, DoNotConcernTheStepsAroundThem) {
  FilesWithGroups files;
  files.replace(kGroupsApp, "[{launch: {kernel: first}}]",
                "[{launch: {kernel: first}}]\n  - launch: {kernel: first, stream: 5, start_us: 9}\n"
                "  - copy: {direction: to_gpu, bytes: 1}\n  - synchronise: {}");
  EXPECT_FALSE(std::get<Copy>(files.application().program.at(4)).is_async);
}

// ---- JSON ------------------------------------------------------------------------------------------------------

TEST(SpecGroups, LoadBackFromJsonToTheSameSpec) {
  FilesWithGroups files;
  const Spec first = files.load();
  nlohmann::ordered_json json = to_json(first);
  const auto& group = json["applications"][0]["program"][1]["loop"]["body"][0]["group"];
  ASSERT_TRUE(group.is_array());
  EXPECT_EQ(group[0]["copy"]["mode"], "async");
  for (auto& process : json["workload"]["processes"]) process["application"] = json["applications"][0];
  json.erase("applications");
  files.write("experiment.yaml", json_text(json, 2));
  const Spec second = files.load();
  EXPECT_EQ(to_json(first), to_json(second));
  EXPECT_EQ(content_hash(first), content_hash(second));
}

TEST(SpecGroups, ChangeTheHashOfASpec) {
  FilesWithGroups plain;
  plain.replace(kGroupsApp, "group: [{launch: {kernel: first}}]", "launch: {kernel: first}");
  EXPECT_NE(content_hash(FilesWithGroups().load()), content_hash(plain.load()));
}

}  // namespace
}  // namespace tessera::spec
