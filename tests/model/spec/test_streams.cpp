// SPDX-License-Identifier: Apache-2.0
// Streams, events, start times and runs: what YAML says of them, what it must not say, and what JSON keeps of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/launch_priorities.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kStreamsApp = "parts/app.yaml";
constexpr const char* kStreamsExperiment = "experiment.yaml";

constexpr const char* kWithStreams = R"(schema_version: 1
name: app
kernels:
  - {name: first, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, kernel_time_us: 5}
default_stream: legacy
streams:
  - {name: urgent, priority: 9, non_blocking: true}
  - {name: plain}
program:
  - wait: {event: done, stream: plain}
  - launch: {kernel: first, stream: urgent, start_us: 12.5}
  - record: {event: done, stream: urgent}
  - record: {event: other}
  - synchronise: {event: other}
  - synchronise: {stream: default}
  - copy: {direction: to_gpu, bytes: 1, stream: plain}
)";

struct FilesWithStreams : Files {
  FilesWithStreams() { write(kStreamsApp, kWithStreams); }
};

// ---- what is read ----------------------------------------------------------------------------------------------

TEST(SpecStreams, NamedStreamsAreNumberedFromOneBehindTheDefaultStream) {
  const ApplicationSpec application = FilesWithStreams().load().applications.at(0);
  EXPECT_EQ(std::get<WaitForEvent>(application.program[0]).stream, 2U);
  EXPECT_EQ(std::get<Launch>(application.program[1]).stream, 1U);
  EXPECT_EQ(std::get<RecordEvent>(application.program[3]).stream, 0U);
  EXPECT_EQ(std::get<Synchronise>(application.program[5]).stream, 0U);
  EXPECT_EQ(std::get<Copy>(application.program[6]).stream, 2U);
  EXPECT_EQ(application.num_streams(), 3U);
}

TEST(SpecStreams, HaveAPriorityOfTheirOwnOrNone) {
  const ApplicationSpec application = FilesWithStreams().load().applications.at(0);
  EXPECT_EQ(application.priority_of(0), std::nullopt);
  EXPECT_EQ(application.priority_of(1), 9U);
  EXPECT_EQ(application.priority_of(2), std::nullopt);
}

TEST(SpecStreams, BlockUnlessTheySayOtherwise) {
  const ApplicationSpec application = FilesWithStreams().load().applications.at(0);
  EXPECT_EQ(application.default_stream, DefaultStream::kLegacy);
  EXPECT_FALSE(application.is_blocking(1));
  EXPECT_TRUE(application.is_blocking(2));
}

TEST(SpecStreams, WithoutKeysStreamsAreNumbersAndTheDefaultStreamIsOneOfThem) {
  const ApplicationSpec application = Files().load().applications.at(0);
  EXPECT_EQ(application.default_stream, DefaultStream::kPerThread);
  EXPECT_THAT(application.streams, IsEmpty());
  EXPECT_EQ(application.priority_of(2), std::nullopt);
}

TEST(SpecStreams, NumberedStreamsMayHaveANullStreamToo) {
  Files files;
  files.replace(kStreamsApp, "program:", "default_stream: legacy\nprogram:");
  const ApplicationSpec application = files.load().applications.at(0);
  EXPECT_EQ(application.default_stream, DefaultStream::kLegacy);
  EXPECT_TRUE(application.is_blocking(2));
}

TEST(SpecStreams, AnEventMayBeWaitedForBeforeTheStepThatRecordsIt) {
  const ApplicationSpec application = FilesWithStreams().load().applications.at(0);
  EXPECT_THAT(application.events, ElementsAre("done", "other"));
  EXPECT_EQ(std::get<WaitForEvent>(application.program[0]).event, 0U);
  EXPECT_EQ(std::get<RecordEvent>(application.program[2]).event, 0U);
  EXPECT_EQ(std::get<Synchronise>(application.program[4]).event, 1U);
}

TEST(SpecStreams, ALaunchHasAStartOrNone) {
  EXPECT_EQ(std::get<Launch>(FilesWithStreams().load().applications.at(0).program[1]).start, 12'500'000U);
  EXPECT_EQ(std::get<Launch>(Files().load().applications.at(0).program[3]).start, 0U);
}

