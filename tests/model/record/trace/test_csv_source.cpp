// SPDX-License-Identifier: Apache-2.0
// The log read back from its table: record for record what was written, and every damage told where it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/record/trace/csv_sink.h"
#include "model/record/trace/csv_source.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;

std::string csv_of(const std::vector<Record>& log, const Names& names, CsvScope scope) {
  std::ostringstream out;
  CsvSink sink(out, names, scope);
  test::feed(sink, log, test::kSoundLogEnd);
  return out.str();
}

std::vector<Record> read_all(const std::string& csv, const Names& names) {
  std::istringstream in(csv);
  CsvSource source(in, names);
  std::vector<Record> log;
  for (Record record; source.next(record);) log.push_back(record);
  return log;
}

TEST(CsvSource, WhatASharedSmWasUsedForIsOfNoKernel) {
  const Names names = test::small_names();
  const std::vector<Record> log{at(7, Kind::kSmHeld).on(0).launched(3).value(2).bytes(125'000),
                                at(9, Kind::kSmBusy).on(0).cycles(4)};
  const std::vector<Record> back = read_all(csv_of(log, names, CsvScope::kAll), names);
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].launch, 3U);
  EXPECT_EQ(back[0].bytes, 125'000U);
  EXPECT_EQ(back[1].launch, kNoNumber);
}

std::string line_of(Kind kind, const std::string& cells) {
  return std::string(CsvSink::kHeader) + "7," + std::string(to_string(kind)) + "," + cells + "\n";
}

// "line:column key: problem" of what reading it throws.
std::string complaint_about(const std::string& csv) {
  const Names names = test::small_names();
  try {
    read_all(csv, names);
  } catch (const CsvError& error) {
    return std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.key + ": " + error.what();
  }
  return "";
}

bool are_same(const Record& a, const Record& b) { return !canonical_less(a, b) && !canonical_less(b, a); }

TEST(CsvSource, ReadsBackWhatWasWritten) {
  const Names names = test::small_names();
  const std::vector<Record> log = test::sound_trace();
  const std::vector<Record> read = read_all(csv_of(log, names, CsvScope::kAll), names);
  ASSERT_EQ(read.size(), log.size());
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_TRUE(are_same(read[i], log[i])) << "record " << i;
}

TEST(CsvSource, NamesInQuotesAreReadBack) {
  Names names = test::small_names();
  names.processes[0] = "a,\"b\"";
  const std::vector<Record> log{at(1, Kind::kRunStarted).process(0).run(0)};
  const std::vector<Record> read = read_all(csv_of(log, names, CsvScope::kAll), names);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_TRUE(are_same(read[0], log[0]));
}

TEST(CsvSource, ATurnAndTheSmsThatItTakesForNoKernelAreReadBack) {
  const Names names = test::small_names();
  const std::vector<Record> log{
      at(1, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0), at(1, Kind::kTurnBegan).process(0).cycles(0),
      at(9, Kind::kTurnPassed).process(0).value(static_cast<std::uint64_t>(TurnCause::kSliceOver)),
      at(9, Kind::kPreemptionRequested).on(1).launched(0).value(kNoNumber).by(Technique::kDrain)};
  const std::string csv = csv_of(log, names, CsvScope::kAll);
  EXPECT_THAT(csv, testing::HasSubstr("\n9,preemption_requested,alpha,scan,0,,1,,,drain,,,\n"));
  const std::vector<Record> read = read_all(csv, names);
  ASSERT_EQ(read.size(), log.size());
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_TRUE(are_same(read[i], log[i])) << "record " << i;
}

TEST(CsvSource, ALogWithoutThreadBlocksHasAllOtherRecords) {
  const Names names = test::small_names();
  std::vector<Record> log = test::sound_trace();
  const auto removed =
      std::remove_if(log.begin(), log.end(), [](const Record& record) { return is_per_tb(record.kind); });
  log.erase(removed, log.end());
  const std::vector<Record> read = read_all(csv_of(test::sound_trace(), names, CsvScope::kWithoutTbs), names);
  ASSERT_EQ(read.size(), log.size());
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_TRUE(are_same(read[i], log[i])) << "record " << i;
}

TEST(CsvSource, DamageIsToldWhereItIs) {
  const std::string header(CsvSink::kHeader);
  EXPECT_EQ(complaint_about("cycle,kind\n"), "1:1 : is not a record log");
  EXPECT_EQ(complaint_about(""), "1:1 : is not a record log");
  EXPECT_EQ(complaint_about(header + "7,policy_in"), "2:12 : ends within a line: it was cut off");
  EXPECT_EQ(complaint_about(header + "7,policy_invoked,,,\n"), "2:1 : has 5 cells");
  EXPECT_EQ(complaint_about(header + "7,policy_inveked,,,,,,,,,,,\n"), "2:3 kind: is unknown");
  EXPECT_EQ(complaint_about(header + "x,policy_invoked,,,,,,,,,,,\n"), "2:1 cycle: is not a number");
  EXPECT_EQ(complaint_about(header + "9,policy_invoked,,,,,,,,,,,\n8,policy_invoked,,,,,,,,,,,\n"),
            "3:1 cycle: goes back in time");
  EXPECT_EQ(complaint_about(line_of(Kind::kRunStarted, "nobody,,,0,,,,,,,")),
            "2:15 process: is not a process of the summary");
  EXPECT_EQ(complaint_about(line_of(Kind::kKernelArrived, "alpha,sort,0,0,,,,,,,")),
            "2:24 kernel: is not a kernel of the process");
  const std::string sms = std::to_string(test::small_names().num_sms);
  EXPECT_EQ(complaint_about(line_of(Kind::kSmReleased, "alpha,scan,0,," + sms + ",,,,,,")), "2:29 sm: is out of range");
  EXPECT_EQ(complaint_about(line_of(Kind::kPreemptionDone, "alpha,scan,0,,0,,,magic,0,0,")),
            "2:37 technique: is unknown");
}

}  // namespace
}  // namespace tessera::record
