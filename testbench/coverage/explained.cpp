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
constexpr const char* kRare = "by chance in 100 million cycles, not in each five million";
constexpr std::array kPoints = {
    Point{"retarget.cancelled_restoring", kRare},
    Point{"finish.reserved_for_itself", kRare},
    Point{"finish.reserved_pending", kRare},
    Point{"link.late_restore_done",
          "by chance not in 100 million cycles; Tags.ARestoreDoneThatComesAfterTheNextSetUpEndsTheRestore in "
          "tests/scheduler/test_tags.cpp"},
};

// Signals whose name has `fragment` in it; with a colon, "file:signal" has.
struct Signals {
  const char* fragment;
  const char* reason;
};
constexpr const char* kAtElaboration = "a function of constants: it is worked out at elaboration";
constexpr const char* kConstants = "a constant, or one of two, in most of its bits";
constexpr const char* kFarUp = "a row, a word or a count at the far end of a table, which is seldom so full";
constexpr const char* kNoCode = "no code that is used has this bit";
constexpr const char* kNoneCode = "only the code for none, and the last rows of a table, have it";
constexpr const char* kManySms = "few of 33 SMs are in this state at a time, and those with a low number first";
constexpr const char* kManyPartitions = "few of 33 partitions have SMs, and those with a low number first";
constexpr std::array kConstant = {
    Signals{"unused", "only there to say that its bits are not used"},
    Signals{"fault", "a core without parity does not stop"},
    Signals{"page_table_is_written", "only a core with parity asks"},
    Signals{"none_i", "nobody asks for none beside rows"},
    Signals{"set_up_dropped", "a kernel that finishes while its set-ups wait: the coverpoint finish.reserved_pending"},
};
constexpr std::array kInPart = {
    Signals{"policy_table.v:", kConstants},
    Signals{"refill_steps.v:one", kConstants},
    Signals{"tsr_partitions.v:", kManyPartitions},
    Signals{"kind", kNoCode},
    Signals{"policy", kNoCode},
    Signals{"partition", kManyPartitions},
    Signals{"changes", kManyPartitions},
    Signals{"moved_up", kFarUp},
    Signals{"kernels", kFarUp},
    Signals{"_tb", kFarUp},
    Signals{"head", kFarUp},
    Signals{"reserved", kFarUp},
    Signals{"preempted", kFarUp},
    Signals{"_row", kFarUp},
    Signals{"covered", kFarUp},
    Signals{"count", kFarUp},
    Signals{"owned", kFarUp},
    Signals{"spread", kFarUp},
    Signals{"handle", kFarUp},
    Signals{"_data", kFarUp},
    Signals{"_word", kFarUp},
    Signals{"_own", kFarUp},
    Signals{"low", kFarUp},
    Signals{"base", kFarUp},
    Signals{"offset", kFarUp},
    Signals{"tail", kFarUp},
    Signals{"rows_i", kFarUp},
    Signals{"address", kFarUp},
    Signals{"mem_q", kFarUp},
    Signals{"pool", kFarUp},
    Signals{"held", kFarUp},
    Signals{"replaced", kFarUp},
    Signals{"left", kFarUp},
    Signals{"outstanding", kFarUp},
    Signals{"waiting", kFarUp},
    Signals{"taken", kFarUp},
    Signals{"tsr_assign.v:step", kFarUp},
    Signals{"dealt", kFarUp},
    Signals{"budget", kFarUp},
    Signals{"context", kNoneCode},
    Signals{"active_i", kNoneCode},
    Signals{"active_q", kNoneCode},
    Signals{"ksr", kNoneCode},
    Signals{"buffer", kNoneCode},
    Signals{"behind", kNoneCode},
    Signals{"victim", kNoneCode},
    Signals{"row_i", kNoneCode},
    Signals{"row_o", kNoneCode},
    Signals{"turn_o", kNoneCode},
    Signals{"first_index", kNoneCode},
    Signals{"dispatch_sm", kManySms},
    Signals{"trap", kManySms},
    Signals{"drains", kManySms},
    Signals{"restoring", kManySms},
    Signals{"kept", kManySms},
    Signals{"no_room", kManySms},
    Signals{"leaves", kManySms},
    Signals{"bereft", kManySms},
    Signals{"to_nobody", kManySms},
    Signals{"lane_", kManySms},
    Signals{"serves", kManySms},
    Signals{"filled", kManySms},
    Signals{"emptied", kManySms},
    Signals{"activated", kManySms},
    Signals{"full", kManySms},
    Signals{"cannot_set_up", kManySms},
    Signals{"unanswered", kManySms},
    Signals{"tsr_round_robin.v:", kManySms},
};

// A block or branch of a line that has `text` in it.
struct Branch {
  const char* file;
  const char* text;
  const char* block;  // empty: any
  const char* reason;
};
constexpr std::array kBranches = {
    Branch{"rtl/tsr_encode.v", "with_bit", "block", kAtElaboration},
    Branch{"rtl/tsr_encode.v", "for (i = 0", "block", kAtElaboration},
    Branch{"rtl/tsr_policy_table.vh", "", "", kAtElaboration},
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
std::string reason_in(const std::array<Signals, N>& known, const std::string& file, const std::string& signal) {
  for (const Signals& signals : known) {
    const std::string fragment = signals.fragment;
    const bool names_file = fragment.find(':') != std::string::npos;
    const std::string name = names_file ? file + ":" + signal : signal;
    if (name.find(fragment) != std::string::npos) return signals.reason;
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

std::string why_it_never_toggles(const std::string& file, const std::string& signal) {
  return reason_in(kConstant, file, signal);
}

std::string why_some_bits_never_toggle(const std::string& file, const std::string& signal) {
  return reason_in(kInPart, file, signal);
}

std::string why_never_taken(const std::string& file, unsigned line, const std::string& block) {
  for (const Branch& branch : kBranches) {
    if (file != branch.file || (*branch.block != '\0' && block != branch.block)) continue;
    if (text_of(file, line).find(branch.text) != std::string::npos) return branch.reason;
  }
  return "";
}

}  // namespace tessera::testbench
