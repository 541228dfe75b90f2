// SPDX-License-Identifier: Apache-2.0
// As a results folder: nothing that is not ours is ever removed.
#include "apps/tessera/sweep_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "apps/tessera/results_listing.h"
#include "model/spec/diagnostics.h"
#include "model/spec/json_text.h"
#include "sweep/runner.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const sweep::Folder& folder, const std::string& problem, const std::string& advice) {
  throw spec::InputError({{"--out", 1, 1, "", problem, folder.place().string(), advice}});
}

std::vector<std::string> foreign_in(const sweep::Folder& folder) {
  try {
    return folder.foreign_entries();
  } catch (const std::system_error& error) {
    refuse(folder, "cannot be looked at: " + error.code().message(), "another folder");
  }
}

}  // namespace

std::string sweep_place(const std::string& given, const sweep::Plan& plan) {
  return given.empty() ? fmt::format("results/{}-{}", plan.spec().name, plan_hash(plan)) : given;
}

void check_sweep_place(const sweep::Folder& folder, const SweepPlace& place) {
  std::error_code none;
  const fs::file_status status = fs::symlink_status(folder.place(), none);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(folder, "is not a directory", "another name");
  const std::vector<std::string> foreign = foreign_in(folder);
  if (!foreign.empty()) refuse(folder, "holds what is of no sweep: " + a_few(foreign), "another folder");
  if (!place.resumes && !place.is_forced) refuse(folder, "exists already", "--resume to go on, --force to begin anew");
}

std::string recorded_program(const std::filesystem::path& place) {
  std::ifstream file(place / "sweep.json");
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() ? json.value("program", "") : "";
}

void check_has_points(const sweep::Folder& folder, const sweep::Plan& plan) {
  if (!folder.is_sweep()) refuse(folder, "is not a sweep folder", "one that `sweep` has left");
  const bool has_any = std::any_of(plan.points.begin(), plan.points.end(),
                                   [&folder](const sweep::PlannedPoint& one) { return folder.has_point(one.key); });
  if (!has_any) refuse(folder, "has no point of this sweep", "the sweep file that it was made with");
}

void write_sweep_json(const sweep::Plan& plan, const sweep::Folder& folder) {
  folder.write("sweep.json", spec::json_text(sweep::to_json(plan), 1) + "\n");
}

void open_sweep_folder(const sweep::Folder& folder, const sweep::Plan& plan, bool is_new) {
  if (is_new && fs::exists(folder.place())) folder.clear();
  fs::create_directories(folder.place());
  folder.write_listing();
  for (const char* name : {"points", "alone"}) fs::create_directories(folder.file(name));
  write_sweep_json(plan, folder);
  folder.remove_remains();
  std::vector<std::string> planned;
  for (const sweep::PlannedPoint& point : plan.points) planned.push_back(point.key);
  folder.take_back(planned);
  const std::set<std::string> ours(planned.begin(), planned.end());
  std::vector<std::string> others;
  const std::vector<std::string> keys = folder.keys();
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(others),
               [&ours](const std::string& key) { return ours.count(key) == 0; });
  folder.set_aside(others);
  renumber_points(plan, folder);
  if (others.empty()) return;
  fmt::print(stderr,
             "tessera: {} finished points are of another sweep, or of another build of the program: they are in {}\n",
             others.size(), folder.file("superseded").string());
}

}  // namespace tessera::app
