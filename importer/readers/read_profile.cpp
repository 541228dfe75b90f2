// SPDX-License-Identifier: Apache-2.0
// Which reader a file is for: its first bytes tell.
#include <fstream>

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
  if (start.find("Start (ns)") != std::string::npos || start.find("Start (") != std::string::npos) {
    return Format::kNsysCsv;
  }
  throw spec::InputError({{path.string(), 1, 1, "", start.empty() ? "is empty" : "is no profile of a known kind", "",
                           "kineto (JSON, gzip), nsys-sqlite, nsys-csv, accelsim (kernelslist.g); an .nsys-rep is "
                           "exported first: nsys export --type sqlite"}});
}

}  // namespace

Profile read_profile(const std::filesystem::path& path, const ReadOptions& options) {
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

}  // namespace tessera::importer
