// SPDX-License-Identifier: Apache-2.0
#include "testbench/coverage/explained.h"

#include <array>
#include <fstream>

#include "model/base/program_files.h"

namespace tessera::testbench {
namespace {

struct Point {
  const char* name;
  const char* reason;
};
constexpr const char* kDirected = "rarely if ever by chance; step by step in tests/testbench/test_directed.cpp";
constexpr std::array kPoints = {
    Point{"set_up.reserved", kDirected},
    Point{"finish.set_up_withheld", kDirected},
    Point{"finish.reserved_set_up_withheld", kDirected},
    Point{"sm.reserved_in_set_up_to_draining", kDirected},
};

// Signals whose name has `fragment` in it.
struct Signals {
  const char* fragment;
  const char* reason;
};
constexpr const char* kAtElaboration = "a function of constants: it is worked out at elaboration";
constexpr const char* kFarUp = "a row, a word or a count at the far end of a table, which is seldom so full";
constexpr const char* kNoneCode = "only the code for none, and the last rows of a table, have it";
constexpr const char* kLatency = "the bench draws latencies of up to 13 cycles";
constexpr const char* kWide = "the upper bits of a number that is made wide enough for any size";
constexpr std::array kConstant = {
    Signals{"skips", kDirected},
    Signals{"unused", "only there to say that its bits are not used"},
    Signals{"fault", "a core without parity does not stop"},
    Signals{"page_table_is_written", "only a core with parity asks"},
    Signals{"is_replaced", "a kernel ends just as the OS writes tokens of its context; proved (pool_conserved)"},
};
constexpr std::array kInPart = {
    Signals{"is_present", kAtElaboration},
    Signals{"sm_index", kAtElaboration},
    Signals{"strap_activation_cycles_i", kLatency},
    Signals{"strap_search_step_cycles_i", kLatency},
    Signals{"position", kWide},
    Signals{"address", kWide},
    Signals{"spread", kWide},
    Signals{"issuable", kWide},
    Signals{"mem_q", kFarUp},
    Signals{"_data", kFarUp},
    Signals{"handle", kFarUp},
    Signals{"_tb", kFarUp},
    Signals{"remaining", kFarUp},
    Signals{"has_more", "kernels of so many thread blocks are few"},
    Signals{"tb_after", kFarUp},
    Signals{"rows_i", kFarUp},
    Signals{"data_o", kFarUp},
    Signals{"outstanding", kFarUp},
    Signals{"preempted", kFarUp},
    Signals{"promised", kFarUp},
    Signals{"covered", kFarUp},
    Signals{"owned", kFarUp},
    Signals{"reserved", kFarUp},
    Signals{"running", kFarUp},
    Signals{"slots", kFarUp},
    Signals{"count", kFarUp},
    Signals{"head", kFarUp},
    Signals{"tail", kFarUp},
    Signals{"pool", kFarUp},
    Signals{"replaced", kFarUp},
    Signals{"kernels", kFarUp},
    Signals{"_row", kFarUp},
    Signals{"held", kFarUp},
    Signals{"trap", kFarUp},
    Signals{"internal_event", kFarUp},
    Signals{"hand_over", kFarUp},
    Signals{"choice_state", "an SM that is reserved gets handles only in the midst of a batch"},
    Signals{"moved_up", kFarUp},
    Signals{"age_q", kFarUp},
    Signals{"is_batch", kFarUp},
    Signals{"context", kNoneCode},
    Signals{"buffer", kNoneCode},
    Signals{"selected_by_age", kNoneCode},
    Signals{"ksr_q", kNoneCode},
    Signals{"last_q", kNoneCode},
    Signals{"behind", kNoneCode},
    Signals{"turn", kNoneCode},
    Signals{"distance", kNoneCode},
    Signals{"bits", kNoneCode},
};

// A branch of a line that has `text` in it.
struct Branch {
  const char* file;
  const char* text;
  const char* block;
  const char* reason;
};
constexpr std::array kBranches = {
    Branch{"rtl/tsr_lowest.v", "with_bit", "block", kAtElaboration},
    Branch{"rtl/tsr_lowest.v", "for (i = 0", "block", kAtElaboration},
};

std::string text_of(const std::string& file, unsigned line) {
  const auto folder = folder_with(file);
  if (!folder) return "";
  std::ifstream source(*folder / file);
  std::string text;
  for (unsigned i = 0; i < line && std::getline(source, text); ++i) {
  }
  return text;
}

template <std::size_t N>
std::string reason_in(const std::array<Signals, N>& known, const std::string& signal) {
  for (const Signals& signals : known) {
    if (signal.find(signals.fragment) != std::string::npos) return signals.reason;
  }
  return "";
}

}  // namespace

std::string why_never_met(const std::string& coverpoint) {
  for (const Point& point : kPoints) {
    if (coverpoint == point.name) return point.reason;
  }
  return "";
}

std::string why_it_never_toggles(const std::string& signal) { return reason_in(kConstant, signal); }
std::string why_some_bits_never_toggle(const std::string& signal) { return reason_in(kInPart, signal); }

std::string why_never_taken(const std::string& file, unsigned line, const std::string& block) {
  for (const Branch& branch : kBranches) {
    if (file != branch.file || block != branch.block) continue;
    if (text_of(file, line).find(branch.text) != std::string::npos) return branch.reason;
  }
  return "";
}

}  // namespace tessera::testbench
