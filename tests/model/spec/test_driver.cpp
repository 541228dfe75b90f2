// SPDX-License-Identifier: Apache-2.0
// The keys of a driver, and TimeGraph's specification in a list or in a file: what they are without a word, that they
// come back as they were written, and every mistake in a line of its own, where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/names.h"
#include "model/spec/read_timegraph_entry.h"
#include "model/spec/schema/known_keys.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The experiment with this driver.
struct DriverFiles : Files {
  explicit DriverFiles(const std::string& driver) {
    replace("experiment.yaml", "baseline: {policy: fcfs}", "driver: " + driver);
  }
};

// ---- what they are
// ---------------------------------------------------------------------------------------------------

TEST(SpecDriver, WithoutAWordCommandsPassThroughAndNothingIsPrinted) {
  const Spec spec = Files().load();
  EXPECT_EQ(spec.driver.kind, DriverKind::kPassThrough);
  EXPECT_EQ(spec.baseline_driver.kind, DriverKind::kPassThrough);
  EXPECT_THAT(json_text(to_json(spec)), testing::Not(HasSubstr("driver")));
}

TEST(SpecDriver, AnEntryHasTheSixFieldsOfThePaper) {
  const DriverFiles files("{kind: timegraph, spec: [\"<front:PRT:AE:3:2500:25000.5>\", \"<app:HT:PE@pool:*:1:2>\"]}");
  const std::vector<TimegraphEntry> entries = files.load().driver.entries;
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].name, "front");
  EXPECT_EQ(entries[0].dispatch, GroupDispatch::kPrt);
  EXPECT_EQ(entries[0].reservation, Reservation::kApriori);
  EXPECT_EQ(entries[0].priority, 3U);
  EXPECT_EQ(entries[0].capacity, 2'500'000'000U);
  EXPECT_EQ(entries[0].period, 25'000'500'000U);
  EXPECT_EQ(entries[0].shared_reserve, "");
  EXPECT_EQ(entries[1].dispatch, GroupDispatch::kHt);
  EXPECT_EQ(entries[1].reservation, Reservation::kPosterior);
  EXPECT_EQ(entries[1].shared_reserve, "pool");
  EXPECT_FALSE(entries[1].priority.has_value());
}

TEST(SpecDriver, ASpecificationMayBeAFileWithCommentsBesideTheExperiment) {
  DriverFiles files("{kind: timegraph, spec: parts/timegraph.spec}");
  files.write("parts/timegraph.spec",
              "# who runs\n\n  <front:PRT:none:3:-:->  # the game\n<back:HT:background:*:-:->\n");
  const std::vector<TimegraphEntry> entries = files.load().driver.entries;
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(to_string(entries[0]), "<front:PRT:none:3:-:->");
  EXPECT_EQ(to_string(entries[1]), "<back:HT:background:*:-:->");
}

TEST(SpecDriver, WhatIsPrintedIsReadBackToTheSame) {
  DriverFiles files(
      "{kind: timegraph, spec: [\"<front:PRT:AE@p:3:2500:25000.5>\", \"<back:HT:PE:*:1:2>\"], limit_percent: 90,\n"
      "  default_priority: 2, invocation: tick, tick_us: 500, notifier: flag, arrival_us: 2, completion_us: 3,\n"
      "  prediction_us: 0.5, history_records: 7, history_scope: process, accounting: measured, online_scope: engine,\n"
      "  joins: higher_priority, max_online: 4, background: {capacity_us: 5, period_us: 10},\n"
      "  focus: [{at_us: 0, process: front}, {at_us: 7, process: back}]}\n"
      "baseline: {driver: {kind: pass_through}}");
  const Spec spec = files.load();
  EXPECT_EQ(spec.driver.focus.at(1).process, 1U);
  EXPECT_EQ(spec.baseline_driver.kind, DriverKind::kPassThrough);
  const nlohmann::ordered_json json = to_json(spec);
  const DriverFiles again(json["driver"].dump() + "\nbaseline: {driver: " + json["baseline"]["driver"].dump() + "}");
  const nlohmann::ordered_json read_back = to_json(again.load());
  EXPECT_EQ(read_back["driver"], json["driver"]);
  EXPECT_EQ(read_back["baseline"], json["baseline"]);
}

TEST(SpecDriver, ABaselineHasTheDriverOfTheExperimentUnlessItSaysOtherwise) {
  DriverFiles files("{kind: timegraph, limit_percent: 40}\nbaseline: {policy: fcfs}");
  EXPECT_EQ(files.load().baseline_driver.limit_percent, 40U);
  files.replace("experiment.yaml", "baseline: {policy: fcfs}", "baseline: {driver: {limit_percent: 30}}");
  EXPECT_EQ(files.load().baseline_driver.limit_percent, 30U);
  EXPECT_EQ(files.load().baseline_driver.kind, DriverKind::kTimegraph);
}

// ---- mistakes
// --------------------------------------------------------------------------------------------------------

struct BadEntry {
  const char* name;
  const char* entry;
  const char* field;  // as a file names it; none: the whole entry
  const char* at;     // where it stands
  const char* problem;
};
void PrintTo(const BadEntry& bad, std::ostream* out) { *out << bad.name; }

class BadSpecification : public testing::TestWithParam<BadEntry> {};

TEST_P(BadSpecification, IsOneLineWhereItStandsInAListAndInAFile) {
  const BadEntry& bad = GetParam();
  const DriverFiles list("{kind: timegraph, spec: [\"" + std::string(bad.entry) + "\"]}");
  ASSERT_THAT(list.mistakes(), ElementsAre(mistake("driver.spec.0", bad.problem)));

  DriverFiles files("{kind: timegraph, spec: parts/timegraph.spec}");
  files.write("parts/timegraph.spec", std::string("# a comment\n  ") + bad.entry + "\n");
  const std::vector<Diagnostic> mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake(bad.field, bad.problem)));
  const auto [line, column] = files.position_of("parts/timegraph.spec", bad.at);
  EXPECT_EQ(mistakes[0].file, files.path("parts/timegraph.spec"));
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

