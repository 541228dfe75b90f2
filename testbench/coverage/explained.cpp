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
// None at the moment. The rarest are met once in some 10 million cycles.
constexpr std::array<Point, 0> kPoints{};

// Bits `first` to `last` of each word of `word` bits, in signals whose name has `fragment` in it.
struct Bits {
  const char* fragment;
  unsigned word, first, last;
  const char* reason;
};
constexpr const char* kAtElaboration = "a function of constants: it is worked out at elaboration";
constexpr const char* kManyTbs = "a kernel would have to issue thousands of TBs in an episode";
constexpr std::array kBits = {
    Bits{"next_tb", 32, 11, 31, kManyTbs},
    Bits{"dispatch_tb", 32, 11, 31, kManyTbs},
    Bits{"handle_tb", 32, 11, 31, kManyTbs},
    // {TB, stack pointer}
    Bits{"handle_i", 64, 43, 63, kManyTbs},
    Bits{"handle_o", 64, 43, 63, kManyTbs},
    Bits{"handle", 64, 43, 63, kManyTbs},
    Bits{"write_data_i", 64, 43, 63, kManyTbs},
    Bits{"read_data_o", 64, 43, 63, kManyTbs},
    Bits{"mem_q", 64, 43, 63, kManyTbs},
    Bits{"strap_activation_cycles_i", 64, 4, 63, "the bench draws latencies of up to 9 cycles"},
    Bits{"strap_search_step_cycles_i", 64, 2, 63, "the bench draws latencies of up to 3 cycles"},
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

}  // namespace

std::string why_never_met(const std::string& coverpoint) {
  for (const Point& point : kPoints) {
    if (coverpoint == point.name) return point.reason;
  }
  return "";
}

std::string why_never_toggles(const std::string& signal, unsigned bit) {
  for (const Bits& bits : kBits) {
    const unsigned at = bit % bits.word;
    if (signal.find(bits.fragment) != std::string::npos && at >= bits.first && at <= bits.last) return bits.reason;
  }
  return "";
}

std::string why_never_taken(const std::string& file, unsigned line, const std::string& block) {
  for (const Branch& branch : kBranches) {
    if (file != branch.file || block != branch.block) continue;
    if (text_of(file, line).find(branch.text) != std::string::npos) return branch.reason;
  }
  return "";
}

}  // namespace tessera::testbench
