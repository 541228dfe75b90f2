// SPDX-License-Identifier: Apache-2.0
// Thread-block logs: what is read from them, and what is said about those that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/spec/diagnostics.h"
#include "model/workload/tb_log.h"

namespace tessera::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHeader =
    "# GPGPU-Sim 3.2 (GTX480 configuration: 15 SMs, 8 TBs per SM)\n"
    "# grid=2x1x1 tbs_per_sm=6 kernel_cycles=99\n"
    "tb,sm,slot,start_cycle,end_cycle\n";

TbLog read(const std::string& text) {
  std::istringstream in(text);
  return read_tb_log(in, "log.csv");
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const spec::InputError& error) {
    return error.what();
  }
  return "";
}
std::string complaint_about_rows(const std::string& rows) { return complaint(kHeader + rows); }

TEST(TbLog, TheMachineIsInTheHeaderAndTheTbsInAnyOrder) {
  const TbLog log = read(std::string(kHeader) + "1,2,0,1,30\r\n0,1,5,1,11\n");
  EXPECT_EQ(log.num_sms, 15U);
  EXPECT_EQ(log.tbs_per_sm, 6U);
  ASSERT_EQ(log.tbs.size(), 2U);
  EXPECT_EQ(log.tbs[0].sm, 1U);
  EXPECT_EQ(log.tbs[0].slot, 5U);
  EXPECT_EQ(log.tbs[1].end, 30U);
  EXPECT_THAT(log.durations(), ElementsAre(10, 29));
}

TEST(TbLog, MistakesAreNamedWithLineAndColumn) {
  EXPECT_EQ(complaint_about_rows("0,1,0,1,x\n"),
            "log.csv:4:9: end_cycle: is not a number (x; 0 to 70368744177663)");  // 2^46 - 1
  EXPECT_EQ(complaint_about_rows("0,15,0,1,9\n"), "log.csv:4:3: sm: is not on the machine (15; 0 to 14)");
  EXPECT_EQ(complaint_about_rows("0,14,6,1,9\n"), "log.csv:4:6: slot: is not on the machine (6; 0 to 5)");
  EXPECT_EQ(complaint_about_rows("0,1,0,9,9\n"), "log.csv:4:9: end_cycle: is not after the start (9; more than 9)");
  EXPECT_EQ(complaint_about_rows("0,1,0,1\n"), "log.csv:4:8: end_cycle: is missing (five numbers)");
  EXPECT_THAT(complaint_about_rows("0,1,0,1,9,7\n"), HasSubstr("log.csv:4:9: end_cycle: is not a number (9,7"));
  EXPECT_THAT(complaint_about_rows("0,,0,1,9\n"), HasSubstr("log.csv:4:3: sm: is not a number"));
  EXPECT_THAT(complaint_about_rows("-1,1,0,1,9\n"), HasSubstr("log.csv:4:1: tb: is not a number (-1"));
  EXPECT_EQ(complaint_about_rows("0,1,0,1,9\n0,2,0,1,9\n"), "log.csv:5:1: tb: is listed twice (0)");
  EXPECT_THAT(complaint_about_rows("0,1,0,1,9\n2,2,0,1,9\n"), HasSubstr("tb: is missing (1; TBs 0, 1, 2, ...)"));
  EXPECT_THAT(complaint_about_rows(""), HasSubstr("tb: is missing (at least one TB)"));
}

TEST(TbLog, EveryMistakeIsReportedAtOnce) {
  EXPECT_EQ(complaint_about_rows("0,15,0,1,9\n1,1,0,5,4\n"),
            "log.csv:4:3: sm: is not on the machine (15; 0 to 14)\n"
            "log.csv:5:9: end_cycle: is not after the start (4; more than 5)");
}

TEST(TbLog, AHeaderWithoutTheMachineIsRefused) {
  EXPECT_THAT(complaint("tb,sm,slot,start_cycle,end_cycle\n0,1,0,1,9\n"),
              testing::AllOf(HasSubstr("SMs: is missing from the header"),
                             HasSubstr("tbs_per_sm: is missing from the header")));
  EXPECT_THAT(complaint("# 15 SMs\n# tbs_per_sm=0\ntb,sm,slot,start_cycle,end_cycle\n0,1,0,1,9\n"),
              HasSubstr("log.csv:2:14: tbs_per_sm: is out of range (0; 1 to 64)"));
  EXPECT_THAT(complaint("# 15 SMs\n# tbs_per_sm=6\nsm,tb,slot,start_cycle,end_cycle\n0,1,0,1,9\n"),
              HasSubstr("log.csv:3:1: is not the line of column names"));
  EXPECT_THAT(complaint(""), HasSubstr("has no line of column names"));
}

TEST(TbLog, AMachineThatIsStatedButImpossibleIsOneMistake) {
  const std::string rows = "tb,sm,slot,start_cycle,end_cycle\n0,1,0,1,9\n";
  EXPECT_EQ(complaint("# 0 SMs, tbs_per_sm=6\n" + rows), "log.csv:1:3: SMs: is out of range (0; 1 to 256)");
  EXPECT_EQ(complaint("# 257 SMs, tbs_per_sm=6\n" + rows), "log.csv:1:3: SMs: is out of range (257; 1 to 256)");
  EXPECT_EQ(complaint("# 15 SMs\n# tbs_per_sm=x\n" + rows), "log.csv:2:14: tbs_per_sm: is out of range (1 to 64)");
}

// The models' clocks have 48 bits, the last of whose values stands for "never".
TEST(TbLog, TimesThatNoReplayCanCountAreRefused) {
  EXPECT_EQ(complaint_about_rows("0,1,0,1,281474976710655\n"),
            "log.csv:4:9: end_cycle: is out of range (281474976710655; 0 to 70368744177663)");
  EXPECT_EQ(complaint_about_rows("0,1,0,1,99999999999999999999999\n"),
            "log.csv:4:9: end_cycle: is out of range (99999999999999999999999; 0 to 70368744177663)");
  EXPECT_EQ(complaint_about_rows("0,1,0,0,70368744177663\n"), "");
  EXPECT_EQ(complaint_about_rows("0,1,0,0,70368744177663\n1,2,0,7,8\n"),
            "log.csv:5:9: end_cycle: makes the thread blocks so far run too long (8; at most 70368744177663 cycles "
            "together)");
}

TEST(TbLog, AFileThatCannotBeReadIsNamed) { EXPECT_THROW(read_tb_log_file("/nowhere/log.csv"), spec::InputError); }

}  // namespace
}  // namespace tessera::workload
