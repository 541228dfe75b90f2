// SPDX-License-Identifier: Apache-2.0
// tessera report: results as one page of HTML.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/results_listing.h"
#include "apps/tessera/words.h"
#include "model/base/printable.h"
#include "model/base/whole_file.h"
#include "model/spec/diagnostics.h"
#include "report/page.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out;  // empty: report.html in the folder
  bool is_forced = false;
};

// Without a trailing slash, which has no name.
fs::path folder_named(const std::string& folder) {
  const fs::path path(folder);
  return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

// In the folder; of two folders beside the first.
fs::path place_of(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  const fs::path first = folder_named(options.folders.front());
  if (options.folders.size() == 1) return first / "report.html";
  const auto name = [](const fs::path& folder) { return fs::weakly_canonical(folder).filename().string(); };
  return first.parent_path() / fmt::format("{}-vs-{}.html", name(first), name(folder_named(options.folders.back())));
}

bool is_report(const fs::path& path) {
  const std::string start = report::kPageStart;
  std::string text(start.size(), ' ');
  std::ifstream stream(path, std::ios::binary);
  return stream.read(text.data(), static_cast<std::streamsize>(text.size())) && text == start;
}

// No file that tessera did not write is ever replaced, and one that the user named only if told to.
void check_page(const fs::path& place, const ReportOptions& options) {
  const auto refuse = [&place](const std::string& problem, const std::string& advice) {
    throw spec::InputError({{"--out", 1, 1, "", problem, place.string(), advice}});
  };
  std::error_code error;
  const fs::file_status status = fs::symlink_status(place, error);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status) || !is_report(place)) refuse("exists and is not a report", "another file");
  if (!options.out.empty() && !options.is_forced) refuse("exists already", "another file, or --force");
}

bool lacks_timeline(const report::Content& content) {
  if (!content.data.contains("runs")) return false;
  for (const auto& run : content.data.at("runs")) {
    if (run.at("timeline").is_null()) return true;
  }
  return false;
}

int report_on(const ReportOptions& options) {
  if (options.folders.size() > 2) throw CLI::ValidationError("FOLDER", "one, or two to compare");
  const fs::path place = place_of(options);
  check_page(place, options);
  const report::Content content = options.folders.size() == 1
                                      ? report::content_of(options.folders.front())
                                      : report::comparison_of(options.folders.front(), options.folders.back());
  const std::string html = report::html_of(content);
  write_whole(place, html);
  if (options.out.empty()) add_to_listing(place.parent_path(), place.filename().string());
  fmt::print("{} ({:.1f} MB)\n", printable(place.string()), static_cast<double>(html.size()) / 1e6);
  if (lacks_timeline(content)) fmt::print("without a timeline: `tessera run --trace timeline` keeps what one needs\n");
  return kDone;
}

}  // namespace

void add_report_command(CLI::App& command, int& status) {
  auto options = std::make_shared<ReportOptions>();
  command.add_option("FOLDER", options->folders, "Results of run, sweep or reproduce; two runs to compare them")
      ->type_name("FOLDER")
      ->required()
      ->check(NotEmpty());
  command.add_option("--out", options->out, "The page")
      ->type_name("FILE")
      ->check(NotEmpty())
      ->default_str("FOLDER/report.html");
  command.add_flag("--force", options->is_forced, "Replace a page that is there; never another file");
  command.callback([options, &status] { status = report_on(*options); });
}

}  // namespace tessera::app
