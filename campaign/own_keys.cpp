// SPDX-License-Identifier: Apache-2.0
// Keys as patterns.
#include "campaign/own_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "campaign/keys.h"
#include "model/spec/diagnostics.h"

namespace tessera::campaign {
namespace {

// The target, or all figures of the paper where it is its whole.
std::vector<const Target*> figures_of(const Paper& paper, const std::string& target) {
  std::vector<const Target*> figures;
  for (const Target& one : paper.targets) {
    if (target == one.name || (target == paper.whole && one.is_of_whole)) figures.push_back(&one);
  }
  return figures;
}

std::vector<std::string_view> segments_of(std::string_view key) {
  std::vector<std::string_view> segments;
  for (;;) {
    const std::size_t dot = key.find('.');
    segments.push_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return segments;
    key.remove_prefix(dot + 1);
  }
}

// Also of a mapping that holds such a key; not of a list whose entries do, which brings more than that.
bool is_about(std::string_view own, std::string_view key) {
  const std::vector<std::string_view> pattern = segments_of(own);
  const std::vector<std::string_view> path = segments_of(key);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == "**") return true;
    if (i == path.size())
      return std::find(pattern.begin() + static_cast<std::ptrdiff_t>(i), pattern.end(), "*") == pattern.end();
    if (pattern[i] != "*" && pattern[i] != path[i]) return false;
  }
  return path.size() == pattern.size();
}

bool is_any_about(const Keys& patterns, const std::string& key) {
  return std::any_of(patterns.begin(), patterns.end(), [&key](const auto& each) { return is_about(each, key); });
}

}  // namespace

Keys own_keys(const Paper& paper, const std::string& target) {
  Keys keys;
  for (const Target* const figure : figures_of(paper, target)) keys = joined(std::move(keys), figure->own_keys);
  return keys;
}

std::optional<Keys> read_keys(const Paper& paper, const std::string& target) {
  Keys keys;
  for (const Target* const figure : figures_of(paper, target)) {
    if (figure->name == std::string_view(paper.whole)) continue;
    if (!figure->read_keys) return std::nullopt;
    keys = joined(std::move(keys), *figure->read_keys);
  }
  return keys;
}

void refuse_own_keys(const Paper& paper, const std::string& target, const std::vector<std::string>& overrides) {
  const Keys own = own_keys(paper, target);
  const std::optional<Keys> read = read_keys(paper, target);
  std::vector<spec::Diagnostic> diagnostics;
  for (const std::string& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    if (is_any_about(own, key)) {
      diagnostics.push_back({"--set", 1, 1, key, "is set by this figure itself", text, "another key"});
    } else if (read && !is_any_about(*read, key)) {
      diagnostics.push_back({"--set", 1, 1, key, "is not looked at by this figure", text,
                             read->empty() ? "none" : fmt::format("{}", fmt::join(*read, ", "))});
    }
  }
  if (!diagnostics.empty()) throw spec::InputError(std::move(diagnostics));
}

}  // namespace tessera::campaign
