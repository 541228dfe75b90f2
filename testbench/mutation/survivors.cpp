// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/survivors.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "model/base/program_files.h"

namespace tessera::testbench {
namespace {

constexpr const char* kNowhere = "a cell that Yosys made of others, and does not say of which";

// A survivor whose wire, instance, place or line has this text.
struct Rule {
  const char* text;
  const char* reason;
};
constexpr std::array<Rule, 0> kRules{};

std::string line_of(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const auto folder = folder_with(place.substr(0, colon));
  if (colon == std::string::npos || !folder) return "";
  std::ifstream source(*folder / place.substr(0, colon));
  std::string line;
  for (unsigned long left = std::stoul(place.substr(colon + 1)); left > 0 && std::getline(source, line); --left) {
  }
  return line;
}

}  // namespace

std::string why_it_survives(const Mutant& mutant) {
  if (mutant.source.empty()) return kNowhere;
  const std::string line = line_of(mutant.source);
  const auto applies = [&](const Rule& rule) {
    const auto has = [&](const std::string& text) { return text.find(rule.text) != std::string::npos; };
    return has(mutant.wire) || has(mutant.instance) || has(mutant.source) || has(line);
  };
  const auto* const rule = std::find_if(kRules.begin(), kRules.end(), applies);
  return rule == kRules.end() ? "" : rule->reason;
}

}  // namespace tessera::testbench
