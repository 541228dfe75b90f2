// SPDX-License-Identifier: Apache-2.0
// Every place of an experiment's schema becomes a key that refers to it.
#include "model/spec/schema/settings_schema.h"

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPosition = "[0-9]+";

class SettingsMaker {
 public:
  explicit SettingsMaker(const Json& definitions) : definitions_(definitions) {}

  void make() { add_keys(definitions_.at("experiment"), "#/definitions/experiment", "", false); }

  Json settings() const {
    return {{"type", "object"},
            {"additionalProperties", false},
            {"properties", properties_},
            {"patternProperties", patterns_}};
  }

  Json setting() const {
    Json words = Json::array();
    for (const auto& key : properties_.items()) words.push_back(key.key());
    Json alternatives = Json::array({{{"enum", std::move(words)}}});
    for (const auto& pattern : patterns_.items()) alternatives.push_back({{"pattern", pattern.key()}});
    return {{"type", "string"}, {"anyOf", std::move(alternatives)}};
  }

 private:
  // The keys of whatever `schema`, at `pointer`, allows below `path`, which is a pattern if it has a position.
  void add_keys(const Json& schema, const std::string& pointer, const std::string& path, bool is_pattern) {
    for (const char* const alternatives : {"anyOf", "allOf"}) {
      if (!schema.contains(alternatives)) continue;
      for (std::size_t i = 0; i < schema[alternatives].size(); ++i) {
        add_keys(schema[alternatives][i], pointer + "/" + alternatives + "/" + std::to_string(i), path, is_pattern);
      }
    }
    if (schema.contains("$ref")) add_referred(schema["$ref"].get<std::string>(), path);
    if (schema.contains("items")) {
      add(path, kPosition, pointer + "/items", true);
      add_keys(schema["items"], pointer + "/items", joined_to(path, kPosition, true), true);
    }
    if (!schema.contains("properties")) return;
    for (const auto& [key, value] : schema["properties"].items()) {
      const std::string place = pointer + "/properties/" + key;
      add(path, key, place, is_pattern);
      add_keys(value, place, joined_to(path, key, is_pattern), is_pattern);
    }
  }

  // Steps hold steps: what is below one of them is not looked at.
  void add_referred(const std::string& reference, const std::string& path) {
    const Json::json_pointer place(reference.substr(std::string("#/definitions").size()));
    const bool is_pattern = path.find('\\') != std::string::npos;
    if (place.back() == "step") {
      patterns_["^" + path + "\\."] = Json::object();
    } else {
      add_keys(definitions_.at(place), reference, path, is_pattern);
    }
  }

  static std::string joined_to(const std::string& path, const std::string& key, bool is_pattern) {
    if (path.empty()) return key;
    return is_pattern && path.find('\\') == std::string::npos ? as_pattern(path) + "\\." + key
                                                              : path + (is_pattern ? "\\." : ".") + key;
  }

  static std::string as_pattern(const std::string& path) {
    std::string pattern;
    for (const char c : path) pattern += c == '.' ? std::string("\\.") : std::string(1, c);
    return pattern;
  }

  void add(const std::string& path, const std::string& key, const std::string& pointer, bool is_pattern) {
    const std::string name = joined_to(path, key, is_pattern);
    Json& keys = is_pattern ? patterns_ : properties_;
    const std::string written = is_pattern ? "^" + name + "$" : name;
    if (!keys.contains(written)) keys[written] = {{"$ref", pointer}};
  }

  const Json& definitions_;
  Json properties_ = Json::object();
  Json patterns_ = Json::object();
};

}  // namespace

void add_settings(nlohmann::ordered_json& definitions) {
  SettingsMaker maker(definitions);
  maker.make();
  definitions["settings"] = maker.settings();
  definitions["setting"] = maker.setting();
}

}  // namespace tessera::spec