const BadEntry kBadEntries[] = {
    {"NoBrackets", "front:PRT:none:3:-:-", "", "front", "is not an entry of a specification"},
    {"TooFewFields", "<front:PRT:none:3:->", "", "<front", "is not an entry of a specification"},
    {"TooManyFields", "<front:PRT:none:3:-:-:->", "", "<front", "is not an entry of a specification"},
    {"UnknownName", "<frnt:PRT:none:3:-:->", "name", "frnt", "no process or application has this name"},
    {"SmallLetters", "<front:prt:none:3:-:->", "sched", "prt", "is not a scheduling policy"},
    {"UnknownReservation", "<front:PRT:PF:3:-:->", "resv", "PF", "is not a reservation"},
    {"NothingToShare", "<front:PRT:none@p:3:-:->", "resv", "none@p", "is not a reservation"},
    {"SharedWithoutName", "<front:PRT:PE@:3:1:2>", "resv", "PE@", "is not a reservation"},
    {"PriorityTooHigh", "<front:PRT:none:16:-:->", "prio", "16", "is out of range"},
    {"NegativePriority", "<front:PRT:none:-1:-:->", "prio", "-1", "is negative"},
    {"NoCapacity", "<front:PRT:PE:3:0:9>", "C", "0:9", "is out of range"},
    {"PeriodIsAWord", "<front:PRT:PE:3:7:x>", "T", "x", "is not a plain decimal number"},
    {"CapacityAbovePeriod", "<front:PRT:PE:3:9:7>", "C", "9:7", "a capacity above its period"},
    {"TimesWithoutBudget", "<front:PRT:none:3:5:->", "C", "5:", "only valid with PE or AE"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, BadSpecification, testing::ValuesIn(kBadEntries),
                         [](const testing::TestParamInfo<BadEntry>& test) { return std::string(test.param.name); });

TEST(SpecDriver, ANameMayHaveOneEntry) {
  const DriverFiles files("{kind: timegraph, spec: [\"<front:PRT:none:3:-:->\", \"<front:HT:none:2:-:->\"]}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.spec.1", "an earlier entry has this name")));
}

