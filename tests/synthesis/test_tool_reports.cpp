// SPDX-License-Identifier: Apache-2.0
// Excerpts of what the tools print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/core_builder.h"
#include "synthesis/tool_reports.h"

namespace tessera::synthesis {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kCells = R"(
31. Printing statistics.

=== $paramod$0a1b\tsr_smst ===

   Number of wires:               1000
   Number of cells:                 15
     DFFPOSX1                       10
     NAND2X1                         5

   Chip area for module '$paramod$0a1b\tsr_smst': 1080.000000

=== tsr_scheduler ===

   Number of cells:                  3
     $paramod$0a1b\tsr_smst          1
     DFFSR                           2

   Chip area for module '\tsr_scheduler': 352.000000

=== design hierarchy ===

   tsr_scheduler                     1
     $paramod$0a1b\tsr_smst      1

     DFFPOSX1                       10
   Chip area for top module '\tsr_scheduler': 1432.000000
)";

TEST(CellReport, HasEachModuleWithItsOwnCells) {
  const std::vector<ModuleCells> modules = parse_cells(kCells);
  ASSERT_THAT(modules, SizeIs(2));
  EXPECT_EQ(modules[0].module, "$paramod$0a1b\\tsr_smst");
  EXPECT_EQ(modules[0].area_um2, 1080);
  EXPECT_EQ(modules[0].flip_flops(), 10U);
  EXPECT_EQ(modules[1].area_um2, 352);
  EXPECT_EQ(modules[1].flip_flops(), 2U);
  EXPECT_EQ(modules[1].cells.at("$paramod$0a1b\\tsr_smst"), 1U);
}

constexpr const char* kNetlist = R"(module tsr_scheduler(clk_i);
  DFFPOSX1 _12_ (
    .CLK(clk_i),
    .D(_03_),
    .Q(\u_ksrt.covered_o[3] )
  );
  DFFPOSX1 _13_ (
    .CLK(clk_i),
    .D(_04_),
    .Q(busy)
  );
endmodule
)";

std::string path(const char* start, const char* end, const char* slack) {
  return std::string("Startpoint: ") + start + " (rising edge-triggered flip-flop clocked by clk)\nEndpoint: " + end +
         " (rising edge-triggered flip-flop clocked by clk)\n           " + slack + "   slack (VIOLATED)\n";
}

// Of 4 ns, with pins that are free of slack where nothing else is said.
std::string timing_report(const std::string& registers, const std::string& inputs = path("pin", "_13_", "0.0"),
                          const std::string& outputs = path("_12_", "pin", "0.0")) {
  return "== registers\n" + registers + "\n== inputs\n" + inputs + "\n== outputs\n" + outputs;
}

TEST(TimingReport, NamesTheRegistersThatThePathRunsBetween) {
  const TimedPaths paths = parse_timing(timing_report(path("_12_", "_13_", "-1.5")), kNetlist, 4.0);
  EXPECT_EQ(paths.registers.start, "u_ksrt.covered_o[3]");
  EXPECT_EQ(paths.registers.end, "busy");
  EXPECT_DOUBLE_EQ(paths.registers.period_ns, 5.5);
  EXPECT_EQ(&paths.critical(), &paths.registers);
}

TEST(TimingReport, AMemoryKeepsItsName) {
  const TimedPaths paths = parse_timing(timing_report(path("u_ptbq.u_sram", "_13_", "1.0")), kNetlist, 4.0);
  EXPECT_EQ(paths.registers.start, "u_ptbq.u_sram");
  EXPECT_DOUBLE_EQ(paths.registers.period_ns, 3.0);
}

TEST(TimingReport, OutsideOfThePinsHasItsShareOfThePeriodThatThePathNeeds) {
  // 0.3 of 4 ns are outside; 0.7 ns too late is 3.5 ns inside, which are 0.7 of 5 ns. 0.7 ns early: 2.1 ns, of 3 ns.
  const TimedPaths paths =
      parse_timing(timing_report(path("_12_", "_13_", "0.5"), path("command_valid_i", "_13_", "-0.7"),
                                 path("_12_", "idle_o", "0.7")),
                   kNetlist, 4.0);
  EXPECT_EQ(paths.inputs.start, "command_valid_i");
  EXPECT_DOUBLE_EQ(paths.inputs.period_ns, 5.0);
  EXPECT_EQ(paths.outputs.end, "idle_o");
  EXPECT_DOUBLE_EQ(paths.outputs.period_ns, 3.0);
  EXPECT_EQ(&paths.critical(), &paths.inputs);
}

TEST(TimingReport, AnErrorIsNotTakenForAResult) {
  try {
    parse_timing("Error: timing.v, line 3 syntax error.\n" + timing_report(path("_12_", "_13_", "1")), kNetlist, 4.0);
    FAIL() << "no exception";
  } catch (const cosim::BuildError& error) {
    EXPECT_THAT(error.what(), HasSubstr("timing.v, line 3"));
  }
  EXPECT_THROW(parse_timing("== registers\nNo paths found.\n", kNetlist, 4.0), cosim::BuildError);
}

}  // namespace
}  // namespace tessera::synthesis
