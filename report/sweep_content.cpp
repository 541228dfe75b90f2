// SPDX-License-Identifier: Apache-2.0
// points/KEY.json are what a sweep is sure of, even one that was killed; its tables are made from them.
#include "report/sweep_content.h"

#include <algorithm>
#include <map>

#include "model/spec/diagnostics.h"
#include "report/json_file.h"
#include "report/page_files.h"
#include "report/run_content.h"

namespace tessera::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// By index, then key. Mistakes of all files are told at once.
std::map<std::pair<std::uint64_t, std::string>, Json> read_points(const fs::path& folder) {
  std::map<std::pair<std::uint64_t, std::string>, Json> points;
  std::vector<spec::Diagnostic> mistakes;
  if (!fs::is_directory(folder)) return points;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || entry.path().filename().string().front() == '.') continue;
    try {
      Json point = read_json_file(entry.path(), {page_file("point.schema.json")});
      const std::string key = point.at("key");
      if (key != entry.path().stem().string()) {  // it names a folder as well
        throw spec::InputError({{entry.path().string(), 1, 1, "key", "is not the name of the file", key, ""}});
      }
      points.emplace(std::pair(point.at("index").get<std::uint64_t>(), key), std::move(point));
    } catch (const spec::InputError& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!mistakes.empty()) throw spec::InputError(mistakes);
  return points;
}

// What every point has, then the columns that the sweep declares.
Json columns_of(const Json& sweep) {
  Json columns = Json::array();
  for (const char* name : {"index", "key", "seed", "status", "reason"}) {
    columns.push_back({{"name", name}, {"kind", "status"}, {"unit", nullptr}});
  }
  for (const Json& column : sweep.at("columns")) {
    if (column.at("kind") == "status" && column.at("name") != "engine") continue;
    columns.push_back(
        {{"name", column.at("name")}, {"kind", column.at("kind")}, {"unit", column.value("unit", Json())}});
  }
  return columns;
}

Json row_of(const Json& point, const Json& columns) {
  static const std::map<std::string, const char*> kPlaces{{"axis", "axes"}, {"metric", "metrics"}, {"cost", "cost"}};
  Json row = Json::array();
  for (const Json& column : columns) {
    const auto place = kPlaces.find(column.at("kind").get<std::string>());
    const Json* const holder = place == kPlaces.end()          ? &point
                               : point.contains(place->second) ? &point.at(place->second)
                                                               : nullptr;
    row.push_back(holder == nullptr ? Json() : holder->value(column.at("name").get<std::string>(), Json()));
  }
  return row;
}

}  // namespace

Json sweep_content(const fs::path& folder, std::vector<std::string>& blocks) {
  const Json sweep = read_json_file(folder / "sweep.json", {page_file("sweep.schema.json")});
  Json content{{"name", sweep.at("name")},     {"tessera_version", sweep.value("tessera_version", "")},
               {"columns", columns_of(sweep)}, {"rows", Json::array()},
               {"runs", Json::object()},       {"left_out", Json::array()}};
  std::size_t bytes = 0;
  for (const auto& [place, point] : read_points(folder / "points")) {
    content["rows"].push_back(row_of(point, content["columns"]));
    const std::string& key = place.second;
    const fs::path timeline = folder / "timelines" / key;
    if (!fs::exists(timeline / "summary.json")) continue;
    std::vector<std::string> own;
    Json run = bytes > kMaxTimelineBytes ? Json() : run_content(timeline, own);  // after one without room none is read
    for (const std::string& block : own) bytes += block.size();
    if (bytes > kMaxTimelineBytes) {
      content["left_out"].push_back(key);
      continue;
    }
    if (!own.empty()) run["timeline"]["block"] = blocks.size();
    std::move(own.begin(), own.end(), std::back_inserter(blocks));
    content["runs"][key] = std::move(run);
  }
  return content;
}

}  // namespace tessera::report
