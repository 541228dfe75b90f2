// SPDX-License-Identifier: Apache-2.0
// Bytes of device memory from Nsight Compute's table, and the kernels of an import that they are of.
#include <gmock/gmock.h>

#include "importer/counters.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kNcuColumns =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","
    "\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

std::string ncu_row(int id, const std::string& kernel, const std::string& grid, const std::string& metric,
                    const std::string& unit, const std::string& value) {
  return "\"" + std::to_string(id) + "\",\"1\",\"python\",\"127.0.0.1\",\"" + kernel +
         "\",\"1\",\"7\",\"(128, 2, 1)\",\"" + grid + "\",\"0\",\"9.0\",\"Command line profiler metrics\",\"" + metric +
         "\",\"" + unit + "\",\"" + value + "\"\n";
}

Counters counters_of(const std::string& text) { return read_ncu_csv(TemporaryFile("counters.csv", text).path()); }

TEST(NcuCsv, ReadsAndWritesOfALaunchAreAddedUpInTheirUnits) {
  const Counters counters = counters_of(
      "==PROF== Connected to process 4711\nepoch 1\n" + std::string(kNcuColumns) +
      ncu_row(0, "void at::native::add<4, int>(float*)", "(300, 2, 1)", "dram__bytes_read.sum", "Mbyte", "1.5") +
      ncu_row(0, "void at::native::add<4, int>(float*)", "(300, 2, 1)", "dram__bytes_write.sum", "Kbyte", "500") +
      ncu_row(0, "void at::native::add<4, int>(float*)", "(300, 2, 1)", "gpu__time_duration.sum", "usecond", "12") +
      ncu_row(1, "void at::native::add<4, int>(float*)", "(300, 2, 1)", "dram__bytes_read.sum", "byte", "1,000,000") +
      "==PROF== Disconnected\n");
  ASSERT_EQ(counters.size(), 1U);
  EXPECT_EQ(counters[0].name, "add");
  EXPECT_EQ(counters[0].num_tbs, 600U);
  EXPECT_EQ(counters[0].threads_per_tb, 256U);
  EXPECT_EQ(counters[0].num_launches, 2U);
  EXPECT_DOUBLE_EQ(counters[0].bytes, 3e6);
}

TEST(NcuCsv, TheSumOfBothIsTakenWhereItStands) {
  const Counters counters =
      counters_of(kNcuColumns + ncu_row(0, "add", "(8, 1, 1)", "dram__bytes.sum", "Gbyte", "1.25") +
                  ncu_row(0, "add", "(8, 1, 1)", "dram__bytes_read.sum", "Gbyte", "1") +
                  ncu_row(1, "mul", "(8, 1, 1)", "dram__bytes_read.sum", "", "n/a"));
  ASSERT_EQ(counters.size(), 1U) << "a launch without a value has none";
  EXPECT_DOUBLE_EQ(counters[0].bytes, 1.25e9);
}

TEST(NcuCsv, WhatIsNoTableOfBytesIsRefused) {
  const auto problem = [](const std::string& text) { return problem_of([&] { counters_of(text); }); };
  EXPECT_THAT(problem("==PROF== Connected\n"), HasSubstr("is no table of Nsight Compute"));
  EXPECT_THAT(problem("\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n"), HasSubstr("has no column Block Size"));
  EXPECT_THAT(problem(kNcuColumns + ncu_row(0, "add", "(8, 1, 1)", "gpu__time_duration.sum", "us", "1")),
              HasSubstr("has no bytes of device memory"));
  EXPECT_THAT(problem(kNcuColumns + ncu_row(0, "add", "(8, 1, 1)", "dram__bytes.sum", "sector", "1")),
              HasSubstr("counters.csv:2:1: has a unit that is not known (sector"));
  EXPECT_THAT(problem(kNcuColumns + ncu_row(0, "add", "(8, 1, 1)", "dram__bytes.sum", "byte", "many")),
              HasSubstr("is no number of bytes (many"));
  EXPECT_THAT(problem(kNcuColumns + ncu_row(0, "add", "8 by 1", "dram__bytes.sum", "byte", "1")),
              HasSubstr("is no size of a grid or block (8 by 1"));
  EXPECT_THAT(problem(std::string(kNcuColumns) + "\"0\",\"1\"\n"), HasSubstr("is not a row of the table"));
}

}  // namespace
}  // namespace tessera::importer::test
