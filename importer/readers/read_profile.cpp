// SPDX-License-Identifier: Apache-2.0
// Which reader a file is for: its first bytes tell.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "importer/missing_fields.h"
#include "importer/readers/byte_source.h"
#include "importer/readers/readers.h"

namespace tessera::importer {
namespace {

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);

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
  if (is_gpu_trace_header(start)) return Format::kNsysCsv;
  throw spec::InputError({{path.string(), 1, 1, "", start.empty() ? "is empty" : "is no profile of a known kind", "",
                           "kineto (JSON, gzip), nsys-sqlite, nsys-csv, accelsim (kernelslist.g); an .nsys-rep is "
                           "exported first: nsys export --type sqlite"}});
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
  check_span(path, profile);
  fill_missing_fields(profile);
  return profile;
}

}  // namespace tessera::importer
