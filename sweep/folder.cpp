// SPDX-License-Identifier: Apache-2.0
// Names that begin with a dot are of files that are being written.
#include "sweep/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "model/base/results_marker.h"
#include "model/base/whole_file.h"
#include "model/spec/json_text.h"

namespace tessera::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyDigits = 16;

bool is_key(const std::string& text) {
  return text.size() == kKeyDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_point_file(const fs::path& path) { return path.extension() == ".json" && is_key(path.stem().string()); }

// Of the folders that hold nothing but what we name ourselves: is it such a name? With a dot before it and a process
// behind it, it is of a file that is being written.
bool is_name_of_ours(const std::string& folder, const std::string& name) {
  static const std::map<std::string, std::regex> names{
      {"points", std::regex(R"([0-9a-f]{16}\.json)")},
      {"alone", std::regex(R"([0-9a-f]{16}\.json)")},
      {"cores", std::regex(R"([0-9a-f]{16}\.json)")},
      {"superseded", std::regex(R"([0-9a-f]{16}\.json)")},
      {"timelines", std::regex("[0-9a-f]{16}")},
      {"plots", std::regex(R"([a-z0-9_-]+\.(gp|csv|svg|png))")},
      {"slurm", std::regex(R"(jobs\.json|batch-[0-9]+(\.points|\.sh|-[0-9]+\.out))")}};
  if (std::regex_match(name, names.at(folder))) return true;
  for (std::size_t end = name.find('.', 1); name[0] == '.' && end != std::string::npos; end = name.find('.', end + 1)) {
    if (std::regex_match(name.substr(1, end - 1), names.at(folder))) return true;
  }
  return false;
}

const std::set<std::string>& own_folders() {
  static const std::set<std::string> names{"points", "alone", "cores", "superseded", "timelines", "plots", "slurm"};
  return names;
}

const std::set<std::string>& own_files() {
  static const std::set<std::string> names{kResultsMarker, "sweep.json", "points.csv",
                                           "sweep.sqlite", "summary.md", "report.html"};
  return names;
}

// One of our files, by a process that may be dead.
bool is_being_written(const std::string& name) {
  return std::any_of(own_files().begin(), own_files().end(),
                     [&name](const std::string& own) { return name.rfind("." + own + ".", 0) == 0; });
}

// In a kept timeline: what run_with_timeline() leaves, and its page.
bool is_file_of_timeline(const fs::directory_entry& entry) {
  static const std::set<std::string> names{kResultsMarker,    "summary.json", "timing.json", "processes.csv",
                                           "preemptions.csv", "timeline.csv", "report.html"};
  return entry.is_regular_file() && names.count(entry.path().filename().string()) > 0;
}

std::vector<std::string> foreign_in(const fs::path& place, const std::string& folder) {
  std::vector<std::string> foreign;
  for (const fs::directory_entry& entry : fs::directory_iterator(place / folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_name_of_ours(folder, name)) {
      foreign.push_back(folder + "/" + name);
    } else if (folder == "timelines" && name.front() != '.' && entry.is_directory()) {
      for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
        if (!is_file_of_timeline(file)) foreign.push_back(file.path().lexically_relative(place).string());
      }
    }
  }
  return foreign;
}

std::optional<nlohmann::ordered_json> read_json(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  auto json = nlohmann::ordered_json::parse(file, nullptr, false);
  return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

}  // namespace

std::optional<nlohmann::ordered_json> Folder::point(const std::string& key) const {
  auto json = read_json(point_file(key));
  const bool is_good = json && json->value("key", "") == key && json->contains("status");
  return is_good ? std::move(json) : std::nullopt;
}

bool Folder::has_point(const std::string& key) const { return fs::exists(point_file(key)); }

void Folder::write_point(const std::string& key, const nlohmann::ordered_json& point) const {
  write_whole(point_file(key), spec::json_text(point) + "\n", true);
}

void Folder::remove_point(const std::string& key) const { fs::remove(point_file(key)); }

void Folder::write(const fs::path& name, const std::string& text) const {
  fs::create_directories(file(name).parent_path());
  write_whole(file(name), text);
}

std::vector<std::string> Folder::keys() const {
  std::vector<std::string> keys;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(file("points"), none)) {
    if (is_point_file(entry.path().filename())) keys.push_back(entry.path().stem().string());
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

void Folder::set_aside(const std::vector<std::string>& keys) const {
  if (!keys.empty()) fs::create_directories(file("superseded"));
  for (const std::string& key : keys) fs::rename(point_file(key), file("superseded") / (key + ".json"));
}

void Folder::take_back(const std::vector<std::string>& keys) const {
  if (!fs::exists(file("superseded"))) return;
  std::error_code is_none;
  for (const std::string& key : keys) {
    if (!has_point(key)) fs::rename(file("superseded") / (key + ".json"), point_file(key), is_none);
  }
}

void Folder::remove_remains() const {
  std::error_code none;
  for (const char* folder : {"points", "alone", "cores", "plots", "slurm"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(file(folder), none)) {
      const bool is_aside = entry.path().filename().string().front() == '.';
      if (is_aside && is_abandoned(entry.path())) fs::remove(entry.path(), none);
    }
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(place_, none)) {
    const bool is_aside = is_being_written(entry.path().filename().string());
    if (is_aside && is_abandoned(entry.path())) fs::remove(entry.path(), none);
  }
}

void Folder::write_listing() const {
  std::string text = fmt::format("tessera {}\n", TESSERA_VERSION);
  for (const std::string& name : own_files()) text += name + "\n";
  for (const std::string& name : own_folders()) text += name + "/\n";
  write(kResultsMarker, text);
}

bool Folder::is_sweep() const { return fs::exists(file(kResultsMarker)); }

std::vector<std::string> Folder::foreign_entries() const {
  std::vector<std::string> foreign;
  const bool is_ours = is_sweep();
  for (const fs::directory_entry& entry : fs::directory_iterator(place_)) {
    const std::string name = entry.path().filename().string();
    if (is_ours && entry.is_directory() && own_folders().count(name) > 0) {
      const std::vector<std::string> more = foreign_in(place_, name);
      foreign.insert(foreign.end(), more.begin(), more.end());
    } else if (!is_being_written(name) && !(is_ours && own_files().count(name) > 0)) {
      foreign.push_back(name);
    }
  }
  std::sort(foreign.begin(), foreign.end());
  return foreign;
}

void Folder::clear() const {
  for (const std::string& name : own_folders()) fs::remove_all(file(name));
  for (const std::string& name : own_files()) fs::remove(file(name));
}

}  // namespace tessera::sweep
