// SPDX-License-Identifier: Apache-2.0
// Known keys, a list of paths, become a tree, and that becomes properties.
#include "model/spec/schema/json_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/schema/key_tree.h"
#include "model/spec/schema/known_keys.h"
#include "model/spec/schema/settings_schema.h"

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

// Markdown as plain text: a link is its words, and words of files have no marks.
std::string plain_text(const std::string& markdown) {
  static const std::regex link("\\[([^\\]]*)\\]\\([^)]*\\)");
  static const std::regex mark("`");
  return std::regex_replace(std::regex_replace(markdown, link, "$1"), mark, "");
}

// What YAML makes of a plain text that the loader takes as it stands: `2024`, `yes`.
Json types_of_text(bool is_string) { return is_string ? Json("string") : Json({"string", "number", "boolean"}); }

class SchemaMaker {
 public:
  explicit SchemaMaker(FileKind kind)
      : kind_(kind), varies_experiments_(kind == FileKind::kSweep || kind == FileKind::kMeasurements) {}

  Json make() {
    const auto name = std::find_if(kFileKinds.begin(), kFileKinds.end(),
                                   [this](const FileKindName& one) { return one.kind == kind_; });
    const std::vector<KnownKey> keys = known_keys(kind_);
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"$comment", "SPDX-License-Identifier: Apache-2.0. Written by `tessera schema`."},
                {"title", fmt::format("Tessera: {}", name->title)}};
    schema.update(mapping(tree_of(keys)));
    define_the_rest();
    if (varies_experiments_) add_settings(definitions_);
    if (!definitions_.empty()) schema["definitions"] = definitions_;
    return schema;
  }

 private:
  // The mappings that are referred to, and those that these refer to.
  void define_the_rest() {
    while (!wanted_.empty()) {
      const std::string name = *wanted_.begin();
      wanted_.erase(wanted_.begin());
      if (definitions_.contains(name)) continue;
      const auto kind = std::find_if(kFileKinds.begin(), kFileKinds.end(),
                                     [&name](const FileKindName& one) { return one.word == name; });
      const std::vector<KnownKey> keys = known_keys(kind->kind, Place::kMapping);
      kind_ = kind->kind;
      may_lack_keys_ = varies_experiments_;
      definitions_[name] = mapping(tree_of(keys));
    }
  }

  Json mapping(const KeyTree& node, bool has_one_key = false) {
    Json schema{{"type", "object"}, {"additionalProperties", false}};
    Json properties = Json::object();
    Json required = Json::array();
    Json alternatives = Json::array();
    for (const KeyTree& child : node.children) {
      if (child.name == KeyTree::kEntry) continue;
      properties[child.name] = property(child);
      if (may_lack_keys_) continue;
      if (!child.key->or_else.empty()) {
        alternatives.push_back(one_of(child));
      } else if (child.key->is_required && !has_one_key) {
        required.push_back(child.name);
      }
    }
    if (!required.empty()) schema["required"] = std::move(required);
    if (!alternatives.empty()) schema["allOf"] = std::move(alternatives);
    if (has_one_key) schema.update({{"minProperties", 1}, {"maxProperties", 1}});
    schema["properties"] = std::move(properties);
    return schema;
  }

  static Json one_of(const KeyTree& node) {
    Json keys = Json::array({{{"required", {node.name}}}});
    for (const std::string& other : node.key->or_else) keys.push_back({{"required", {other}}});
    return {{"anyOf", std::move(keys)}};
  }

  Json property(const KeyTree& node) {
    const KnownKey& key = *node.key;
    Json schema{{"description", description(key)}};
    Json value = any_of(key.form.shapes, node);
    if (value.contains("$ref")) value = {{"allOf", Json::array({std::move(value)})}};  // beside which nothing counts
    schema.update(value);
    const bool is_constant =
        !key.is_required && !key.preset.empty() && *key.meaning.preset == '\0' && twin_of(kind_, key.path) == nullptr;
    if (is_constant) schema["default"] = preset(key);
    return schema;
  }

  static std::string description(const KnownKey& key) {
    std::string text = plain_text(key.meaning.text);
    const bool is_plain = key.form.allowed.empty();
    return is_plain ? text : fmt::format("{} ({}: {})", text, key.form.type, key.form.allowed);
  }

  static Json preset(const KnownKey& key) {
    const Shape::Kind kind = key.form.shapes[0].kind;
    const bool is_json =
        kind == Shape::Kind::kInteger || kind == Shape::Kind::kDecimal || kind == Shape::Kind::kBoolean;
    const Json parsed = is_json ? Json::parse(key.preset, nullptr, false) : Json(Json::value_t::discarded);
    return parsed.is_discarded() ? Json(key.preset) : parsed;
  }

  Json any_of(const std::vector<Shape>& shapes, const KeyTree& node) {
    if (shapes.size() == 1) return schema_of(shapes[0], node);
    Json all = Json::array();
    for (const Shape& shape : shapes) all.push_back(schema_of(shape, node));
    return {{"anyOf", std::move(all)}};
  }

  // `node`: has the keys of a mapping.
  Json schema_of(const Shape& shape, const KeyTree& node) {
    switch (shape.kind) {
      case Shape::Kind::kInteger:
      case Shape::Kind::kDecimal:
        return number(shape);
      case Shape::Kind::kBoolean:
        return {{"type", "boolean"}};
      case Shape::Kind::kWord:
        return {{"enum", shape.words}};
      case Shape::Kind::kText:
        return text(shape);
      case Shape::Kind::kPath:
        return {{"type", types_of_text(false)}, {"minLength", 1}};
      case Shape::Kind::kMapping:
        return shape.keys.empty() ? mapping(node) : reference(shape, node);
      case Shape::Kind::kSettings:
        return settings(shape);
      case Shape::Kind::kList:
        return list(shape, node);
    }
    return {};
  }

  static Json number(const Shape& shape) {
    if (!shape.words.empty()) {
      Json values = Json::array();
      for (const std::string& word : shape.words) values.push_back(Json::parse(word));
      return {{"enum", std::move(values)}};
    }
    if (shape.min == shape.max) return {{"const", Json::parse(shape.min)}};
    return {{"type", shape.kind == Shape::Kind::kInteger ? "integer" : "number"},
            {"minimum", Json::parse(shape.min)},
            {"maximum", Json::parse(shape.max)}};
  }

  static Json text(const Shape& shape) {
    if (!shape.keys.empty()) return {{"$ref", "#/definitions/" + shape.keys}};
    Json schema{{"type", types_of_text(shape.is_string)}, {"minLength", 1}};
    if (shape.max_length > 0) schema["maxLength"] = shape.max_length;
    if (!shape.pattern.empty()) schema["pattern"] = shape.pattern;
    return schema;
  }

  Json list(const Shape& shape, const KeyTree& node) {
    Json schema{{"type", "array"}};
    if (shape.min_entries > 0 && !may_lack_keys_) schema["minItems"] = shape.min_entries;
    schema["items"] = any_of(shape.entries, node.entry());
    return schema;
  }

  static Json settings(const Shape& shape) {
    if (!shape.keys.empty()) {
      const Json keys{{"$ref", "#/definitions/" + shape.keys}};
      return {{"minProperties", shape.min_entries}, {"allOf", Json::array({keys})}};
    }
    return {{"type", "object"}};
  }

  // A mapping that has a name is defined where its keys are noted: once.
  Json reference(const Shape& shape, const KeyTree& node) {
    const std::string name = shape.keys.substr(0, shape.keys.find('.'));
    if (!node.children.empty()) {
      definitions_[name] = mapping(node, shape.has_one_key);
    } else if (!shape.has_one_key) {
      wanted_.insert(name);
    }
    Json schema{{"$ref", "#/definitions/" + std::regex_replace(shape.keys, std::regex("\\."), "/properties/")}};
    if (shape.words.empty()) return schema;
    return {{"allOf", Json::array({std::move(schema), {{"propertyNames", {{"enum", shape.words}}}}})}};
  }

  FileKind kind_;
  bool varies_experiments_;     // by `set`, with the keys of any
  bool may_lack_keys_ = false;  // of an experiment that something is set in, and of what it refers to
  Json definitions_ = Json::object();
  std::set<std::string> wanted_;  // definitions
};

}  // namespace

nlohmann::ordered_json json_schema(FileKind kind) { return SchemaMaker(kind).make(); }

}  // namespace tessera::spec
