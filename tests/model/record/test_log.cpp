// SPDX-License-Identifier: Apache-2.0
// The record log: canonical order, who gets what, when; and that the documentation names what there is.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "model/record/kind_info.h"
#include "model/record/memory_sink.h"
#include "model/record/record_log.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;

std::vector<Cycle> cycles_of(const MemorySink& sink) {
  std::vector<Cycle> cycles;
  for (const Record& record : sink.records()) cycles.push_back(record.cycle);
  return cycles;
}

bool same(const Record& a, const Record& b) { return !canonical_less(a, b) && !canonical_less(b, a); }

TEST(RecordLog, RecordsAnnouncedAheadComeInTheirOwnCycle) {
  MemorySink sink;
  RecordLog log;
  log.add_sink(&sink);
  log.emit(10, at(15, Kind::kTbIssued).on(0, 0));
  log.emit(10, at(10, Kind::kSmSetUp).on(0));
  log.emit(12, at(12, Kind::kTbFinished).on(1, 0));
  log.emit(20, at(20, Kind::kTbFinished).on(1, 1));
  log.finish(20);
  EXPECT_THAT(cycles_of(sink), testing::ElementsAre(10, 12, 15, 20));
}

TEST(RecordLog, CompletionsComeBeforePreemptionDoneAndBeforeCommandsOfTheSameCycle) {
  MemorySink sink;
  RecordLog log;
  log.add_sink(&sink);
  log.emit(3, at(5, Kind::kTbIssued).on(0, 0));
  log.emit(5, at(5, Kind::kPreemptionRequested).on(0));
  log.emit(5, at(5, Kind::kPreemptionDone).on(1));
  log.emit(5, at(5, Kind::kTbFinished).on(1, 1));
  log.emit(5, at(5, Kind::kTbFinished).on(1, 0));
  log.finish(5);
  std::vector<std::string> order;
  for (const Record& r : sink.records()) order.push_back(fmt::format("{} {}", to_string(r.kind), r.slot));
  EXPECT_THAT(order, testing::ElementsAre("tb_finished 0", "tb_finished 1", fmt::format("preemption_done {}", kNoIndex),
                                          fmt::format("preemption_requested {}", kNoIndex), "tb_issued 0"));
}

TEST(RecordLog, ACycleIsHandedOnWhenTimeHasPassedIt) {
  MemorySink sink;
  RecordLog log;
  log.add_sink(&sink);
  log.emit(7, at(7, Kind::kPolicyInvoked));
  EXPECT_TRUE(sink.records().empty());
  log.emit(8, at(8, Kind::kPolicyDecided));
  EXPECT_THAT(cycles_of(sink), testing::ElementsAre(7));
}

TEST(RecordLog, PerTbRecordsReachOnlyThoseWhoWantThem) {
  MemorySink everything(true);
  MemorySink kernels_only(false);
  RecordLog log;
  log.add_sink(&everything);
  log.add_sink(&kernels_only);
  ASSERT_TRUE(log.wants_per_tb());
  log.emit(1, at(1, Kind::kTbIssued));
  log.emit(2, at(2, Kind::kKernelFinished));
  log.finish(3);
  EXPECT_EQ(everything.records().size(), 2U);
  ASSERT_EQ(kernels_only.records().size(), 1U);
  EXPECT_EQ(kernels_only.records()[0].kind, Kind::kKernelFinished);
}

TEST(RecordLog, NobodyWantsPerTbRecordsUntilASinkSaysSo) {
  RecordLog log;
  EXPECT_FALSE(log.wants_per_tb());
  MemorySink kernels_only(false);
  log.add_sink(&kernels_only);
  EXPECT_FALSE(log.wants_per_tb());
  log.emit(1, at(1, Kind::kTbIssued));
  log.finish(1);
  EXPECT_TRUE(kernels_only.records().empty());
}

TEST(RecordLog, TheEndKeepsItsOwnCycleAndDropsWhatDidNotHappen) {
  MemorySink sink;
  RecordLog log;
  log.add_sink(&sink);
  log.emit(8, at(11, Kind::kTbIssued));
  log.emit(8, at(10, Kind::kTbIssued));
  log.emit(9, at(10, Kind::kKernelLeft));
  log.finish(10);
  EXPECT_THAT(cycles_of(sink), testing::ElementsAre(10, 10));
  EXPECT_EQ(sink.end(), 10U);
}

TEST(RecordLog, ARecordOfThePastIsRefused) {
  MemorySink sink;
  RecordLog log;
  log.add_sink(&sink);
  log.emit(10, at(10, Kind::kPolicyInvoked));
  EXPECT_THROW(log.emit(9, at(10, Kind::kPolicyInvoked)), std::logic_error);
  EXPECT_THROW(log.emit(11, at(10, Kind::kPolicyInvoked)), std::logic_error);
}

rc::Gen<Record> any_record() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, kNumKinds), rc::gen::inRange<std::uint16_t>(0, 3),
                                     rc::gen::inRange<std::uint32_t>(0, 3), rc::gen::inRange<std::uint64_t>(0, 2)),
                      [](const std::tuple<int, std::uint16_t, std::uint32_t, std::uint64_t>& parts) {
                        const auto [kind, sm, tb, value] = parts;
                        return Record(at(0, static_cast<Kind>(kind)).on(sm).tb(tb).value(value));
                      });
}

