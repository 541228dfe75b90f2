// SPDX-License-Identifier: Apache-2.0
// CLI11 keeps a check's description only as a part of the option's type: `TYPE:description`. Lists are `{a,b}`, bounds
// `UINT in [a - b]`, as CLI11's own checks write them.
#include "apps/tessera/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::app {
namespace {

constexpr std::size_t kToldAtOnce = 80;

std::string in_braces(const Words& words) { return fmt::format("{{{}}}", fmt::join(words, ",")); }

// Between the first `open` and the `close` behind it; empty where there is none.
std::string inside(const std::string& text, const std::string& open, const std::string& close) {
  const std::size_t from = text.find(open);
  if (from == std::string::npos) return "";
  const std::size_t begin = from + open.size();
  return text.substr(begin, text.find(close, begin) - begin);
}

}  // namespace

OneOf::OneOf(std::function<Words()> words) {
  desc_function_ = [words] { return in_braces(words()); };
  func_ = [words](const std::string& word) -> std::string {
    const Words all = words();
    if (std::find(all.begin(), all.end(), word) != all.end()) return "";
    if (all.size() > kToldAtOnce) return fmt::format("'{}' is none of the {} that --help tells", word, all.size());
    return fmt::format("'{}' is none of {}", word, fmt::join(all, ", "));
  };
}

OneOf::OneOf(Words words) : OneOf([words] { return words; }) {}

NotEmpty::NotEmpty() {
  func_ = [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); };
}

FileOr::FileOr(std::function<Words()> words) {
  desc_function_ = [words] { return in_braces(words()); };
}

Between::Between(double min, double max) {
  desc_function_ = [min, max] { return fmt::format("in [{} - {}]", min, max); };
  func_ = [min, max](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= min && value <= max) return "";
    return fmt::format("'{}' is not a number from {} to {}", text, min, max);
  };
}

Words words_of(const CLI::Option& option) {
  const std::string list = inside(option.get_type_name(), "{", "}");
  return list.empty() ? Words() : CLI::detail::split(list, ',');
}

std::string kind_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string kind = type.substr(0, type.find(':'));
  if (kind == "UINT" || kind == "INT" || kind == "FLOAT") return "N";
  return kind == "TEXT" ? "NAME" : kind;
}

std::string bounds_of(const CLI::Option& option) {
  std::string bounds = inside(option.get_type_name(), "in [", "]");
  const std::size_t dash = bounds.find(" - ");
  return dash == std::string::npos ? bounds : bounds.replace(dash, 3, " to ");
}

}  // namespace tessera::app
