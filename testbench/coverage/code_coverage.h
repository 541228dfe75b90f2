// SPDX-License-Identifier: Apache-2.0
// Code coverage of rtl/, from the counts that Verilator writes: lines, branches, and bits that toggled. Cores of all
// configurations count together: a line, or a bit of a signal, is covered if it is in one of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tessera::testbench {

struct CodeHole {
  unsigned line = 0;
  std::string what;    // "line", "else", "next_tb_q: 93 of 128 bits"
  std::string reason;  // why it cannot be met; empty: it is not explained
};

struct Share {
  std::uint64_t hit = 0;
  std::uint64_t explained = 0;  // not hit, with a reason
  std::uint64_t total = 0;
};

struct FileCoverage {
  std::string file;
  Share lines, branches, toggles;
  std::vector<CodeHole> holes;  // by line
};

class CodeCoverage {
 public:
  // A file of IVerilatedCore::write_coverage(). Throws std::runtime_error if it cannot be read.
  void add(const std::filesystem::path& counts);
  // Files of rtl/ by name.
  std::vector<FileCoverage> by_file() const;

 private:
  enum class Kind : std::uint8_t { kBlock, kToggle };
  // File, line, column, kind, and the block's or the bit's name.
  using Point = std::tuple<std::string, unsigned, unsigned, Kind, std::string>;
  struct Count {
    std::uint64_t hits = 0;
    std::string lines;  // of a block: "38", "125,141-142"
  };
  void add_line(const std::string& line);

  std::map<Point, Count> counts_;
};

}  // namespace tessera::testbench
