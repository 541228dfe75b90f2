// SPDX-License-Identifier: Apache-2.0
// The writer equals nlohmann's but for the form of doubles.
// Those come out as the decimals that went in.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "model/spec/decimal.h"
#include "model/spec/json_text.h"
#include "model/spec/scalar_rules.h"

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, LayoutIsThatOfTheLibrary) {
  const Json json = {{"a", {1, 2.5, nullptr, true}},
                     {"b", Json::object()},
                     {"c", Json::array()},
                     {"d", {{"e \"\n\xC3\xA4", "x\ty"}, {"f", -3}}},
                     {"g", 18446744073709551615U}};
  for (const int indent : {-1, 0, 1, 2}) EXPECT_EQ(json_text(json, indent), json.dump(indent)) << indent;
  EXPECT_EQ(json_text(Json("text")), "\"text\"");
}

TEST(JsonText, DecimalsComeOutAsTheyWentIn) {
  // The library writes these as 0.0031580000000000002, 7057.6767566300005 and 4.54e-07.
  for (const char* text : {"0.003158", "7057.67675663", "0.000000454", "2905.81", "0.1"}) {
    EXPECT_EQ(json_text(Json::parse(text)), text);
  }
}

TEST(JsonText, EveryTimeOfASpecComesOutAsItWentIn) {
  EXPECT_TRUE(rc::check([] {
    const auto time = *rc::gen::inRange<std::uint64_t>(0, kMaxTimePs + 1) >> *rc::gen::inRange(0, 50);
    const std::string text = format_decimal(time, kTimeDigits);
    RC_ASSERT(json_text(Json::parse(text)) == text);
  }));
}

TEST(JsonText, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(json_text(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_text(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonText, TheWidestDoublesFit) {
  for (const double number : {std::numeric_limits<double>::max(), -std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(Json::parse(json_text(number)).get<double>(), number);
  }
}

}  // namespace
}  // namespace tessera::spec
