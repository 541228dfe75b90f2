// SPDX-License-Identifier: Apache-2.0
// Write, then rename.
#include "apps/tessera/results_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "model/spec/diagnostics.h"

namespace tessera::app {
namespace {

// What --force may remove: a flat folder, as results are. Somebody's home or source tree is not one.
bool is_replaceable(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(place))) return false;
  if (std::filesystem::equivalent(place, std::filesystem::current_path())) return false;
  const std::filesystem::directory_iterator entries(place);
  return std::none_of(begin(entries), end(entries), [](const auto& entry) { return entry.is_directory(); });
}

bool holds_complete_results(const std::filesystem::path& place) {
  std::ifstream summary(place / "summary.json");
  const nlohmann::json json = nlohmann::json::parse(summary, nullptr, false);
  return json.is_object() && json.value("complete", false);
}

}  // namespace

ResultsFolder::ResultsFolder(std::filesystem::path place, bool may_replace)
    : place_(std::move(place)), may_replace_(may_replace) {
  if (!place_.has_filename()) place_ = place_.parent_path();  // a trailing slash
  if (std::filesystem::exists(std::filesystem::symlink_status(place_))) {
    if (!may_replace_) {
      throw spec::InputError({{"--out", 1, 1, "", "exists already", place_.string(), "another folder, or --force"}});
    }
    if (!is_replaceable(place_)) {
      throw spec::InputError({{"--out", 1, 1, "", "is no folder of results", place_.string(), "another folder"}});
    }
  }
  hidden_ = place_.parent_path() / fmt::format(".{}.{}", place_.filename().string(), ::getpid());
  std::error_code error;
  std::filesystem::create_directories(hidden_, error);
  if (error) throw std::runtime_error(fmt::format("cannot create {}: {}", place_.string(), error.message()));
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(hidden_, ignored);
}

void ResultsFolder::write(const std::string& name, const std::string& text) {
  std::ofstream stream(file(name), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + (place_ / name).string());
}

bool ResultsFolder::publish(bool is_complete) {
  if (!is_complete && holds_complete_results(place_)) return false;
  // The old results go only when the new ones are whole; they are out of the way for the blink of a rename.
  const std::filesystem::path old = hidden_.string() + ".old";
  const bool replaces = std::filesystem::exists(std::filesystem::symlink_status(place_));
  if (replaces && !may_replace_) throw std::runtime_error(place_.string() + " has appeared during the run");
  if (replaces) std::filesystem::rename(place_, old);
  std::filesystem::rename(hidden_, place_);
  if (replaces) std::filesystem::remove_all(old);
  return true;
}

}  // namespace tessera::app
