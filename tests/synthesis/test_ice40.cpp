// SPDX-License-Identifier: Apache-2.0
// The wrapper that gives a core of many pins three.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/core_builder.h"
#include "synthesis/ice40.h"

namespace tessera::synthesis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Ice40Wrapper, ChainsAllPinsButTheClock) {
  const std::string wrapper = ice40_wrapper(
      "module tsr_scheduler #(\n  parameter N = 3 // rows\n) (\n  input          clk_i,\n  input [N-1:0]  a_i, // in\n"
      "  output reg     b_o,\n  output [1:0]   c_o\n);\n  wire d;\nendmodule\n");
  EXPECT_THAT(wrapper, AllOf(HasSubstr("module tsr_ice40 #(\n  parameter N = 3"), HasSubstr("wire [N-1:0] a_i;"),
                             HasSubstr("assign {a_i} = in_q;"), HasSubstr("out_q <= {b_o, c_o};"),
                             HasSubstr(".clk_i(clk_i), .a_i(a_i), .b_o(b_o), .c_o(c_o)"), Not(HasSubstr("wire  clk_i")),
                             Not(HasSubstr("wire d"))));
}

TEST(Ice40Wrapper, ASchedulerWithoutAHeaderIsRefused) {
  EXPECT_THROW(ice40_wrapper("module other (input clk_i);\nendmodule\n"), cosim::BuildError);
}

}  // namespace
}  // namespace tessera::synthesis
