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
constexpr std::array kPoints = {
    Point{"set_up.reserved",
          "by chance not in 100 million cycles; step by step in tests/scheduler/test_preemption.cpp"},
    Point{"finish.reserved_pending",
          "by chance once in five million cycles of lane_many_sms; SetUpPending.EndsWithTheKernel in "
          "tests/scheduler/test_assign.cpp"},
    Point{"leave.no_next",
          "by chance not in 100 million cycles; AnSmThatLeavesByItselfGoesToNobodyIfItsNextHasFinished "
          "in tests/scheduler/test_preemption.cpp"},
};

// Signals whose name has `fragment` in it.
struct Signals {
  const char* fragment;
  const char* reason;
};
constexpr const char* kAtElaboration = "a function of constants: it is worked out at elaboration";
constexpr const char* kFarUp = "a row, a word or a count at the far end of a table, which is seldom so full";
constexpr const char* kNoneCode = "only the code for none, and the last rows of a table, have it";
constexpr const char* kManySms = "few of 33 SMs are in this state at a time, and those with a low number first";
constexpr std::array kConstant = {
    Signals{"unused", "only there to say that its bits are not used"},
    Signals{"fault", "a core without parity does not stop"},
    Signals{"page_table_is_written", "only a core with parity asks"},
    Signals{"none_i", "nobody asks for none beside rows"},
};
constexpr std::array kInPart = {
    Signals{"moved_up", kFarUp},    Signals{"kernels", kFarUp},     Signals{"_tb", kFarUp},
    Signals{"head", kFarUp},        Signals{"reserved", kFarUp},    Signals{"preempted", kFarUp},
    Signals{"_row", kFarUp},        Signals{"covered", kFarUp},     Signals{"count", kFarUp},
    Signals{"owned", kFarUp},       Signals{"spread", kFarUp},      Signals{"handle", kFarUp},
    Signals{"_data", kFarUp},       Signals{"_word", kFarUp},       Signals{"low_q", kFarUp},
    Signals{"base", kFarUp},        Signals{"offset", kFarUp},      Signals{"tail", kFarUp},
    Signals{"rows_i", kFarUp},      Signals{"address", kFarUp},     Signals{"mem_q", kFarUp},
    Signals{"pool", kFarUp},        Signals{"held", kFarUp},        Signals{"replaced", kFarUp},
    Signals{"left_q", kFarUp},      Signals{"budget", kFarUp},      Signals{"context", kNoneCode},
    Signals{"active_q", kNoneCode}, Signals{"ksr_q", kNoneCode},    Signals{"ksr_o", kNoneCode},
    Signals{"buffer", kNoneCode},   Signals{"behind", kNoneCode},   Signals{"victim", kNoneCode},
    Signals{"row_i", kNoneCode},    Signals{"row_o", kNoneCode},    Signals{"trap", kManySms},
    Signals{"drains", kManySms},    Signals{"restoring", kManySms}, Signals{"kept", kManySms},
    Signals{"no_room", kManySms},   Signals{"leaves", kManySms},    Signals{"above", kManySms},
    Signals{"bereft", kManySms},    Signals{"to_nobody", kManySms},
};

// A branch of a line that has `text` in it.
struct Branch {
  const char* file;
  const char* text;
  const char* block;
  const char* reason;
};
constexpr std::array kBranches = {
    Branch{"rtl/tsr_encode.v", "with_bit", "block", kAtElaboration},
    Branch{"rtl/tsr_encode.v", "for (i = 0", "block", kAtElaboration},
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
