// SPDX-License-Identifier: Apache-2.0
// Processes whose runs are released: periodic, drawn or recorded. What the Spec says of them, that it loads back from
// its JSON, and that each mistake is one line where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "model/spec/json_text.h"
#include "model/spec/readers.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr Picoseconds kUs = 1'000'000;

const std::string kFront = "workload.processes.0.";  // a process of the small experiment, by its keys

std::vector<std::string> of_front(const std::vector<std::string>& settings) {
  std::vector<std::string> all;
  for (const std::string& setting : settings) all.push_back(kFront + setting);
  return all;
}

ProcessSpec front_with(const Files& files, const std::vector<std::string>& settings) {
  return files.load(of_front(settings)).processes.at(0);
}

// An experiment whose front process takes its arrivals from a file of this text.
void set_arrivals(Files& files, const std::string& text, const std::string& more = "") {
  files.write("parts/arrivals.txt", text);
  files.replace("experiment.yaml", "start_us: 1.5",
                "start_us: 1.5, arrivals: file, arrivals_file: parts/arrivals.txt" + more);
}

// ---- what the keys mean -------------------------------------------------------------------------------------------

TEST(SpecReleases, AProcessWithoutTheKeysRunsBackToBack) {
  EXPECT_FALSE(Files().load().processes[0].releases.has_value());
}

TEST(SpecReleases, APeriodMakesAProcessPeriodicAndIsItsDeadline) {
  const ProcessSpec process = front_with({}, {"period_us=16.5"});
  ASSERT_TRUE(process.releases.has_value());
  EXPECT_EQ(process.releases->arrivals, Arrivals::kPeriodic);
  EXPECT_EQ(process.releases->period, 16 * kUs + kUs / 2);
  EXPECT_EQ(process.releases->offset, 0U);
  EXPECT_EQ(process.releases->overrun, Overrun::kQueue);
  EXPECT_EQ(process.deadline, process.releases->period);
}

TEST(SpecReleases, ADeadlineMayBeLongerThanThePeriodAndShorter) {
  for (const std::uint64_t deadline : {5U, 50U}) {
    const ProcessSpec process = front_with({}, {"period_us=16", "deadline_us=" + std::to_string(deadline)});
    EXPECT_EQ(process.deadline, deadline * kUs);
  }
}

TEST(SpecReleases, ThoseThatAreDrawnHaveNoDeadlineOfTheirOwnAccord) {
  const ProcessSpec process = front_with({}, {"period_us=16", "arrivals=poisson", "overrun=skip", "offset_us=2"});
  EXPECT_EQ(process.releases->arrivals, Arrivals::kPoisson);
  EXPECT_EQ(process.releases->overrun, Overrun::kSkip);
  EXPECT_EQ(process.releases->offset, 2 * kUs);
  EXPECT_EQ(process.deadline, std::nullopt);
}

TEST(SpecReleases, AFileHasATimeALineAndCommentsAndEndsTheProcess) {
  Files files;
  set_arrivals(files, "# recorded\n0\n  1.5 # twice\n1.5\r\n\n\t300.000001");
  const ProcessSpec process = files.load().processes[0];
  ASSERT_TRUE(process.releases.has_value());
  EXPECT_THAT(process.releases->times, ElementsAre(0, kUs + kUs / 2, kUs + kUs / 2, 300 * kUs + 1));
  EXPECT_EQ(process.runs, 4U);
  EXPECT_EQ(process.deadline, std::nullopt);
  EXPECT_EQ(files.load(of_front({"runs=3"})).processes[0].runs, 3U);
}

TEST(SpecReleases, TimesMayStandInTheExperiment) {
  const ProcessSpec process = front_with({}, {"arrivals=file", "arrival_times_us=[1, 2.5]"});
  EXPECT_THAT(process.releases->times, ElementsAre(kUs, 2 * kUs + kUs / 2));
}

TEST(SpecReleases, WhoeverHasThemHasADeadlineThatEdfOrdersBy) {
  EXPECT_THAT(Files().mistakes({"scheduler.policy=edf", kFront + "period_us=5"}), ElementsAre());
}

