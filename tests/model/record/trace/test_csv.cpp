// SPDX-License-Identifier: Apache-2.0
// The CSV table of a log: columns, empty cells, names, quoting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "model/record/trace/csv_sink.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;

std::vector<std::string> csv_lines(const std::vector<Record>& log, const Names& names) {
  std::ostringstream out;
  CsvSink sink(out, names);
  test::feed(sink, log, test::kSoundLogEnd);
  return test::lines_of(out.str());
}

TEST(CsvSink, OneLineARecordBelowAHeaderWithTheSameColumns) {
  const std::vector<std::string> lines = csv_lines(test::sound_log(), test::small_names());
  ASSERT_EQ(lines.size(), test::sound_log().size() + 1);
  EXPECT_EQ(lines[0] + "\n", CsvSink::kHeader);
  for (const std::string& line : lines) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(lines[0].begin(), lines[0].end(), ',')) << line;
  }
}

TEST(CsvSink, CellsThatAKindDoesNotNameAreEmpty) {
  const auto lines = csv_lines({at(14, Kind::kPolicyInvoked), at(16, Kind::kPolicyDecided).cycles(0).value(0)}, {});
  EXPECT_EQ(lines.at(1), "14,policy_invoked,,,,,,,,,,,");
  EXPECT_EQ(lines.at(2), "16,policy_decided,,,,,,,,,,0,0");
}

TEST(CsvSink, ARecordThatNamesItsLaunchOnlyGetsTheKernelThatArrived) {
  const auto lines =
      csv_lines({at(1, Kind::kKernelArrived).launched(7).kernel(1, 0).run(2),
                 at(3, Kind::kTbSaved).on(1, 0).launched(7).tb(4).bytes(99),
                 at(3, Kind::kPreemptionDone).on(1).launched(7).bytes(99).cycles(2).by(Technique::kContextSwitch)},
                test::small_names());
  EXPECT_EQ(lines.at(1), "1,kernel_arrived,beta,sort,7,2,,,,,,,");
  EXPECT_EQ(lines.at(2), "3,tb_saved,beta,sort,7,,1,0,4,,99,,");
  EXPECT_EQ(lines.at(3), "3,preemption_done,beta,sort,7,,1,,,context_switch,99,2,");
}

TEST(CsvSink, NamesWithCommasAndQuotesAreQuoted) {
  Names names = test::small_names();
  names.processes[0] = "a,\"b\"";
  const auto lines = csv_lines({at(1, Kind::kRunStarted).process(0).run(0)}, names);
  EXPECT_EQ(lines.at(1), "1,run_started,\"a,\"\"b\"\"\",,,0,,,,,,,");
}

TEST(CsvSink, AStreamThatFailsIsReported) {
  std::ostringstream out;
  CsvSink sink(out, test::small_names());
  out.setstate(std::ios::badbit);
  EXPECT_THROW(sink.finish(0), std::runtime_error);
}

}  // namespace
}  // namespace tessera::record
