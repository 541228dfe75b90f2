// SPDX-License-Identifier: Apache-2.0
// What a schema does not allow is told, with the path to it; what it allows is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/json_schema.h"
#include "report/page_files.h"

namespace tessera::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::IsEmpty;

// "path: problem" of each mistake.
std::vector<std::string> mistakes(const std::string& value, const std::string& schema) {
  std::vector<std::string> list;
  for (const SchemaMistake& mistake : schema_mistakes(Json::parse(value), Json::parse(schema))) {
    std::string path;
    for (const std::string& step : mistake.path) path += "/" + step;
    list.push_back(path + ": " + mistake.problem);
  }
  return list;
}

TEST(JsonSchema, TypesAndBounds) {
  const std::string number = R"({"type": ["number", "null"], "minimum": 0, "maximum": 1})";
  for (const char* fine : {"0", "1", "0.5", "null"}) EXPECT_THAT(mistakes(fine, number), IsEmpty()) << fine;
  EXPECT_THAT(mistakes("-0.1", number), ElementsAre(": is out of range"));
  EXPECT_THAT(mistakes("2", number), ElementsAre(": is out of range"));
  EXPECT_THAT(mistakes("\"1\"", number), ElementsAre(": has the wrong type"));
  EXPECT_THAT(mistakes("1.5", R"({"type": "integer"})"), ElementsAre(": has the wrong type"));
  EXPECT_THAT(mistakes("true", R"({"type": "number"})"), ElementsAre(": has the wrong type"));
}

TEST(JsonSchema, EveryMistakeOfAnObjectWithItsPath) {
  const std::string schema = R"({"type": "object", "required": ["a", "b"], "additionalProperties": false,
      "properties": {"a": {"type": "array", "items": {"$ref": "#/definitions/word"}}, "b": {"const": 1}},
      "definitions": {"word": {"enum": ["x", "y"]}}})";
  EXPECT_THAT(mistakes(R"({"a": ["x", "y"], "b": 1})", schema), IsEmpty());
  EXPECT_THAT(mistakes(R"({"a": ["x", "z"], "c": 1})", schema),
              ElementsAre("/b: is missing", "/a/1: is unknown", "/c: is unknown"));
  EXPECT_THAT(mistakes(R"({"a": {}, "b": 2})", schema), ElementsAre("/a: has the wrong type", "/b: is another format"));
}

TEST(JsonSchema, AnAlternativeThatFitsIsEnough) {
  const std::string schema = R"({"oneOf": [{"type": "null"}, {"type": "object", "required": ["a"]}]})";
  EXPECT_THAT(mistakes("null", schema), IsEmpty());
  EXPECT_THAT(mistakes(R"({"a": 0})", schema), IsEmpty());
  EXPECT_THAT(mistakes("{}", schema), ElementsAre("/a: is missing"));
}

TEST(JsonSchema, AnEmptySummaryLacksWhatTheSchemaRequires) {
  const Json schema = Json::parse(page_file("summary.schema.json"));
  EXPECT_EQ(schema_mistakes(Json::object(), schema).size(), schema.at("required").size());
}

}  // namespace
}  // namespace tessera::report
