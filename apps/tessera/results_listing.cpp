// SPDX-License-Identifier: Apache-2.0
// Names are only ever compared with those in the folder, so that a forged listing reaches nothing outside of it.
#include "apps/tessera/results_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

#include "model/base/results_marker.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

const std::string kFirstLine = "tessera ";

bool is_listing(std::ifstream& stream, std::string& version) {
  std::string line;
  if (!std::getline(stream, line) || line.compare(0, kFirstLine.size(), kFirstLine) != 0) return false;
  version = line.substr(kFirstLine.size());
  return true;
}

std::set<std::string> listed_names(const fs::path& folder) {
  std::set<std::string> names;
  std::ifstream stream(folder / kResultsMarker);
  std::string version;
  if (!is_listing(stream, version)) return names;
  names.insert(kResultsMarker);
  for (std::string name; std::getline(stream, name);) names.insert(name);
  return names;
}

bool is_file(const fs::directory_entry& entry) { return fs::is_regular_file(entry.symlink_status()); }

}  // namespace

std::string a_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= kShown ? text : text + fmt::format(" and {} more", names.size() - kShown);
}

std::string version_of_results(const fs::path& folder) {
  std::ifstream stream(folder / kResultsMarker);
  std::string version;
  return is_listing(stream, version) ? version : "";
}

std::vector<std::string> foreign_entries(const fs::path& folder) {
  const std::set<std::string> ours = listed_names(folder);
  std::vector<std::string> foreign;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (ours.count(name) == 0 || !is_file(entry)) foreign.push_back(name);
  }
  std::sort(foreign.begin(), foreign.end());
  return foreign;
}

void write_listing(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  std::ofstream stream(folder / kResultsMarker, std::ios::binary);
  stream << kFirstLine << TESSERA_VERSION << "\n";
  for (const std::string& name : names) stream << name << "\n";
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + (folder / kResultsMarker).string());
}

void add_to_listing(const fs::path& folder, const std::string& name) {
  const std::set<std::string> names = listed_names(folder);
  if (names.empty() || names.count(name) != 0) return;
  std::ofstream stream(folder / kResultsMarker, std::ios::binary | std::ios::app);
  stream << name << "\n";
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + (folder / kResultsMarker).string());
}

void remove_results(const fs::path& folder) {
  const std::set<std::string> ours = listed_names(folder);
  std::error_code ignored;  // what cannot be removed stays
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (ours.count(entry.path().filename().string()) != 0 && is_file(entry)) fs::remove(entry.path(), ignored);
  }
  fs::remove(folder, ignored);
}

}  // namespace tessera::app