// ---- priorities of launches ------------------------------------------------------------------------------------

Spec with_processes(std::vector<std::uint32_t> priorities, std::vector<StreamSpec> streams_of_first) {
  Spec spec;
  for (const std::uint32_t priority : priorities) {
    spec.processes.emplace_back().priority = priority;
    spec.processes.back().application = static_cast<std::uint32_t>(spec.applications.size());
    spec.applications.emplace_back();
  }
  spec.applications[0].streams = std::move(streams_of_first);
  return spec;
}

TEST(LaunchPriorities, AreThoseOfProcessesWhereNoStreamHasOne) {
  const Spec spec = with_processes({7, 3}, {{"plain", {}, false}});
  const LaunchPriorities priorities(spec);
  EXPECT_EQ(priorities.of(0, 1), 7U);
  EXPECT_EQ(priorities.of_process(1), 3U);
  EXPECT_EQ(priorities.num_levels(), 0U);
}

TEST(LaunchPriorities, RankProcessesFirstAndTheirStreamsWithin) {
  const Spec spec = with_processes({3, 7, 3}, {{"urgent", 9, false}, {"middle", 4, false}, {"plain", {}, false}});
  const LaunchPriorities priorities(spec);
  EXPECT_EQ(priorities.of_process(0), 0U);
  EXPECT_EQ(priorities.of(0, 3), 0U);
  EXPECT_EQ(priorities.of_process(2), 0U);  // an equal of the other's streams without one
  EXPECT_EQ(priorities.of(0, 2), 1U);
  EXPECT_EQ(priorities.of(0, 1), 2U);
  EXPECT_EQ(priorities.of_process(1), 3U);
}

// Two processes of 8 priorities each fit a register of 4 bits, of 9 they do not.
TEST(SpecStreams, AndTheirProcessesTogetherHaveAtMost16Priorities) {
  const auto mistakes_with = [](int most) {
    std::string streams;
    for (int i = 1; i <= most; ++i) streams += fmt::format("\n  - {{name: s{0}, priority: {0}}}", i);
    FilesWithStreams files;
    files.replace(kStreamsApp, "{name: plain}", "{name: plain}" + streams);
    return files.mistakes();
  };
  EXPECT_THAT(mistakes_with(6), IsEmpty());
  const auto mistakes = mistakes_with(7);
  ASSERT_EQ(mistakes.size(), 1U) << testing::PrintToString(mistakes);
  EXPECT_EQ(mistakes[0].key, "workload.processes");
  EXPECT_THAT(mistakes[0].problem, HasSubstr("too many priorities"));
}

TEST(SpecStreams, HaveNoPrioritiesBesideADriverThatWritesItsOwn) {
  for (const char* const driver : {"{kind: timegraph}", "{kind: gloop, on_timeout: preempt}"}) {
    FilesWithStreams files;
    files.replace(kStreamsExperiment, "scheduler:", std::string("driver: ") + driver + "\nscheduler:");
    EXPECT_THAT(testing::PrintToString(files.mistakes()), HasSubstr("beside which streams have none")) << driver;
  }
}

// ---- what is wrong ---------------------------------------------------------------------------------------------

struct StreamMistake {
  const char* name;
  const char* from;
  const char* to;
  const char* at;  // the mistake's position is the first occurrence of this text in the damaged file
  const char* key;
  const char* problem;
};
void PrintTo(const StreamMistake& mistake, std::ostream* out) { *out << mistake.name; }

class SpecStreamMistake : public testing::TestWithParam<StreamMistake> {};

TEST_P(SpecStreamMistake, IsReportedOnceWhereItStands) {
  const StreamMistake& mistake = GetParam();
  FilesWithStreams files;
  files.replace(kStreamsApp, mistake.from, mistake.to);
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U) << testing::PrintToString(mistakes);
  EXPECT_EQ(mistakes[0].key, mistake.key);
  EXPECT_THAT(mistakes[0].problem, HasSubstr(mistake.problem));
  const auto [line, column] = files.position_of(kStreamsApp, mistake.at);
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

