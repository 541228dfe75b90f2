// SPDX-License-Identifier: Apache-2.0
// Register fields: what fits, and that what does not fit ends the run.
#include <gtest/gtest.h>

#include "rtl_model/base/field.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {
namespace {

TEST(Bits, CountFromZeroToTheLargestValue) {
  EXPECT_EQ(bits_for_value(0), 1U);  // never without a bit
  EXPECT_EQ(bits_for_value(1), 1U);
  EXPECT_EQ(bits_for_value(2), 2U);
  EXPECT_EQ(bits_for_value(13), 4U);
  EXPECT_EQ(bits_for_value(15), 4U);
  EXPECT_EQ(bits_for_value(16), 5U);
  EXPECT_EQ(bits_for_value(~std::uint64_t{0}), 64U);
}

TEST(Field, HoldsTheLargestValueOfItsWidthAndNotTheNext) {
  for (unsigned width = 1; width <= 32; ++width) {
    Field32 field(width);
    const std::uint64_t max = (std::uint64_t{1} << width) - 1;
    field = max;
    EXPECT_EQ(field, max);
    EXPECT_EQ(field.width(), width);
    EXPECT_THROW(field = max + 1, std::logic_error) << width;
    EXPECT_EQ(field, max) << "the value that does not fit is not taken";
  }
}

TEST(Field, StepsStayWithinTheWidth) {
  Field32 field(3);
  field.add(7);
  EXPECT_EQ(field, 7U);
  EXPECT_THROW(field.add(1), std::logic_error);
  field.add(-7);
  EXPECT_EQ(field, 0U);
  EXPECT_THROW(field.add(-1), std::logic_error);
}

TEST(Field, BelowZeroIsAFaultAtFullWidthToo) {
  Field32 field(32);
  EXPECT_THROW(field.add(-1), std::logic_error);
}

TEST(Field, AWordOf64BitsTakesAllValues) {
  Field64 field(64);
  field = ~std::uint64_t{0};
  EXPECT_EQ(field, ~std::uint64_t{0});
  EXPECT_EQ(field.width(), 64U);
}

TEST(Field, WithoutAWidthTakesNothingButZero) {
  Field32 field;
  field = 0;
  EXPECT_THROW(field = 1, std::logic_error);
}

// One code more than there are SMs, kernels, ...: "none" is all ones.
TEST(Widths, AnIndexLeavesRoomForNone) {
  const Params params(machine(15));
  EXPECT_EQ(params.sm_width(), 4U);  // 0 .. 14, and 15 is none
  EXPECT_EQ(Params(machine(16)).sm_width(), 5U);
  EXPECT_EQ(params.ksr_width(), 3U);         // 4 KSRs
  EXPECT_EQ(params.tb_count_width(), 3U);    // 0 .. 4
  EXPECT_EQ(params.slot_count_width(), 6U);  // 0 .. 60
}

}  // namespace
}  // namespace tessera::rtl_model::test
