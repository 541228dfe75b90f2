// SPDX-License-Identifier: Apache-2.0
// Which reader a file is for: its first bytes tell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "importer/missing_fields.h"
#include "importer/readers/byte_source.h"
#include "importer/readers/foreign_formats.h"
#include "importer/readers/readers.h"

namespace tessera::importer {
namespace {

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);

[[noreturn]] void fail_unknown(const ByteSource& source, bool is_empty, const ForeignFormat& foreign) {
  const std::string what = source.is_packed() ? "is gzip of something that is not a profile of a known kind"
                                              : "is not a profile of a known kind";
  const std::string problem = is_empty               ? "is empty"
                              : foreign.name.empty() ? what
                                                     : "is " + foreign.name + ", which is not read";
  throw spec::InputError(
      {{source.name(), 1, 1, "", problem, "", foreign.advice.empty() ? std::string(kReadFormats) : foreign.advice}});
}

// A report may stand behind others, as long as they like.
bool has_gpu_trace(const std::filesystem::path& path) {
  ByteSource source(path);
  while (const auto line = source.line()) {
    if (is_gpu_trace_header(*line)) return true;
  }
  return false;
}

// What the first table is that is known by its header.
std::string foreign_text(const std::filesystem::path& path) {
  ByteSource source(path);
  while (const auto line = source.line()) {
    if (std::string name = foreign_table(*line); !name.empty()) return name;
  }
  return "";
}

Format format_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || path.filename() == "kernelslist.g") return Format::kAccelSim;
  ByteSource source(path);
  std::string start;
  while (start.size() < 4096 && !source.at_end()) {
    start.push_back(source.peek());
    source.advance();
  }
  if (std::string_view(start).substr(0, kSqliteMagic.size()) == kSqliteMagic) return Format::kNsysSqlite;
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && (start[first] == '{' || start[first] == '[')) return Format::kKineto;
  const ForeignFormat foreign = foreign_file(start, path.filename().string());
  const bool is_text = foreign.name.empty() && start.find('\0') == std::string::npos;
  if (is_text && has_gpu_trace(path)) return Format::kNsysCsv;
  fail_unknown(source, start.empty(), is_text ? ForeignFormat{foreign_text(path), ""} : foreign);
}

Profile read(const std::filesystem::path& path, const ReadOptions& options) {
  switch (options.format ? *options.format : format_of(path)) {
    case Format::kKineto:
      return read_kineto(path);
    case Format::kNsysSqlite:
      return read_nsys_sqlite(path);
    case Format::kNsysCsv:
      return read_nsys_csv(path);
    case Format::kAccelSim:
      break;
  }
  return read_accelsim(path, options.times);
}

// An experiment may take 1,000 s; and times that are further apart than that are no times of one run.
constexpr Nanoseconds kLongestSpan = 900'000'000'000;

// CUPTI has 0 for a time that it could not take, which the others are far from; older readers of it make a start less
// than nothing out of that. And an end that was not seen becomes a duration of years.
void leave_out_wrong_times(Profile& profile) {
  std::vector<Nanoseconds> starts;
  for (const GpuActivity& activity : profile.activities) starts.push_back(activity.start);
  if (starts.empty()) return;
  const auto middle = starts.begin() + static_cast<std::ptrdiff_t>(starts.size() / 2);
  std::nth_element(starts.begin(), middle, starts.end());
  const auto usual = static_cast<double>(*middle);
  const auto is_far = [&](const GpuActivity& activity) {
    return std::abs(usual - static_cast<double>(activity.start)) > static_cast<double>(kLongestSpan);
  };
  const auto is_without = [&](const GpuActivity& activity) { return activity.start <= 0 && is_far(activity); };
  std::vector<GpuActivity>& all = profile.activities;
  const auto leave_out = [&all](const auto& is_out) {
    const auto kept = std::remove_if(all.begin(), all.end(), is_out);
    const auto num_out = static_cast<std::size_t>(all.end() - kept);
    all.erase(kept, all.end());
    return num_out;
  };
  profile.num_without_time += leave_out(is_without);
  // Times that are wrong are few; where they are many, nobody can tell which are, and the profile is refused.
  const auto num_far = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_far));
  const bool is_one = num_far == 1 && all.size() > 2;
  if (num_far > 0 && (is_one || 10 * num_far <= all.size())) {
    leave_out(is_far);
    profile.notes.push_back(
        fmt::format("{} GPU events more than {} s from the others were left out: their times are wrong", num_far,
                    kLongestSpan / 1'000'000'000));
  }
  for (GpuActivity& activity : all) {
    if (activity.duration.value_or(0) > kLongestSpan) activity.duration.reset();
  }
}

void check_span(const std::filesystem::path& path, const Profile& profile) {
  if (profile.activities.empty()) return;
  double first = static_cast<double>(profile.activities.front().start);
  double last = first;
  for (const GpuActivity& activity : profile.activities) {
    first = std::min(first, static_cast<double>(activity.start));
    last = std::max(last, static_cast<double>(activity.start) + static_cast<double>(activity.duration.value_or(0)));
  }
  if (last - first <= static_cast<double>(kLongestSpan)) return;
  throw spec::InputError(
      {{path.string(), 1, 1, "", "has GPU work too far apart: cut it, or mend a mistaken time in it",
        fmt::format("{:.0f} s", (last - first) / 1e9), fmt::format("at most {} s", kLongestSpan / 1'000'000'000)}});
}

}  // namespace

Profile read_profile(const std::filesystem::path& path, const ReadOptions& options) {
  Profile profile = read(path, options);
  leave_out_wrong_times(profile);
  if (profile.num_without_time > 0) {
    profile.notes.push_back(fmt::format("{} GPU events without a time were left out", profile.num_without_time));
  }
  check_span(path, profile);
  fill_missing_fields(profile);
  return profile;
}

}  // namespace tessera::importer
