// SPDX-License-Identifier: Apache-2.0
// The GPU trace report of Nsight Systems as CSV: GPU work only, so that launches are taken from when it began. Columns
// are found by their names, which carry units that differ between versions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "importer/readers/byte_source.h"
#include "importer/readers/csv_number.h"
#include "importer/readers/foreign_formats.h"
#include "importer/readers/readers.h"
#include "model/base/csv_line.h"
#include "model/base/printable.h"

namespace tessera::importer {
namespace {

struct Unit {
  const char* name;
  double factor;
};
constexpr Unit kTimes[] = {{"", 1},          {"ns", 1},   {"nsec", 1},   {"us", 1e3}, {"usec", 1e3},
                           {"\u00b5s", 1e3}, {"ms", 1e6}, {"msec", 1e6}, {"s", 1e9},  {"sec", 1e9}};
constexpr Unit kSizes[] = {{"", 1},     {"B", 1},    {"bytes", 1},  {"KB", 1e3},
                           {"MB", 1e6}, {"GB", 1e9}, {"KiB", 1024}, {"MiB", 1048576}};
constexpr auto kMaxNs = static_cast<double>(kMaxMoment);
// What tells a GPU trace from all other reports: no other has a grid and a stream.
constexpr const char* kNeeded[] = {"Start", "Duration", "GrdX", "Device", "Strm", "Name"};

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\xEF\xBB\xBF");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// `Start (ns)`; earlier `Start(nsec)`.
std::string name_of_column(const std::string& cell) { return without_blanks(cell.substr(0, cell.find('('))); }

// The first of kNeeded that is not there; none: this is the header of a GPU trace.
const char* missing_column(const std::vector<std::string>& cells) {
  for (const char* const needed : kNeeded) {
    const bool is_there = std::any_of(cells.begin(), cells.end(),
                                      [&](const std::string& cell) { return name_of_column(cell) == needed; });
    if (!is_there) return needed;
  }
  return nullptr;
}

// Operations of the GPU that are no kernels stand in brackets: `[CUDA memcpy HtoD]`,
// `[CUDA Unified Memory memcpy DtoH]`.
bool is_bracketed(const std::string& name) { return !name.empty() && name.front() == '[' && name.back() == ']'; }

class NsysReport {
 public:
  explicit NsysReport(const std::filesystem::path& path) : source_(path) { profile_.format = "nsys-csv"; }

  Profile read() {
    find_header();
    bool is_behind_blank = false;
    while (auto line = source_.line()) {
      if (without_blanks(*line).empty()) {
        is_behind_blank = true;
        continue;
      }
      const std::vector<std::string> cells = csv_texts(*line);
      if (is_row(cells)) {
        add(cells);
      } else if (is_behind_blank || begins_next_report(*line, cells)) {
        profile_.notes.push_back("another report stands behind the GPU trace, and is not read: " +
                                 printable(line->substr(0, 60)));
        break;
      } else {
        source_.fail("is not a line of a GPU trace", cells.front().substr(0, 40));
      }
      is_behind_blank = false;
    }
    if (num_unknown_ > 0) {
      profile_.notes.push_back(fmt::format(
          "{} rows of operations that are not known are left out, the first of them {}", num_unknown_, first_unknown_));
    }
    profile_.notes.push_back(
        "the report has no calls of the host: work is taken as launched when it began, and the host's time as the "
        "gaps");
    return std::move(profile_);
  }

 private:
  struct Column {
    std::size_t index = 0;
    std::string unit;
  };

  // The report may stand behind lines that nsys prints, and behind other reports.
  void find_header() {
    std::string foreign;
    const char* missing = kNeeded[0];
    while (auto line = source_.line()) {
      const std::vector<std::string> cells = csv_texts(*line);
      const char* const of_line = missing_column(cells);
      if (of_line == nullptr) {
        set_columns(cells);
        return;
      }
      if (foreign.empty()) foreign = foreign_table(*line);
      if (of_line != kNeeded[0]) missing = of_line;
    }
    const std::string allowed = "nsys stats --report cuda_gpu_trace --format csv";
    if (!foreign.empty()) source_.fail("is " + foreign + ", which is not read", "", allowed);
    source_.fail(std::string("has no column ") + missing + ": it is not a GPU trace", "",
                 fmt::format("{}: {}", fmt::join(kNeeded, ", "), allowed));
  }

  void set_columns(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t bracket = cells[i].find('(');
      const std::string unit =
          bracket == std::string::npos ? "" : cells[i].substr(bracket + 1, cells[i].find(')') - bracket - 1);
      columns_.emplace(name_of_column(cells[i]), Column{i, unit});
    }
  }

  std::optional<double> number(const std::vector<std::string>& cells, const std::string& column) const {
    const auto known = columns_.find(column);
    if (known == columns_.end() || known->second.index >= cells.size()) return std::nullopt;
    return csv_number(cells[known->second.index]);
  }

