// SPDX-License-Identifier: Apache-2.0
// Verilator's counts, by file: what was hit, what has a reason, and the holes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "testbench/coverage/code_coverage.h"

namespace tessera::testbench::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A line of such a file.
std::string counted(const std::string& file, unsigned line, const std::string& page, const std::string& name,
                    const std::string& lines, unsigned hits) {
  const auto field = [](const std::string& key, const std::string& value) { return "\x01" + key + "\x02" + value; };
  return "C '" + field("f", file) + field("l", std::to_string(line)) + field("n", "1") + field("page", page) +
         field("o", name) + (lines.empty() ? "" : field("S", lines)) + "' " + std::to_string(hits) + "\n";
}

std::vector<FileCoverage> by_file(const std::string& counts) {
  const std::string path = testing::TempDir() + "counts.dat";
  std::ofstream(path) << "# SystemC::Coverage-3\n" << counts;
  CodeCoverage coverage;
  coverage.add(path);
  std::remove(path.c_str());
  return coverage.by_file();
}

TEST(CodeCoverage, ALineIsHitIfOneOfItsBlocksIs) {
  const auto files = by_file(counted("rtl/a.v", 3, "v_branch/a", "if", "3-4", 1) +
                             counted("rtl/a.v", 3, "v_branch/a", "else", "4-5", 0));
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files[0].lines.total, 3U);
  EXPECT_EQ(files[0].lines.hit, 2U);
  EXPECT_EQ(files[0].branches.hit, 1U);
  ASSERT_THAT(files[0].holes, SizeIs(1));
  EXPECT_EQ(files[0].holes[0].what, "else never taken, lines 4-5");
  EXPECT_THAT(files[0].holes[0].reason, IsEmpty());
}

TEST(CodeCoverage, ABlockWithAReasonExplainsItsLines) {
  const auto files = by_file(counted("rtl/tsr_policy_table.vh", 44, "v_branch/a", "case", "44-45", 0) +
                             counted("rtl/tsr_policy_table.vh", 45, "v_branch/a", "case", "45", 1));
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files[0].branches.explained, 1U);
  EXPECT_EQ(files[0].lines.total, 2U);
  EXPECT_EQ(files[0].lines.hit, 1U);
  EXPECT_EQ(files[0].lines.explained, 1U);
}

TEST(CodeCoverage, AReasonMayBeOfOneFileOnly) {
  const auto bits = [](const std::string& file) {
    return counted(file, 7, "v_toggle/a", "one[0]", "", 1) + counted(file, 7, "v_toggle/a", "one[1]", "", 0);
  };
  const auto files = by_file(bits("rtl/tsr_refill_steps.v") + bits("rtl/tsr_tags.v"));
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].toggles.explained, 1U);
  EXPECT_THAT(files[0].holes[0].reason, HasSubstr("constant"));
  EXPECT_EQ(files[1].toggles.explained, 0U);
  EXPECT_EQ(files[1].holes[0].what, "one: 1 of 2 bits never toggle");
}

TEST(CodeCoverage, WhatIsNotOfTheCoreDoesNotCount) {
  EXPECT_THAT(by_file(counted("tsr_core.v", 3, "v_line/a", "block", "3", 1)), IsEmpty());
}

}  // namespace
}  // namespace tessera::testbench::test
