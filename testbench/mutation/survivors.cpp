// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/survivors.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "model/base/program_files.h"

namespace tessera::testbench {
namespace {

// Mutants at a line of rtl/ that has `text` in it, in such a file, or of a net or an instance with such a name. The
// first that applies counts. What is believed to be no fault was thought through on the mutants of some runs, not
// proved.
struct Rule {
  const char* text;
  const char* reason;
};
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
    Rule{"policy == ", kUnusedCode},
    Rule{"sm_valid", kUnusedCode},
    Rule{"row_valid", kUnusedCode},
    Rule{"pool_q", kUnusedCode},
    Rule{"idle_sm_q", kUnusedCode},
    Rule{"victim_sm_q", kUnusedCode},
    Rule{"state_q == ", kUnusedCode},
    Rule{"choose_o", kUnusedCode},
    Rule{"counts   = ", kSaidTwice},
    Rule{"has_extra", kSaidTwice},
    Rule{"seen_", kMoment},
    Rule{"is_walking", kSaidTwice},
    Rule{"activation_ends", kSaidTwice},
    Rule{"victim_as_seen", kMoment},
    Rule{"invoke_i", kMoment},
    Rule{"nearest_", kUnusedCode},
    Rule{"requester_", kUnusedCode},
    Rule{"min_valid_q", kStartsAnew},
    Rule{"candidate_", kStartsAnew},
    Rule{"end_i(first_ends", kStartsAnew},
    Rule{"tsr_fcfs.v", kStartsAnew},
    // Tables.
    Rule{"has_more", kMany},
    Rule{"g_more", kMany},
    Rule{"borrow", kMany},
    Rule{"read_i(free_i", kStartsAnew},
    Rule{"tail_next", kUnusedCode},
    Rule{"head_next", kUnusedCode},
    Rule{"u_leave_", kUnusedCode},
    Rule{"is_behind", kStartsAnew},  // the last entry, beyond the count
    Rule{"lose_ksr == owner", kLeftOver},
    Rule{"found", kUnusedCode},
    Rule{"is_aged", kUnusedCode},
    Rule{"age_q", kUnusedCode},
    Rule{"u_lowest_free", kSaidTwice},
    Rule{"is_touched", kSaidTwice},
    Rule{"is_returned", kMoment},
    Rule{"replaced", kMoment},
    Rule{"finish && owner", kMoment},
    Rule{"quiet_o", kSaidTwice},
    Rule{"preempted_q", kUnusedCode},
    // SM driver.
    Rule{"g_check", kUnusedCode},
    Rule{"needed", kUnusedCode},
    Rule{"exhausts", kTurn},
    Rule{"choice_remaining", kTurn},
    Rule{"turn", kTurn},
    Rule{"has_internal_event", kLeftOver},
    Rule{"is_batch", kLeftOver},
    Rule{"is_filling", kLeftOver},
    Rule{"is_filled", kLeftOver},
    Rule{"internal_event_o", kMoment},
    Rule{"runs_out", kLeftOver},
    Rule{"skips", kLeftOver},
    Rule{"is_ended", kLeftOver},
    Rule{"to_trap", kLeftOver},
    Rule{"to_drain", kLeftOver},
    Rule{"forget", kSaidTwice},
    Rule{"is_next_alive", kSaidTwice},
    Rule{"is_chosen", kSaidTwice},
    Rule{"is_restored", kLeftOver},
    Rule{"u_setup", kMoment},
    Rule{"u_choice_state", kMoment},
    Rule{"served_q", kMoment},
    Rule{"if (reads)", kStartsAnew},
    // Counts.
    Rule{"remaining", kMany},
    Rule{"issuable", kMany},
    Rule{"reserved_i", kMany},
    Rule{"preempted_i", kMany},
    Rule{"tsr_uncovered.v", kMany},
    // Wherever else.
    Rule{"none || |", kUnusedCode},  // the index of a request where there is none
    Rule{"product", kUnusedCode},
    Rule{"tsr_smst.v", kLeftOver},
    Rule{"tsr_context_table.v", "rare: it shows only in a page table or a budget that nobody wrote"},
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

}  // namespace

std::string why_it_survives(const Mutant& mutant) {
  if (mutant.source.empty()) return kNowhere;
  const std::string line = line_of(mutant.source);
  const auto applies = [&](const Rule& rule) {
    const auto has = [&](const std::string& text) { return text.find(rule.text) != std::string::npos; };
    return has(mutant.wire) || has(mutant.instance) || has(mutant.source) || has(line);
  };
  const auto rule = std::find_if(kRules.begin(), kRules.end(), applies);
  return rule == kRules.end() ? "" : rule->reason;
}

}  // namespace tessera::testbench
