// SPDX-License-Identifier: Apache-2.0
// type, const, enum, minimum, maximum, required, properties, additionalProperties, items, oneOf, $ref to definitions.
#include "report/json_schema.h"

#include <algorithm>
#include <utility>

namespace tessera::report {
namespace {

using Json = nlohmann::ordered_json;

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  void check(const Json& value, const Json& schema) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) add("is unknown");
      return;
    }
    if (schema.contains("$ref")) return check(value, definition(schema.at("$ref")));
    if (schema.contains("oneOf")) return check_alternatives(value, schema.at("oneOf"));
    if (!check_value(value, schema)) return;
    if (value.is_object()) check_object(value, schema);
    if (value.is_array() && schema.contains("items")) check_items(value, schema.at("items"));
  }

  std::vector<SchemaMistake> take() { return std::move(mistakes_); }

 private:
  void add(const std::string& problem, const Json* value = nullptr, const std::string& allowed = "") {
    const bool is_short = value != nullptr && !value->is_structured();
    mistakes_.push_back({path_, problem, is_short ? value->dump().substr(0, 60) : "", allowed});
  }

  const Json& definition(const std::string& reference) const {
    return root_.at("definitions").at(reference.substr(reference.rfind('/') + 1));
  }

  // The last alternative is the one that is told about: null comes first in our schemas.
  void check_alternatives(const Json& value, const Json& alternatives) {
    for (const Json& alternative : alternatives) {
      Checker checker(root_);
      checker.check(value, alternative);
      if (checker.mistakes_.empty()) return;
    }
    check(value, alternatives.back());
  }

  bool check_value(const Json& value, const Json& schema) {
    const std::size_t before = mistakes_.size();
    if (schema.contains("type") && !has_type(value, schema.at("type"))) {
      add("has the wrong type", &value, schema.at("type").dump());
    } else if (schema.contains("const") && value != schema.at("const")) {
      add("is another format", &value, schema.at("const").dump());
    } else if (schema.contains("enum") && !contains(schema.at("enum"), value)) {
      add("is unknown", &value, schema.at("enum").dump());
    } else if (value.is_number() && schema.contains("minimum") && value < schema.at("minimum")) {
      add("is out of range", &value, schema.at("minimum").dump() + " or more");
    } else if (value.is_number() && schema.contains("maximum") && value > schema.at("maximum")) {
      add("is out of range", &value, schema.at("maximum").dump() + " or less");
    }
    return mistakes_.size() == before;
  }

  static bool contains(const Json& list, const Json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }

  static bool has_type(const Json& value, const Json& types) {
    if (types.is_array()) {
      return std::any_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); });
    }
    const std::string type = types;
    if (type == "integer") return value.is_number_integer();
    return type == "null" ? value.is_null() : type == value.type_name();
  }

  void check_object(const Json& value, const Json& schema) {
    static const Json kNone = Json::object();
    const Json& properties = schema.contains("properties") ? schema.at("properties") : kNone;
    if (schema.contains("required")) {
      for (const Json& key : schema.at("required")) {
        if (!value.contains(key.get<std::string>())) at(key, [&] { add("is missing"); });
      }
    }
    for (const auto& [key, item] : value.items()) {
      const Json* inner = properties.contains(key) ? &properties.at(key) : nullptr;
      if (inner == nullptr && schema.contains("additionalProperties")) inner = &schema.at("additionalProperties");
      if (inner != nullptr) at(key, [&, &each = item] { check(each, *inner); });
    }
  }

  void check_items(const Json& list, const Json& schema) {
    for (std::size_t i = 0; i < list.size(); ++i) at(std::to_string(i), [&] { check(list[i], schema); });
  }

  template <typename Check>
  void at(const std::string& step, Check check) {
    path_.push_back(step);
    check();
    path_.pop_back();
  }

  const Json& root_;
  std::vector<std::string> path_;
  std::vector<SchemaMistake> mistakes_;
};

}  // namespace

std::vector<SchemaMistake> schema_mistakes(const Json& value, const Json& schema) {
  Checker checker(schema);
  checker.check(value, schema);
  return checker.take();
}

}  // namespace tessera::report
