// SPDX-License-Identifier: Apache-2.0
// Walks a JSON value; only doubles, and the layout around them, are written here.
// A decimal of up to 15 digits survives text -> double -> text unchanged.
#include "model/spec/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestDouble = 1100;  // DBL_TRUE_MIN in fixed notation

class JsonWriter {
 public:
  explicit JsonWriter(int indent) : indent_(indent) {}

  void write(const Json& json, int depth) {
    if (json.is_number_float()) {
      write_number(json.get<double>());
    } else if (json.is_structured() && !json.empty()) {
      write_entries(json, depth + 1);
    } else {
      text_ += json.dump();
    }
  }

  std::string take_text() { return std::move(text_); }

 private:
  void write_entries(const Json& json, int depth) {
    text_ += json.is_object() ? '{' : '[';
    bool is_first = true;
    for (const auto& entry : json.items()) {
      if (!is_first) text_ += ',';
      is_first = false;
      new_line(depth);
      if (json.is_object()) text_ += Json(entry.key()).dump() + (indent_ < 0 ? ":" : ": ");
      write(entry.value(), depth);
    }
    new_line(depth - 1);
    text_ += json.is_object() ? '}' : ']';
  }

  void write_number(double number) {
    if (!std::isfinite(number)) {
      text_ += "null";
      return;
    }
    std::array<char, kLongestDouble> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
    text_.append(digits.data(), end.ptr);
  }

  void new_line(int depth) {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth), ' ');
  }

  int indent_;
  std::string text_;
};

}  // namespace

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  JsonWriter writer(indent);
  writer.write(json, 0);
  return writer.take_text();
}

}  // namespace tessera::spec
