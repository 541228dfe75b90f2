// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/mutant.h"

#include <fmt/format.h>

#include <limits>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace tessera::testbench {
namespace {

// "$flatten\u_search.\u_good_valid.$shiftx$rtl/tsr_read_port.v:0$7094": where, and what.
void parse_cell(const std::string& name, Mutant& mutant) {
  static const std::regex kName(R"((?:\$flatten)?(?:\\(.*)\.)?\$(?:auto\$)?([a-z_]+).*)");
  std::smatch parts;
  mutant.cell_name = name;
  if (!std::regex_match(name, parts, kName)) {
    mutant.cell = name;
    return;
  }
  mutant.instance = std::regex_replace(parts[1].str(), std::regex(R"(\\)"), "");
  mutant.cell = parts[2];
}

// "rtl/tsr_search.v:150.8-152.18" -> lines it spans.
unsigned num_lines(const std::string& source) {
  static const std::regex kRange(R"(.*:(\d+)\.\d+-(\d+)\.\d+)");
  std::smatch parts;
  if (!std::regex_match(source, parts, kRange)) return std::numeric_limits<unsigned>::max();
  return static_cast<unsigned>(std::stoul(parts[2]) - std::stoul(parts[1]));
}

// The narrowest of its places says most. (A part-select with a variable index has line 0.)
void keep_narrowest(const std::string& source, Mutant& mutant, unsigned& fewest) {
  const unsigned lines = num_lines(source);
  const bool is_better = mutant.source.empty() || lines < fewest;
  if (!is_better) return;
  fewest = lines;
  mutant.source = source.substr(0, source.rfind('.', source.rfind('-')));
}

}  // namespace

Mutant parse_mutant(const std::string& line) {
  Mutant mutant;
  unsigned fewest = 0;
  std::istringstream words(line);
  std::string word, value;
  words >> word;
  if (word != "mutate") throw std::runtime_error("not a mutation: " + line);
  while (words >> word >> value) {
    if (word == "-ctrl") {
      words >> value >> mutant.number;  // width, and its value
    } else if (word == "-mode") {
      mutant.mode = value;
    } else if (word == "-cell") {
      parse_cell(value, mutant);
    } else if (word == "-port") {
      mutant.port = value.substr(value.front() == '\\' ? 1 : 0);
    } else if (word == "-portbit") {
      mutant.bit = static_cast<unsigned>(std::stoul(value));
    } else if (word == "-ctrlbit") {
      mutant.control_bit = static_cast<unsigned>(std::stoul(value));
    } else if (word == "-wire") {
      mutant.wire = value;
    } else if (word == "-src") {
      keep_narrowest(value, mutant, fewest);
    }
  }
  return mutant;
}

std::string describe(const Mutant& mutant) {
  const bool has_control = mutant.mode.rfind("cnot", 0) == 0;
  return fmt::format("{}{} of {}[{}]{}, {}{}, {}", mutant.mode,
                     has_control ? fmt::format(" by [{}]", mutant.control_bit) : "", mutant.port, mutant.bit,
                     mutant.wire.empty() ? "" : " (" + mutant.wire + ")", mutant.cell,
                     mutant.instance.empty() ? "" : " in " + mutant.instance, mutant.source);
}

}  // namespace tessera::testbench
