// SPDX-License-Identifier: Apache-2.0
// Write, then rename. The old results go only when the new ones are whole.
#include "apps/tessera/results_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/tessera/results_listing.h"
#include "model/spec/diagnostics.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

bool holds_complete_results(const fs::path& place) {
  std::ifstream summary(place / "summary.json");
  const nlohmann::json json = nlohmann::json::parse(summary, nullptr, false);
  return json.is_object() && json.value("complete", false);
}

// Why what is there may not be replaced, and what to do then.
struct Refusal {
  std::string problem;  // empty: it may
  std::string advice;
};

Refusal refusal_of_existing(const fs::path& place, Replaces replaces) {
  const fs::file_status status = fs::symlink_status(place);
  if (!fs::is_directory(status)) return {"is not a directory", "another name"};
  if (fs::equivalent(place, fs::current_path())) return {"is the current folder", "another folder"};
  const std::vector<std::string> foreign = foreign_entries(place);
  if (!foreign.empty()) return {"holds what tessera did not write: " + a_few(foreign), "another folder"};
  if (fs::is_empty(place)) return {};
  if (replaces == Replaces::kNothing) return {"exists already", "another folder, or --force"};
  const std::string version = version_of_results(place);
  if (replaces == Replaces::kSameVersion && !version.empty() && version != TESSERA_VERSION) {
    return {"holds results of version " + version, "another folder, or --force"};
  }
  return {};
}

// As the user's mistake it is; a place that cannot even be looked at is one as well.
void check_place(const fs::path& place, Replaces replaces) {
  Refusal refusal;
  try {
    if (!fs::exists(fs::symlink_status(place))) return;
    refusal = refusal_of_existing(place, replaces);
  } catch (const std::system_error& error) {
    refusal = {"cannot be looked at: " + error.code().message(), "another folder"};
  }
  if (refusal.problem.empty()) return;
  throw spec::InputError({{"--out", 1, 1, "", refusal.problem, place.string(), refusal.advice}});
}

const char* reason(int error) { return error != 0 ? std::strerror(error) : "unknown error"; }

// A name of its own for `.` and `..`, and none of a trailing slash.
fs::path with_name(fs::path place) {
  if (!place.has_filename()) place = place.parent_path();
  const fs::path name = place.filename();
  std::error_code error;
  if (name != "." && name != ".." && !name.empty()) return place;
  const fs::path whole = fs::weakly_canonical(place, error);
  return error ? place : whole;
}

}  // namespace

ResultsFolder::ResultsFolder(fs::path place, Replaces replaces)
    : place_(with_name(std::move(place))), replaces_(replaces) {
  check_place(place_, replaces_);
  staging_ = std::make_unique<StagingFolder>(place_);
}

void ResultsFolder::write(const std::string& name, const std::string& text) {
  errno = 0;
  std::ofstream stream(file(name), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}: {}", (place_ / name).string(), reason(errno)));
}

bool ResultsFolder::publish(bool is_complete) {
  if (!is_complete && holds_complete_results(place_)) return false;
  write_listing(staging_->results());
  if (staging_->move_to(place_)) return true;
  const Refusal refusal = refusal_of_existing(place_, replaces_);  // it may have changed during the run
  if (!refusal.problem.empty()) {
    throw std::runtime_error(fmt::format("{} changed during the run: it {}", place_.string(), refusal.problem));
  }
  staging_->swap_with(place_);
  return true;
}

}  // namespace tessera::app
