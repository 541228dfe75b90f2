// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/form.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <utility>

namespace tessera::spec {
namespace {

Form form_of(std::string type, std::string allowed, Shape shape) {
  return {std::move(type), std::move(allowed), {std::move(shape)}};
}

Shape shape_of(Shape::Kind kind) {
  Shape shape;
  shape.kind = kind;
  return shape;
}

}  // namespace

Form number_form(std::string_view type, const std::string& min, const std::string& max) {
  Shape shape = shape_of(type == "integer" ? Shape::Kind::kInteger : Shape::Kind::kDecimal);
  shape.min = min;
  shape.max = max;
  return form_of(std::string(type), min == max ? min : fmt::format("{} .. {}", min, max), std::move(shape));
}

Form integers_form(std::vector<std::string> values) {
  Form form = word_form(std::move(values));
  form.type = "integer";
  form.shapes[0].kind = Shape::Kind::kInteger;
  return form;
}

Form boolean_form() { return form_of("boolean", "true, false", shape_of(Shape::Kind::kBoolean)); }

Form word_form(std::vector<std::string> words) {
  std::string allowed = fmt::format("{}", fmt::join(words, ", "));
  Shape shape = shape_of(Shape::Kind::kWord);
  shape.words = std::move(words);
  return form_of("word", std::move(allowed), std::move(shape));
}

Form text_form(std::size_t max_length, std::string_view alphabet, std::string_view pattern) {
  Shape shape = shape_of(Shape::Kind::kText);
  shape.max_length = max_length;
  shape.pattern = fmt::format("^{}*$", pattern);
  return form_of("text", fmt::format("1 to {} characters of {}", max_length, alphabet), std::move(shape));
}

Form path_form() { return form_of("path", "", shape_of(Shape::Kind::kPath)); }

Form mapping_form() { return form_of("mapping", "", shape_of(Shape::Kind::kMapping)); }

Form keys_form(std::string keys) {
  Form form = mapping_form();
  form.shapes[0].keys = std::move(keys);
  return form;
}

Form experiment_form() { return either(path_form(), keys_form("experiment")); }
Form gpu_form() { return either(path_form(), keys_form("gpu")); }
Form host_form() { return either(path_form(), keys_form("host")); }
Form application_form() { return either(path_form(), keys_form("application")); }

Form any_text_form(std::string allowed) { return form_of("text", std::move(allowed), shape_of(Shape::Kind::kText)); }

Form settings_form() {
  Form form = free_keys_form("keys as --set has them");
  form.shapes[0].keys = "settings";
  form.shapes[0].min_entries = 1;
  return form;
}

Form free_keys_form(std::string allowed) {
  return form_of("mapping", std::move(allowed), shape_of(Shape::Kind::kSettings));
}

Form list_form(const Form& entry, std::size_t min_entries) {
  Shape shape = shape_of(Shape::Kind::kList);
  shape.entries = entry.shapes;
  shape.min_entries = min_entries;
  return form_of("list", entry.allowed, std::move(shape));
}

Form either(const Form& one, const Form& other) {
  Form form{fmt::format("{} or {}", one.type, other.type), one.allowed, one.shapes};
  if (form.allowed.empty()) {
    form.allowed = other.allowed;
  } else if (!other.allowed.empty() && other.allowed != one.allowed) {
    form.allowed += ", or " + other.allowed;
  }
  form.shapes.insert(form.shapes.end(), other.shapes.begin(), other.shapes.end());
  return form;
}

std::string joined(const std::vector<std::string_view>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace tessera::spec