TEST(SpecReleases, FewerArrivalsThanTheExperimentWaitsForEndIt) {
  Files files;
  files.replace("experiment.yaml", "min_runs: 2, ", "");
  set_arrivals(files, "1\n2\n");
  EXPECT_EQ(files.load().stop.min_runs, 2U) << "and not the default of 3";
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

// The JSON as an experiment: JSON is YAML, and the applications go where they are named.
std::string as_experiment_again(nlohmann::ordered_json json) {
  for (auto& process : json["workload"]["processes"]) process["application"] = json["applications"][0];
  json.erase("applications");
  return json_text(json, 2);
}

TEST(SpecReleases, LoadBackFromTheirJsonWithoutTheirFile) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{"period_us=16.25", "offset_us=0.5", "overrun=skip", "runs=9"},
        std::vector<std::string>{"period_us=16.25", "arrivals=poisson", "deadline_us=3"}, std::vector<std::string>{}}) {
    Files files;
    if (settings.empty()) set_arrivals(files, "0.5\n7\n", ", overrun: skip");
    const Spec first = files.load(of_front(settings));
    Files other;  // a folder without the arrivals
    other.write("experiment.yaml", as_experiment_again(to_json(first)));
    EXPECT_EQ(to_json(first), to_json(other.load()));
  }
}

TEST(SpecReleases, AreInTheJsonOnlyWhereThereAreSome) {
  const Files files;
  const std::string plain = json_text(to_json(files.load()));
  for (const char* key : {"period_us", "offset_us", "arrivals", "overrun", "arrival_times_us"}) {
    EXPECT_THAT(plain, Not(HasSubstr(key)));
  }
  const auto json = to_json(files.load(of_front({"period_us=5"})))["workload"]["processes"];
  EXPECT_EQ(json[0]["arrivals"], "periodic");
  EXPECT_EQ(json[0]["overrun"], "queue");
  EXPECT_FALSE(json[1].contains("arrivals"));
}

TEST(SpecReleases, EachKeyChangesTheHash) {
  const Files files;
  std::set<std::string> hashes{content_hash(files.load())};
  const std::vector<std::vector<std::string>> changes = {{"period_us=5"},
                                                         {"period_us=6"},
                                                         {"period_us=5", "offset_us=1"},
                                                         {"period_us=5", "overrun=skip"},
                                                         {"period_us=5", "arrivals=poisson"},
                                                         {"arrivals=file", "arrival_times_us=[5, 6]"}};
  for (const auto& change : changes) hashes.insert(content_hash(files.load(of_front(change))));
  EXPECT_EQ(hashes.size(), changes.size() + 1);
}

// ---- mistakes
// ---------------------------------------------------------------------------------------------------------

struct ReleaseMistake {
  const char* name;
  std::vector<std::string> settings;
  const char* key;
  const char* problem;
};
void PrintTo(const ReleaseMistake& mistake, std::ostream* out) { *out << mistake.name; }

class SpecReleaseMistake : public testing::TestWithParam<ReleaseMistake> {};

TEST_P(SpecReleaseMistake, IsOneLine) {
  const ReleaseMistake& made = GetParam();
  EXPECT_THAT(Files().mistakes(of_front(made.settings)), ElementsAre(mistake(kFront + made.key, made.problem)));
}

