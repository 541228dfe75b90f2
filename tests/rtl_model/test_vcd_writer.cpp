// SPDX-License-Identifier: Apache-2.0
// The text of a value change dump: names, declarations, first values, changes.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "rtl_model/observe/vcd_writer.h"

namespace tessera::rtl_model {
namespace {

// A writer with one bit and one vector, whose first values are 0 and 5.
class VcdWriterChanges : public testing::Test {
 protected:
  VcdWriterChanges() {
    writer.begin_first_values(0);
    writer.write_first(bit, 0);
    writer.write_first(vector, 5);
    writer.end_first_values();
    out.str("");
  }

  std::ostringstream out;
  VcdWriter writer{out};
  VcdVariable bit = writer.declare("valid_o", 1);
  VcdVariable vector = writer.declare("count_q", 9);
};

TEST(VcdName, IndexBecomesPartOfTheName) {
  EXPECT_EQ(vcd_name("tokens_q[3]"), "tokens_q_3");
  EXPECT_EQ(vcd_name("grid_q[1][20]"), "grid_q_1_20");
  EXPECT_EQ(vcd_name("idle_o"), "idle_o");
}

TEST(VcdName, OnlyAVectorHasARange) {
  EXPECT_EQ(vcd_range(1), "");
  EXPECT_EQ(vcd_range(2), "[1:0]");
  EXPECT_EQ(vcd_range(64), "[63:0]");
}

TEST(VcdWriter, WholeFileReadsAsTheStandardHasIt) {
  std::ostringstream out;
  VcdWriter writer(out);
  writer.enter_scope("top");
  VcdVariable idle = writer.declare("idle_o", 1);
  writer.enter_scope("u_ksrt");
  VcdVariable tokens = writer.declare("tokens_q[3]", 9);
  writer.leave_scope();
  writer.leave_scope();
  writer.end_declarations();
  writer.begin_first_values(1000);
  writer.write_first(idle, 1);
  writer.write_first(tokens, 0);
  writer.end_first_values();
  writer.set_time(2409);
  writer.write_change(idle, 0);
  writer.write_change(tokens, 5);
  EXPECT_EQ(out.str(),
            "$timescale 1 ps $end\n"
            "$scope module top $end\n"
            "$var wire 1 ! idle_o $end\n"
            "$scope module u_ksrt $end\n"
            "$var wire 9 \" tokens_q_3 [8:0] $end\n"
            "$upscope $end\n"
            "$upscope $end\n"
            "$enddefinitions $end\n"
            "#1000\n"
            "$dumpvars\n"
            "1!\n"
            "b0 \"\n"
            "$end\n"
            "#2409\n"
            "0!\n"
            "b101 \"\n");
}

TEST(VcdWriter, CodesAreShortPrintableAndAllDifferent) {
  constexpr std::size_t kNumVariables = 94 + 94 * 94 + 1;  // into the codes of three characters
  std::ostringstream out;
  VcdWriter writer(out);
  std::set<std::string> codes;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < kNumVariables; ++i) {
    const std::string code = writer.declare("x_q", 1).code;
    for (const char c : code) ASSERT_TRUE(c >= '!' && c <= '~') << code;
    EXPECT_GE(code.size(), longest);
    longest = code.size();
    codes.insert(code);
  }
  EXPECT_EQ(codes.size(), kNumVariables);
  EXPECT_EQ(longest, 3U);
}

TEST_F(VcdWriterChanges, WritesAChangeOnceAtItsTime) {
  writer.set_time(1409);
  writer.write_change(vector, 6);
  writer.set_time(2817);
  writer.write_change(vector, 6);
  EXPECT_EQ(out.str(), "#1409\nb110 \"\n");
}

TEST_F(VcdWriterChanges, ATimeWithoutChangeIsNotWritten) {
  writer.set_time(1);
  writer.write_change(bit, 0);
  writer.write_change(vector, 5);
  writer.set_time(2);
  writer.write_change(bit, 1);
  EXPECT_EQ(out.str(), "#2\n1!\n");
}

TEST_F(VcdWriterChanges, ChangesOfOneTimeStandUnderOneTime) {
  writer.set_time(7);
  writer.write_change(bit, 1);
  writer.write_change(vector, 0);
  EXPECT_EQ(out.str(), "#7\n1!\nb0 \"\n");
}

TEST_F(VcdWriterChanges, AValueThatComesBackIsAChange) {
  writer.set_time(1);
  writer.write_change(bit, 1);
  writer.set_time(2);
  writer.write_change(bit, 0);
  EXPECT_EQ(out.str(), "#1\n1!\n#2\n0!\n");
}

TEST_F(VcdWriterChanges, BitsAboveTheWidthAreDropped) {
  writer.set_time(1);
  writer.write_change(vector, 0xFFFFFFFF);
  writer.set_time(2);
  writer.write_change(vector, 0x1FF);
  writer.write_change(bit, 2);
  EXPECT_EQ(out.str(), "#1\nb111111111 \"\n");
}

TEST(VcdWriter, AWordOf64BitsKeepsAllOfThem) {
  std::ostringstream out;
  VcdWriter writer(out);
  VcdVariable word = writer.declare("page_table_q", 64);
  out.str("");
  writer.write_first(word, 0x8000000000000001);
  EXPECT_EQ(out.str(), "b1" + std::string(62, '0') + "1 !\n");
}

TEST(VcdWriter, CountsTheBytesOfTheFile) {
  std::ostringstream out;
  VcdWriter writer(out);
  VcdVariable bit = writer.declare("valid_o", 1);
  writer.end_declarations();
  writer.set_time(10);
  writer.write_change(bit, 1);
  EXPECT_EQ(writer.num_bytes(), out.str().size());
}

}  // namespace
}  // namespace tessera::rtl_model
