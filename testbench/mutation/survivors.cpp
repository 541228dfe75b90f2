// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/survivors.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "model/base/program_files.h"

namespace tessera::testbench {
namespace {

// Mutants of vectors that hold numbers of `word` bits, where one of the bits concerned is `first` or above.
struct Rule {
  const char* fragment;  // of the net's name, the instance, or the line of the source
  const char* mode;      // or the begin of it
  unsigned word, first;
  const char* reason;
};
constexpr const char* kManyTbs = "a kernel would have to issue thousands of TBs in an episode";
constexpr const char* kLatency = "the bench draws latencies of up to 9 cycles";
constexpr const char* kMerelyMany = "it shows only while very many TBs remain, and how many is no matter then";
constexpr std::array kRules = {
    Rule{"next_tb", "c", 32, 11, kManyTbs},         Rule{"dispatch_tb", "c", 32, 11, kManyTbs},
    Rule{"u_ptbq.u_sram", "c", 32, 11, kManyTbs},   Rule{"handle_i", "c", 32, 11, kManyTbs},
    Rule{"cycle_q", "c", 32, 4, kLatency},          Rule{"cycle_d", "c", 32, 4, kLatency},
    Rule{"remaining", "cnot1", 32, 5, kMerelyMany}, Rule{"issuable", "cnot1", 33, 5, kMerelyMany},
};

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

bool applies(const Rule& rule, const Mutant& mutant, const std::string& line) {
  const auto has = [&](const std::string& text) { return text.find(rule.fragment) != std::string::npos; };
  const bool depends = mutant.mode.rfind("cnot", 0) == 0;
  const unsigned bit = std::max(mutant.bit % rule.word, depends ? mutant.control_bit % rule.word : 0);
  return mutant.mode.rfind(rule.mode, 0) == 0 && bit >= rule.first &&
         (has(mutant.wire) || has(mutant.instance) || has(line));
}

}  // namespace

std::string why_it_survives(const Mutant& mutant) {
  const std::string line = line_of(mutant.source);
  const auto rule = std::find_if(kRules.begin(), kRules.end(),
                                 [&](const Rule& candidate) { return applies(candidate, mutant, line); });
  return rule == kRules.end() ? "" : rule->reason;
}

}  // namespace tessera::testbench
