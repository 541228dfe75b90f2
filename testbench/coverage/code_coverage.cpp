// SPDX-License-Identifier: Apache-2.0
#include "testbench/coverage/code_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "testbench/coverage/explained.h"

namespace tessera::testbench {
namespace {

const std::string kSources = "rtl/";  // the module around the core is generated

// "38", "125,141-142".
std::vector<unsigned> numbers_in(const std::string& text) {
  std::vector<unsigned> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const auto first = static_cast<unsigned>(std::stoul(part));
    const auto last = dash == std::string::npos ? first : static_cast<unsigned>(std::stoul(part.substr(dash + 1)));
    for (unsigned number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

// "tokens_q" of "tokens_q[17]", "mem_q" of "mem_q[5][17]".
std::string signal_of(const std::string& bit) { return bit.substr(0, bit.find('[')); }

// Toggles of one signal.
struct SignalBits {
  unsigned line = 0;
  Share bits;
};

struct Line {
  bool is_hit = false;
  bool is_explained = false;  // a block of it has a reason
};

void add_lines(FileCoverage& file, const std::map<unsigned, Line>& lines) {
  for (const auto& [number, line] : lines) {
    ++file.lines.total;
    file.lines.hit += line.is_hit ? 1 : 0;
    file.lines.explained += !line.is_hit && line.is_explained ? 1 : 0;
  }
}

void add_toggles(FileCoverage& file, const std::map<std::string, SignalBits>& signals) {
  for (const auto& [name, signal] : signals) {
    const auto& [hit, explained, total] = signal.bits;
    file.toggles.total += total;
    file.toggles.hit += hit;
    if (hit == total) continue;
    const std::string reason =
        hit == 0 ? why_it_never_toggles(file.file, name) : why_some_bits_never_toggle(file.file, name);
    if (!reason.empty()) file.toggles.explained += total - hit;
    const std::string what =
        total == 1 ? name + " never toggles" : fmt::format("{}: {} of {} bits never toggle", name, total - hit, total);
    file.holes.push_back({signal.line, what, reason});
  }
}

}  // namespace

void CodeCoverage::add(const std::filesystem::path& counts) {
  std::ifstream file(counts);
  if (!file) throw std::runtime_error("cannot read " + counts.string());
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("C '", 0) == 0) add_line(line);
  }
}

// C '^A<key>^B<value>^A<key>^B<value>...' <count>
void CodeCoverage::add_line(const std::string& line) {
  const std::size_t end = line.rfind('\'');
  std::map<std::string, std::string> fields;
  std::istringstream parts(line.substr(4, end - 4));
  for (std::string part; std::getline(parts, part, '\x01');) {
    const std::size_t separator = part.find('\x02');
    fields[part.substr(0, separator)] = part.substr(separator + 1);
  }
  if (fields["f"].rfind(kSources, 0) != 0) return;
  const Kind kind = fields["page"].rfind("v_toggle", 0) == 0 ? Kind::kToggle : Kind::kBlock;
  const Point point{fields["f"], static_cast<unsigned>(std::stoul(fields["l"])),
                    static_cast<unsigned>(std::stoul(fields["n"])), kind, fields["o"]};
  Count& count = counts_[point];
  count.hits += std::stoull(line.substr(end + 1));
  count.lines = fields["S"];
}

std::vector<FileCoverage> CodeCoverage::by_file() const {
  std::vector<FileCoverage> files;
  std::map<unsigned, Line> lines;  // of the file, as `signals`
  std::map<std::string, SignalBits> signals;
  const auto close = [&] {
    if (files.empty()) return;
    add_lines(files.back(), lines);
    add_toggles(files.back(), signals);
    std::stable_sort(files.back().holes.begin(), files.back().holes.end(),
                     [](const CodeHole& a, const CodeHole& b) { return a.line < b.line; });
    lines.clear();
    signals.clear();
  };
  for (const auto& [point, count] : counts_) {
    const auto& [file, line, column, kind, name] = point;
    if (files.empty() || files.back().file != file) {
      close();
      files.push_back({file, {}, {}, {}, {}});
    }
    if (kind == Kind::kToggle) {
      SignalBits& bits = signals[signal_of(name)];
      bits.line = line;
      ++bits.bits.total;
      if (count.hits != 0) ++bits.bits.hit;
      continue;
    }
    const std::string reason = count.hits != 0 ? "" : why_never_taken(file, line, name);
    for (const unsigned number : numbers_in(count.lines)) {
      lines[number].is_hit = lines[number].is_hit || count.hits != 0;
      lines[number].is_explained = lines[number].is_explained || !reason.empty();
    }
    Share& branches = files.back().branches;
    ++branches.total;
    if (count.hits != 0) {
      ++branches.hit;
      continue;
    }
    branches.explained += reason.empty() ? 0 : 1;
    const std::string of_lines = count.lines.empty() ? "" : ", lines " + count.lines;
    files.back().holes.push_back({line, fmt::format("{} never taken{}", name, of_lines), reason});
  }
  close();
  return files;
}

}  // namespace tessera::testbench
