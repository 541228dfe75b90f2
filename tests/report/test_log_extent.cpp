// SPDX-License-Identifier: Apache-2.0
// Logs by hand that are whole, and the same ones cut at any record.
#include <gtest/gtest.h>

#include "report/log_extent.h"
#include "tests/model/record/support.h"

namespace tessera::report {
namespace {

using record::Kind;
using record::Record;
using record::test::at;

bool is_whole(const std::vector<Record>& log, std::size_t count) {
  LogExtent extent;
  for (std::size_t i = 0; i < count; ++i) extent.consume(log[i]);
  const nlohmann::ordered_json summary{
      {"processes", {{{"runs", 1}}, {{"runs", 0}}}}, {"policy", {{"invocations", 2}}}, {"preemptions", {{"count", 1}}}};
  return extent.is_all_of(summary);
}

TEST(LogExtent, ALogIsWholeOnceAllIsToldThatTheSummaryCountsAndWhatBecameOfEachKernel) {
  const std::vector<Record> log{at(0, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                                at(0, Kind::kPolicyInvoked),
                                at(5, Kind::kKernelArrived).launched(1).kernel(1, 0).run(0),
                                at(5, Kind::kPolicyInvoked),
                                at(9, Kind::kPreemptionDone).on(0).launched(0).cycles(4),
                                at(20, Kind::kKernelFinished).launched(1).kernel(1, 0).value(1),
                                at(30, Kind::kRunEnded).process(1).run(0),
                                at(99, Kind::kKernelLeft).launched(0).kernel(0, 0)};
  for (std::size_t count = 0; count < log.size(); ++count) EXPECT_FALSE(is_whole(log, count)) << count;
  EXPECT_TRUE(is_whole(log, log.size()));
}

}  // namespace
}  // namespace tessera::report