const std::vector<StreamMistake> kStreamMistakes = {
    {"NoSuchStream", "first, stream: urgent", "first, stream: urgnet", "urgnet", "program.1.launch.stream",
     "no such stream"},
    {"ANumberForAName", "first, stream: urgent", "first, stream: 1", "1, start_us", "program.1.launch.stream",
     "no such stream"},
    {"PriorityOfAStream", "priority: 9", "priority: 16", "16", "streams.0.priority", "out of range"},
    {"KeyOfAStream", "non_blocking: true", "nonblocking: true", "nonblocking", "streams.0.nonblocking", "unknown key"},
    {"StreamWithoutAName", "name: plain}", "name: plain}\n  - {priority: 1}", "{priority: 1}", "streams.2.name",
     "is missing"},
    {"StreamThatStepsNameWithoutAName", "{name: plain}", "{priority: 1}", "{priority: 1}", "streams.1.name",
     "is missing"},
    {"StreamsThatAreNoList", "\n  - {name: urgent, priority: 9, non_blocking: true}\n  - {name: plain}", " 3",
     "3\nprogram", "streams", "must be a list"},
    {"SameStreamTwice", "name: plain}", "name: plain}\n  - {name: urgent}", "urgent}", "streams.2.name",
     "duplicate name"},
    {"NameOfTheDefaultStream", "name: plain}", "name: plain}\n  - {name: default}", "default}", "streams.2.name",
     "every application has"},
    {"DefaultStream", "legacy", "lagacy", "lagacy", "default_stream", "nearest is legacy"},
    {"EventThatNobodyRecords", "wait: {event: done", "wait: {event: dune", "dune", "program.0.wait.event",
     "no step of this program records this event"},
    {"SynchroniseWithSuchAnEvent", "synchronise: {event: other}", "synchronise: {event: tother}", "tother",
     "program.4.synchronise.event", "no step of this program records this event"},
    {"WaitWithoutAnEvent", "wait: {event: done, ", "wait: {", "{stream: plain}", "program.0.wait.event", "is missing"},
    {"RecordWithoutAnEvent", "record: {event: done, ", "record: {", "{stream: urgent}", "program.2.record.event",
     "is missing"},
    {"SynchroniseWithTwoThings", "synchronise: {event: other}", "synchronise: {event: done, stream: plain}",
     "done, stream: plain}\n  - sync", "program.4.synchronise.event", "cannot be combined with stream"},
    {"StartInThePast", "start_us: 12.5", "start_us: -1", "-1", "program.1.launch.start_us", "is negative"},
    {"StartOfACopy", "bytes: 1,", "bytes: 1, start_us: 1,", "start_us: 1,", "program.6.copy.start_us", "unknown key"},
};

INSTANTIATE_TEST_SUITE_P(All, SpecStreamMistake, testing::ValuesIn(kStreamMistakes),
                         [](const testing::TestParamInfo<StreamMistake>& test) {
                           return std::string(test.param.name);
                         });

TEST(SpecStreams, AnUnrecordedEventIsAnsweredWithTheNearestThatIsRecorded) {
  FilesWithStreams files;
  files.replace(kStreamsApp, "wait: {event: done", "wait: {event: dune");
  ASSERT_EQ(files.mistakes().size(), 1U);
  EXPECT_EQ(files.mistakes()[0].allowed, "nearest known event: done");
}

TEST(SpecStreams, AreSixtyFourAtMostWithTheDefaultStream) {
  const auto streams = [](int count) {
    std::string list = "streams:\n  - {name: urgent}\n  - {name: plain}\n";
    for (int i = 2; i < count; ++i) list += "  - {name: s" + std::to_string(i) + "}\n";
    FilesWithStreams files;
    files.replace(kStreamsApp, "streams:\n  - {name: urgent, priority: 9, non_blocking: true}\n  - {name: plain}\n",
                  list);
    return files.mistakes();
  };
  EXPECT_THAT(streams(63), IsEmpty());
  ASSERT_EQ(streams(64).size(), 1U);
  EXPECT_THAT(streams(64)[0].problem, HasSubstr("too many streams"));
}