const std::vector<ReleaseMistake> kReleaseMistakes = {
    {"OffsetAlone", {"offset_us=5"}, "offset_us", "only valid with a period"},
    {"OverrunAlone", {"overrun=skip"}, "overrun", "only valid with a period"},
    {"PoissonWithoutPeriod", {"arrivals=poisson"}, "arrivals", "only valid with a period"},
    {"PeriodicWithoutPeriod", {"arrivals=periodic"}, "arrivals", "only valid with a period"},
    {"FileWithPeriod", {"arrivals=file", "period_us=5", "arrival_times_us=[1]"}, "period_us", "cannot be combined"},
    {"FileWithoutFile", {"arrivals=file"}, "arrivals", "has no file"},
    {"TimesWithoutFile", {"arrival_times_us=[1]"}, "arrival_times_us", "arrivals: file only"},
    {"TimesWithPeriod", {"period_us=4", "arrival_times_us=[1]"}, "arrival_times_us", "arrivals: file only"},
    {"NoTimes", {"arrivals=file", "arrival_times_us=[]"}, "arrival_times_us", "is empty"},
    {"TimesThatAreNoList", {"arrivals=file", "arrival_times_us=5"}, "arrival_times_us", "must be a list"},
    {"TimesThatFall", {"arrivals=file", "arrival_times_us=[1, 3, 2]"}, "arrival_times_us.2", "is earlier than"},
    {"TimeThatIsAWord", {"arrivals=file", "arrival_times_us=[1, soon]"}, "arrival_times_us.1", "not a plain decimal"},
    {"MoreRunsThanTimes",
     {"arrivals=file", "arrival_times_us=[1, 2]", "runs=3"},
     "runs",
     "more than there are arrivals"},
    {"UnknownArrivals", {"arrivals=random", "period_us=5"}, "arrivals", "is unknown"},
    {"UnknownOverrun", {"overrun=drop", "period_us=5"}, "overrun", "is unknown"},
    {"PeriodOfNothing", {"period_us=0"}, "period_us", "out of range"},
    {"PeriodShorterThanAnyLaunch", {"period_us=0.099999"}, "period_us", "out of range"},
    {"DeadlineOfNothing", {"period_us=5", "deadline_us=0"}, "deadline_us", "out of range"},
    {"NegativeOffset", {"period_us=5", "offset_us=-1"}, "offset_us", "is negative"},
    {"FileThatIsNot", {"arrivals=file", "arrivals_file=none.txt"}, "arrivals_file", "cannot be read"},
    {"FileThatIsAList", {"arrivals=file", "arrivals_file=[1]"}, "arrivals_file", "must be a path"},
};

INSTANTIATE_TEST_SUITE_P(All, SpecReleaseMistake, testing::ValuesIn(kReleaseMistakes),
                         [](const testing::TestParamInfo<ReleaseMistake>& test) {
                           return std::string(test.param.name);
                         });

TEST(SpecReleaseMistakes, InAFileOfArrivalsStandAtTheirLineAndColumn) {
  struct BadLine {
    const char* text;
    const char* at;
    const char* problem;
  };
  for (const BadLine& damage :
       {BadLine{"1\n  soon # a word\n", "soon", "is not a plain decimal number"},
        BadLine{"1\n2\n  1.5\n", "1.5", "is earlier than the arrival ahead of it"},
        BadLine{"1\n2.0000001\n", "2.0", "more than 6 digits"}, BadLine{"1\n-2\n", "-2", "is negative"},
        BadLine{"1\n2 3\n", "2 3", "not a plain decimal"}, BadLine{"1\n\x04\n", "\x04", "a control character"},
        BadLine{"# nothing\n", "# nothing", "holds no arrival"}}) {
    Files files;
    set_arrivals(files, damage.text);
    const auto mistakes = files.mistakes();
    ASSERT_THAT(mistakes, ElementsAre(mistake("", damage.problem))) << damage.text;
    const auto [line, column] = files.position_of("parts/arrivals.txt", damage.at);
    EXPECT_EQ(mistakes[0].file, files.path("parts/arrivals.txt"));
    EXPECT_EQ(mistakes[0].line, line) << damage.text;
    EXPECT_EQ(mistakes[0].column, column) << damage.text;
  }
}

TEST(SpecReleaseMistakes, OfAFileAndOfTheExperimentAreAllReported) {
  Files files;
  set_arrivals(files, "x\n1\ny\n", ", offset_us: z");
  files.replace("experiment.yaml", "priority: 3", "priority: 99");
  EXPECT_EQ(files.mistakes().size(), 4U);
}

TEST(SpecReleaseMistakes, AFileBesideTimesIsOneTooMany) {
  Files files;
  set_arrivals(files, "1\n", ", arrival_times_us: [1]");
  EXPECT_THAT(files.mistakes(),
              ElementsAre(mistake(kFront + "arrival_times_us", "cannot be combined with arrivals_file")));
}

TEST(SpecReleaseMistakes, AFileHasALimit) {
  Files files;
  std::string text;
  for (std::size_t i = 0; i <= kMaxArrivals; ++i) text += "1\n";
  set_arrivals(files, text);
  const auto mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake("", "is one arrival too many")));
  EXPECT_EQ(mistakes[0].line, static_cast<int>(kMaxArrivals) + 1);
}

}  // namespace
}  // namespace tessera::spec
