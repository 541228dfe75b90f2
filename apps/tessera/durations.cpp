// SPDX-License-Identifier: Apache-2.0
// One JSON file: name -> seconds.
#include "apps/tessera/durations.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace tessera::app {
namespace {

// $XDG_CACHE_HOME, else ~/.cache; empty where neither is known.
std::filesystem::path cache_file() {
  const auto in = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  std::filesystem::path folder = in("XDG_CACHE_HOME");
  if (folder.empty() && !in("HOME").empty()) folder = in("HOME") / ".cache";
  return folder.empty() ? folder : folder / "tessera" / "durations.json";
}

nlohmann::json read() {
  std::ifstream file(cache_file());
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

}  // namespace

std::optional<double> last_duration(const std::string& name) {
  const nlohmann::json all = read();
  const auto found = all.find(name);
  return found != all.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

void keep_duration(const std::string& name, double seconds) {
  const std::filesystem::path path = cache_file();
  if (path.empty()) return;
  nlohmann::json all = read();
  all[name] = seconds;
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream(path) << all.dump(2) << "\n";
}

}  // namespace tessera::app