TEST(SpecDriver, WhoNamesASharedReserveSaysTheSameOfIt) {
  const DriverFiles files("{kind: timegraph, spec: [\"<front:PRT:PE@p:3:5:9>\", \"<back:PRT:PE@p:2:5:10>\"]}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.spec.1", "reserve 'p' is another one")));
}

TEST(SpecDriver, MistakesBetweenEntriesOfAFileNameTheFieldToo) {
  DriverFiles files("{kind: timegraph, spec: parts/timegraph.spec}");
  files.write("parts/timegraph.spec", "<front:PRT:PE@p:3:5:9>\n<front:HT:none:2:-:->\n<back:PRT:PE@p:2:5:10>\n");
  const std::vector<Diagnostic> mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake("name", "an earlier entry has this name"),
                                    mistake("resv", "reserve 'p' is another one")));
  EXPECT_EQ(mistakes[0].line, 2);
  EXPECT_EQ(mistakes[1].line, 3);
}

// The file is good; what is wrong stands in the experiment.
TEST(SpecDriver, AFileThatHasNoMeaningIsReportedWhereItIsNamed) {
  DriverFiles files("{kind: pass_through, spec: parts/timegraph.spec}");
  files.write("parts/timegraph.spec", "<front:PRT:none:3:-:->\n");
  const std::vector<Diagnostic> mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake("driver.spec", "only valid with kind")));
  const auto [line, column] = files.position_of("experiment.yaml", "spec: parts");
  EXPECT_EQ(mistakes[0].file, files.path("experiment.yaml"));
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

TEST(SpecDriver, AFileThatIsNotThereIsReportedWhereItIsNamed) {
  const DriverFiles files("{kind: timegraph, spec: parts/none.spec}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.spec", "cannot be read")));
}

// The readers themselves tell which keys there are, so that none is let pass by a list that forgot it.
TEST(SpecDriver, EveryKeyButTheKindIsRefusedWithoutTimeGraph) {
  std::size_t num_keys = 0;
  for (const KnownKey& known : known_keys(FileKind::kExperiment)) {
    const std::string prefix = "driver.";
    const bool is_direct =
        known.path.rfind(prefix, 0) == 0 && known.path.find_first_of(".[", prefix.size()) == std::string::npos;
    if (!is_direct || known.path == "driver.kind") continue;
    ++num_keys;
    const bool is_list = known.form.type.find("list") != std::string::npos;
    const std::string value = is_list ? "[]" : known.form.type == "mapping" ? "{}" : known.preset;
    const DriverFiles files("{" + known.path.substr(prefix.size()) + ": " + value + "}");
    EXPECT_THAT(files.mistakes(), ElementsAre(mistake(known.path, "only valid with kind")));
  }
  EXPECT_GE(num_keys, 17U);
}

TEST(SpecDriver, EachValueIsChecked) {
  const std::pair<const char*, const char*> bad[] = {
      {"limit_percent: 101", "is out of range"}, {"default_priority: 16", "is out of range"},
      {"invocation: poll", "is unknown"},        {"tick_us: 0", "is out of range"},
      {"notifier: irq", "is unknown"},           {"history_records: 0", "is out of range"},
      {"history_scope: all", "is unknown"},      {"accounting: none", "is unknown"},
      {"online_scope: sm", "is unknown"},        {"joins: all", "is unknown"},
      {"max_online: 257", "is out of range"},    {"arival_us: 1", "unknown key"},
  };
  for (const auto& [entry, problem] : bad) {
    const std::string text = entry;
    const DriverFiles files("{kind: timegraph, " + text + "}");
    EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver." + text.substr(0, text.find(':')), problem))) << text;
  }
}

TEST(SpecDriver, AFocusIsInOrderAndNamesAProcess) {
  const DriverFiles files(
      "{kind: timegraph, focus: [{at_us: 5, process: front}, {at_us: 4, process: back}, {at_us: 6, process: bck}]}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.focus.1.at_us", "is before the entry in front of it"),
                                            mistake("driver.focus.2.process", "no process has this name")));
}

TEST(SpecDriver, AMisspeltKindIsTheOnlyMistakeThatIsReported) {
  const DriverFiles files("{kind: timegrph, limit_percent: 50}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.kind", "is unknown")));
}

}  // namespace
}  // namespace tessera::spec
