// SPDX-License-Identifier: Apache-2.0
// As a results folder: nothing that is not ours is ever removed.
#include "apps/tessera/sweep_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "apps/tessera/results_listing.h"
#include "model/spec/diagnostics.h"
#include "model/spec/json_text.h"

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

void check_sweep_place(const sweep::Folder& folder, const SweepPlace& place) {
  std::error_code none;
  const fs::file_status status = fs::symlink_status(folder.place(), none);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(folder, "is no folder", "another name");
  const std::vector<std::string> foreign = foreign_in(folder);
  if (!foreign.empty()) refuse(folder, "holds what is of no sweep: " + a_few(foreign), "another folder");
  if (!place.resumes && !place.is_forced) refuse(folder, "exists already", "--resume to go on, --force to begin anew");
}

void open_sweep_folder(const sweep::Folder& folder, const sweep::Plan& plan, bool is_new) {
  if (is_new && fs::exists(folder.place())) folder.clear();
  fs::create_directories(folder.place());
  folder.write_listing();
  for (const char* name : {"points", "alone"}) fs::create_directories(folder.file(name));
  folder.write("sweep.json", spec::json_text(sweep::to_json(plan), 1) + "\n");
  folder.remove_remains();
  std::set<std::string> ours;
  for (const sweep::PlannedPoint& planned : plan.points) ours.insert(planned.key);
  std::vector<std::string> others;
  const std::vector<std::string> keys = folder.keys();
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(others),
               [&ours](const std::string& key) { return ours.count(key) == 0; });
  folder.set_aside(others);
  if (others.empty()) return;
  fmt::print(stderr,
             "tessera: {} finished points are of another sweep, or of another build of the program: they are in {}\n",
             others.size(), folder.file("superseded").string());
}

}  // namespace tessera::app
