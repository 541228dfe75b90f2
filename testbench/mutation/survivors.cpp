// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/survivors.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "model/base/program_files.h"
#include "model/spec/next_core.h"
#include "testbench/mutation/survivor_rules.h"

namespace tessera::testbench {
namespace {

constexpr const char* kUnusedCode =
    "believed to be no fault: it shows for a code, an index or a count that never comes";
constexpr const char* kStartsAnew = "believed to be no fault: a register that is not looked at before it is set again";
constexpr const char* kSaidTwice =
    "believed to be no fault: in every state that is reached, another condition says the same";
constexpr const char* kTurn = "rare: whose turn it is shows only if a kernel without TBs gets some back from the PTBQ";
constexpr const char* kMoment = "rare: it needs events of two SMs, or an event and a write, in one cycle";
constexpr const char* kLeftOver = "rare: an SM that is empty, or not set up yet, while its kernel finishes elsewhere";
constexpr const char* kMany = "rare: it shows only while many TBs remain, or many SMs are reserved for one kernel";
constexpr const char* kNowhere = "a cell that Yosys made of others, and does not say of which";
constexpr std::array kRules = {
    // Search.
    SurvivorRule{"policy == ", kUnusedCode},
    SurvivorRule{"sm_valid", kUnusedCode},
    SurvivorRule{"row_valid", kUnusedCode},
    SurvivorRule{"pool_q", kUnusedCode},
    SurvivorRule{"idle_sm_q", kUnusedCode},
    SurvivorRule{"victim_sm_q", kUnusedCode},
    SurvivorRule{"state_q == ", kUnusedCode},
    SurvivorRule{"choose_o", kUnusedCode},
    SurvivorRule{"counts   = ", kSaidTwice},
    SurvivorRule{"has_extra", kSaidTwice},
    SurvivorRule{"seen_", kMoment},
    SurvivorRule{"is_walking", kSaidTwice},
    SurvivorRule{"activation_ends", kSaidTwice},
    SurvivorRule{"victim_as_seen", kMoment},
    SurvivorRule{"invoke_i", kMoment},
    SurvivorRule{"nearest_", kUnusedCode},
    SurvivorRule{"requester_", kUnusedCode},
    SurvivorRule{"min_valid_q", kStartsAnew},
    SurvivorRule{"candidate_", kStartsAnew},
    SurvivorRule{"end_i(first_ends", kStartsAnew},
    SurvivorRule{"tsr_fcfs.v", kStartsAnew},
    // Tables.
    SurvivorRule{"has_more", kMany},
    SurvivorRule{"g_more", kMany},
    SurvivorRule{"borrow", kMany},
    SurvivorRule{"read_i(free_i", kStartsAnew},
    SurvivorRule{"tail_next", kUnusedCode},
    SurvivorRule{"head_next", kUnusedCode},
    SurvivorRule{"u_leave_", kUnusedCode},
    SurvivorRule{"is_behind", kStartsAnew},  // the last entry, beyond the count
    SurvivorRule{"lose_ksr == owner", kLeftOver},
    SurvivorRule{"found", kUnusedCode},
    SurvivorRule{"is_aged", kUnusedCode},
    SurvivorRule{"age_q", kUnusedCode},
    SurvivorRule{"u_lowest_free", kSaidTwice},
    SurvivorRule{"is_touched", kSaidTwice},
    SurvivorRule{"is_returned", kMoment},
    SurvivorRule{"replaced", kMoment},
    SurvivorRule{"finish && owner", kMoment},
    SurvivorRule{"quiet_o", kSaidTwice},
    SurvivorRule{"preempted_q", kUnusedCode},
    // SM driver.
    SurvivorRule{"g_check", kUnusedCode},
    SurvivorRule{"needed", kUnusedCode},
    SurvivorRule{"exhausts", kTurn},
    SurvivorRule{"choice_remaining", kTurn},
    SurvivorRule{"turn", kTurn},
    SurvivorRule{"has_internal_event", kLeftOver},
    SurvivorRule{"is_batch", kLeftOver},
    SurvivorRule{"is_filling", kLeftOver},
    SurvivorRule{"is_filled", kLeftOver},
    SurvivorRule{"internal_event_o", kMoment},
    SurvivorRule{"runs_out", kLeftOver},
    SurvivorRule{"skips", kLeftOver},
    SurvivorRule{"is_ended", kLeftOver},
    SurvivorRule{"to_trap", kLeftOver},
    SurvivorRule{"to_drain", kLeftOver},
    SurvivorRule{"forget", kSaidTwice},
    SurvivorRule{"is_next_alive", kSaidTwice},
    SurvivorRule{"is_chosen", kSaidTwice},
    SurvivorRule{"is_restored", kLeftOver},
    SurvivorRule{"u_setup", kMoment},
    SurvivorRule{"u_choice_state", kMoment},
    SurvivorRule{"served_q", kMoment},
    SurvivorRule{"if (reads)", kStartsAnew},
    // Counts.
    SurvivorRule{"remaining", kMany},
    SurvivorRule{"issuable", kMany},
    SurvivorRule{"reserved_i", kMany},
    SurvivorRule{"preempted_i", kMany},
    SurvivorRule{"tsr_uncovered.v", kMany},
    // Wherever else.
    SurvivorRule{"none || |", kUnusedCode},  // the index of a request where there is none
    SurvivorRule{"product", kUnusedCode},
    SurvivorRule{"tsr_smst.v", kLeftOver},
    SurvivorRule{"tsr_context_table.v", "rare: it shows only in a page table or a budget that nobody wrote"},
};

template <typename Rules, typename Applies>
std::string reason_in(const Rules& rules, const Applies& applies) {
  const auto rule = std::find_if(rules.begin(), rules.end(), applies);
  return rule == rules.end() ? "" : rule->reason;
}

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
  const auto applies = [&](const SurvivorRule& rule) {
    const auto has = [&](const std::string& text) { return text.find(rule.text) != std::string::npos; };
    return has(mutant.wire) || has(mutant.instance) || has(mutant.source) || has(line);
  };
  if (spec::is_next_core_wanted()) return reason_in(survivor_rules_of_next_core(), applies);
  return reason_in(kRules, applies);
}

}  // namespace tessera::testbench