  template <std::size_t n>
  std::optional<double> scaled(const std::vector<std::string>& cells, const std::string& column,
                               const Unit (&units)[n]) const {
    const std::optional<double> value = number(cells, column);
    if (!value) return std::nullopt;
    const std::string& unit = columns_.at(column).unit;
    for (const Unit& each : units) {
      if (unit == each.name) return *value * each.factor;
    }
    source_.fail("has a unit that is not known", column + " (" + unit + ")");
  }

  bool is_blank(const std::vector<std::string>& cells, const std::string& column) const {
    const std::size_t index = columns_.at(column).index;
    return index < cells.size() && without_blanks(cells[index]).empty();
  }

  bool is_pageable(const std::vector<std::string>& cells, const std::string& column) const {
    const auto known = columns_.find(column);
    return known != columns_.end() && known->second.index < cells.size() &&
           without_blanks(cells[known->second.index]) == "Pageable";
  }

  static std::optional<std::uint32_t> to_u32(std::optional<double> value) {
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(std::min(*value, 4294967295.0));
  }

  static bool begins_next_report(const std::string& line, const std::vector<std::string>& cells) {
    return line.rfind("Processing [", 0) == 0 || missing_column(cells) == nullptr || !foreign_table(line).empty();
  }

  bool is_row(const std::vector<std::string>& cells) const {
    return number(cells, "Start") && (number(cells, "Duration") || is_blank(cells, "Duration")) &&
           columns_.at("Name").index < cells.size();
  }

  void add(const std::vector<std::string>& cells) {
    const std::optional<double> start = scaled(cells, "Start", kTimes);
    const std::optional<double> duration = scaled(cells, "Duration", kTimes);
    const std::size_t name_column = columns_.at("Name").index;
    GpuActivity activity;
    activity.start = static_cast<Nanoseconds>(std::llround(std::min(*start, kMaxNs)));
    if (duration) activity.duration = static_cast<Nanoseconds>(std::llround(std::min(*duration, kMaxNs)));
    const std::string name = without_blanks(cells[name_column]);
    if (!set_work(name, activity)) {
      if (num_unknown_++ == 0) first_unknown_ = printable(name.substr(0, 60));
      return;
    }
    if (activity.work == Work::kKernel) set_kernel(cells, name, activity);
    activity.holds_host =
        activity.is_copy_with_host() && (is_pageable(cells, "SrcMemKd") || is_pageable(cells, "DstMemKd"));
    if (const auto bytes = scaled(cells, "Bytes", kSizes))
      activity.bytes = static_cast<std::uint64_t>(std::min(*bytes, 1e12));
    if (const auto context = number(cells, "Ctx")) activity.context = static_cast<std::uint64_t>(*context);
    activity.stream = static_cast<std::uint64_t>(number(cells, "Strm").value_or(0));
    set_device(cells, activity);
    profile_.activities.push_back(activity);
  }

  // False: it is no operation that is known.
  static bool set_work(const std::string& name, GpuActivity& activity) {
    if (!is_bracketed(name)) return true;  // a kernel
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("memset")) {
      activity.work = Work::kMemset;
      return true;
    }
    activity.work = Work::kCopyOnGpu;
    if (has("HtoD") || has("HtoA") || has("Host-to-Device")) activity.work = Work::kCopyToGpu;
    if (has("DtoH") || has("AtoH") || has("Device-to-Host")) activity.work = Work::kCopyToHost;
    return has("memcpy");
  }

  void set_kernel(const std::vector<std::string>& cells, const std::string& name, GpuActivity& activity) {
    activity.name = profile_.name_index(name);
    const char* const axes[] = {"X", "Y", "Z"};
    for (std::size_t i = 0; i < 3; ++i) {
      activity.grid[i] = to_u32(number(cells, std::string("Grd") + axes[i])).value_or(0);
      activity.block[i] = to_u32(number(cells, std::string("Blk") + axes[i])).value_or(0);
    }
    activity.regs_per_thread = to_u32(number(cells, "Reg/Trd"));
    const std::optional<double> fixed = scaled(cells, "StcSMem", kSizes);
    const std::optional<double> dynamic = scaled(cells, "DymSMem", kSizes);
    if (fixed || dynamic) activity.smem_bytes = to_u32(fixed.value_or(0) + dynamic.value_or(0));
  }

  // `NVIDIA A100-SXM4-40GB (0)`.
  void set_device(const std::vector<std::string>& cells, GpuActivity& activity) {
    const auto known = columns_.find("Device");
    if (known == columns_.end() || known->second.index >= cells.size()) return;
    const std::string& device = cells[known->second.index];
    const std::size_t bracket = device.rfind('(');
    if (bracket != std::string::npos) {
      activity.device = static_cast<std::uint64_t>(
          csv_number(device.substr(bracket + 1, device.find(')', bracket) - bracket - 1)).value_or(0));
    }
    profile_.devices[activity.device].name = without_blanks(device.substr(0, bracket));
  }

  ByteSource source_;
  Profile profile_;
  std::map<std::string, Column> columns_;
  std::size_t num_unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace

bool is_gpu_trace_header(const std::string& line) { return missing_column(csv_texts(line)) == nullptr; }

Profile read_nsys_csv(const std::filesystem::path& path) { return NsysReport(path).read(); }

}  // namespace tessera::importer
