// SPDX-License-Identifier: Apache-2.0
// Decimal text becomes a scaled integer exactly, or not at all.
// No floating-point number is involved on the way.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <string>

#include "model/spec/decimal.h"

namespace tessera::spec {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::uint64_t value_of(std::string_view text, int digits) {
  const DecimalResult result = parse_decimal(text, digits);
  EXPECT_EQ(result.status, DecimalStatus::kOk) << text;
  return result.value;
}

DecimalStatus status_of(std::string_view text, int digits = 6) { return parse_decimal(text, digits).status; }

TEST(Decimal, TextIsScaledExactly) {
  EXPECT_EQ(value_of("2905.81", 6), 2'905'810'000U);
  EXPECT_EQ(value_of("0.000001", 6), 1U);
  EXPECT_EQ(value_of("0", 6), 0U);
  EXPECT_EQ(value_of("0.50", 6), 500'000U);
  EXPECT_EQ(value_of("1.0000000000", 6), 1'000'000U);  // zeros cost no precision
  EXPECT_EQ(value_of("12", 0), 12U);
}

// 0.1 + 0.2 and its kin: each of these has no finite binary fraction.
TEST(Decimal, ValuesThatABinaryFractionCannotHoldStayExact) {
  EXPECT_EQ(value_of("0.1", 6) + value_of("0.2", 6), value_of("0.3", 6));
  EXPECT_EQ(value_of("9007199254.740993", 6), 9'007'199'254'740'993U);  // 2^53 + 1
}

TEST(Decimal, LargestValueIsAcceptedAndTheNextIsNot) {
  EXPECT_EQ(value_of("18446744073709551615", 0), kMax);
  EXPECT_EQ(status_of("18446744073709551616", 0), DecimalStatus::kOverflow);
  EXPECT_EQ(value_of("18446744073709.551615", 6), kMax);
  EXPECT_EQ(status_of("18446744073709.551616"), DecimalStatus::kOverflow);
}

TEST(Decimal, ADigitBeyondTheUnitIsTooMany) {
  EXPECT_EQ(status_of("0.0000001"), DecimalStatus::kTooManyDigits);
  EXPECT_EQ(status_of("1.5", 0), DecimalStatus::kTooManyDigits);
}

TEST(Decimal, OtherSpellingsAreNamedForWhatTheyAre) {
  EXPECT_EQ(status_of("-1.5"), DecimalStatus::kNegative);
  EXPECT_EQ(status_of("-0"), DecimalStatus::kNegative);
  EXPECT_EQ(status_of("010"), DecimalStatus::kLeadingZeros);
  EXPECT_EQ(status_of("00.5"), DecimalStatus::kLeadingZeros);
  for (const char* text : {".inf", "-.inf", "+.INF", ".nan", "inf", "Infinity", "NaN"}) {
    EXPECT_EQ(status_of(text), DecimalStatus::kNotFinite) << text;
  }
  for (const char* text :
       {"", "-", "--1", ".", "5.", ".5", "1e3", "0x10", "1_000", "+5", " 5", "5 us", "1.2.3", "-x"}) {
    EXPECT_EQ(status_of(text), DecimalStatus::kNotANumber) << text;
  }
}

TEST(Decimal, FormattedValueParsesBackAndIsTheShortestText) {
  EXPECT_TRUE(rc::check([](std::uint64_t value) {
    const int digits = *rc::gen::inRange(0, 10);
    const std::string text = format_decimal(value, digits);
    const DecimalResult result = parse_decimal(text, digits);
    RC_ASSERT(result.status == DecimalStatus::kOk);
    RC_ASSERT(result.value == value);
    const bool has_point = text.find('.') != std::string::npos;
    RC_ASSERT(!has_point || (text.back() != '0' && text.back() != '.'));
  }));
}

}  // namespace
}  // namespace tessera::spec