TEST(RecordLog, AnyEmissionComesOutSortedAndComplete) {
  EXPECT_TRUE(rc::check([] {
    MemorySink sink;
    RecordLog log;
    log.add_sink(&sink);
    std::vector<Record> emitted;
    Cycle now = 0;
    for (Record record : *rc::gen::container<std::vector<Record>>(any_record())) {
      now += *rc::gen::inRange<Cycle>(0, 4);
      record.cycle = now + *rc::gen::inRange<Cycle>(0, 6);
      emitted.push_back(record);
      log.emit(now, record);
    }
    log.finish(now + 6);
    std::sort(emitted.begin(), emitted.end(), canonical_less);
    RC_ASSERT(std::equal(emitted.begin(), emitted.end(), sink.records().begin(), sink.records().end(), same));
  }));
}

TEST(CanonicalOrder, EveryFieldTellsRecordsApart) {
  const Record base = at(5, Kind::kTbIssued).on(1, 1).kernel(1, 1).launched(1).tb(1).run(1).bytes(1).cycles(1).value(1);
  const std::vector<Record> later{test::Builder{base}.on(2, 1),
                                  test::Builder{base}.on(1, 2),
                                  test::Builder{base}.process(2),
                                  test::Builder{base}.kernel(1, 2),
                                  test::Builder{base}.launched(2),
                                  test::Builder{base}.tb(2),
                                  test::Builder{base}.run(2),
                                  test::Builder{base}.bytes(2),
                                  test::Builder{base}.cycles(2),
                                  test::Builder{base}.value(2),
                                  test::Builder{base}.by(Technique::kDrain)};
  for (const Record& record : later) {
    EXPECT_TRUE(canonical_less(base, record));
    EXPECT_FALSE(canonical_less(record, base));
  }
  EXPECT_FALSE(canonical_less(base, base));
}

TEST(KindInfo, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind < kNumKinds; ++kind) names.insert(to_string(static_cast<Kind>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kNumKinds));
  EXPECT_EQ(to_string(Kind::kTbFinished), "tb_finished");
  EXPECT_EQ(to_string(Kind::kRunEnded), "run_ended");
  EXPECT_EQ(to_string(Technique::kContextSwitch), "context_switch");
}

// Victims belong to preemptions, whose records are always kept.
TEST(KindInfo, PerTbKindsAreThoseThatNameATbButForVictimsAndLoops) {
  for (int i = 0; i < kNumKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    const bool is_of_victim = kind == Kind::kVictimChosen || kind == Kind::kVictimLeft;
    const bool is_of_loop = kind >= Kind::kLoopLeft;  // not one a thread block, but one a time that it comes or goes
    EXPECT_EQ(is_per_tb(kind), kind_info(kind).has(kFieldTb) && !is_of_victim && !is_of_loop) << i;
  }
}

// Rows of the table in docs/guide/record_format.md: "| `kind` | `field` `field` | meaning |".
std::map<std::string, std::set<std::string>> documented_kinds() {
  std::ifstream document(TESSERA_SOURCE_DIR "/docs/guide/record_format.md");
  std::map<std::string, std::set<std::string>> kinds;
  std::string line;
  while (std::getline(document, line) && line.rfind("| Kind |", 0) != 0) {
  }
  while (std::getline(document, line) && line.rfind('|', 0) == 0) {
    if (line.rfind("| `", 0) != 0) continue;  // the line below the header
    std::replace(line.begin(), line.end(), '`', ' ');
    std::istringstream cells(line.substr(1));
    std::string kind;
    cells >> kind;
    std::string bar;
    cells >> bar;
    for (std::string field; cells >> field && field != "|";) kinds[kind].insert(field);
    kinds[kind];
  }
  return kinds;
}

TEST(RecordFormatDocument, NamesEveryKindWithItsFields) {
  const std::map<Field, std::string> field_names{
      {kFieldProcess, "process"}, {kFieldKernel, "kernel"}, {kFieldLaunch, "launch"}, {kFieldRun, "run"},
      {kFieldSm, "sm"},           {kFieldSlot, "slot"},     {kFieldTb, "tb"},         {kFieldTechnique, "technique"},
      {kFieldBytes, "bytes"},     {kFieldCycles, "cycles"}, {kFieldValue, "value"}};
  const auto documented = documented_kinds();
  EXPECT_EQ(documented.size(), static_cast<std::size_t>(kNumKinds));
  for (int kind = 0; kind < kNumKinds; ++kind) {
    const KindInfo& info = kind_info(static_cast<Kind>(kind));
    std::set<std::string> fields;
    for (const auto& [field, name] : field_names) {
      if (info.has(field)) fields.insert(name);
    }
    ASSERT_EQ(documented.count(std::string(info.name)), 1U) << info.name;
    EXPECT_EQ(documented.at(std::string(info.name)), fields) << info.name;
  }
}

}  // namespace
}  // namespace tessera::record