// ---- runs ------------------------------------------------------------------------------------------------------

// The foreground process ends after two.
struct FilesWithRuns : Files {
  explicit FilesWithRuns(const std::string& stop) {
    replace(kStreamsExperiment, "start_us: 1.5}", "start_us: 1.5, runs: 2}");
    replace(kStreamsExperiment, "{min_runs: 2, max_time_us: 5000}", stop);
  }
};

TEST(SpecRuns, OfAProcessAreForEverUnlessItSaysOtherwise) {
  const Spec spec = FilesWithRuns("{min_runs: 2}").load();
  EXPECT_EQ(spec.processes[0].runs, 2U);
  EXPECT_EQ(spec.processes[1].runs, std::nullopt);
}

TEST(SpecRuns, TheStopRuleAsksForNoMoreRunsThanAProcessHas) {
  EXPECT_EQ(FilesWithRuns("{max_time_us: 5000}").load().stop.min_runs, 2U);  // not 3, the default
  EXPECT_EQ(FilesWithRuns("{min_runs: 1}").load().stop.min_runs, 1U);
}

TEST(SpecRuns, AStopRuleThatAsksForMoreIsOneMistake) {
  const FilesWithRuns files("{min_runs: 3}");
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U);
  const auto [line, column] = files.position_of(kStreamsExperiment, "3}\nchecks");
  EXPECT_EQ(to_string(mistakes[0]), files.path(kStreamsExperiment) + ":" + std::to_string(line) + ":" +
                                        std::to_string(column) +
                                        ": stop.min_runs: process 'front' ends before it has so many runs (3; at most "
                                        "its runs: 2)");
}

TEST(SpecRuns, OfABackgroundProcessDoNotConcernTheStopRule) {
  Files files;
  files.replace(kStreamsExperiment, "background: true", "background: true, runs: 1");
  EXPECT_EQ(files.load().stop.min_runs, 2U);
}

TEST(SpecRuns, AreOneAtLeast) {
  Files files;
  files.replace(kStreamsExperiment, "background: true", "background: true, runs: 0");
  ASSERT_EQ(files.mistakes().size(), 1U);
  EXPECT_EQ(files.mistakes()[0].key, "workload.processes.1.runs");
}

// ---- JSON ------------------------------------------------------------------------------------------------------

TEST(SpecStreams, LoadBackFromJsonToTheSameSpec) {
  FilesWithStreams files;
  files.replace(kStreamsExperiment, "start_us: 1.5}", "start_us: 1.5, runs: 1}");
  files.replace(kStreamsExperiment, "min_runs: 2, ", "");
  const Spec first = files.load();
  nlohmann::ordered_json json = to_json(first);
  for (auto& process : json["workload"]["processes"]) process["application"] = json["applications"][0];
  json.erase("applications");
  files.write(kStreamsExperiment, json_text(json, 2));
  const Spec second = files.load();
  EXPECT_EQ(to_json(first), to_json(second));
  EXPECT_EQ(content_hash(first), content_hash(second));
}

TEST(SpecStreams, ChangeTheHashOfASpec) {
  const std::string before = content_hash(FilesWithStreams().load());
  for (const auto& [from, to] :
       std::vector<std::pair<const char*, const char*>>{{"legacy", "per_thread"},
                                                        {"priority: 9", "priority: 8"},
                                                        {"blocking: true", "blocking: false"},
                                                        {"12.5", "12.6"},
                                                        {"wait: {event: done", "wait: {event: other"}}) {
    FilesWithStreams files;
    files.replace(kStreamsApp, from, to);
    EXPECT_NE(content_hash(files.load()), before) << to;
  }
}

TEST(SpecStreams, LeaveTheJsonOfASpecWithoutThemAsItWas) {
  const std::string text = json_text(to_json(Files().load()));
  for (const char* key : {R"("streams")", R"("default_stream")", R"("runs")", R"("event")"}) {
    EXPECT_THAT(text, testing::Not(HasSubstr(key)));
  }
}

}  // namespace
}  // namespace tessera::spec
