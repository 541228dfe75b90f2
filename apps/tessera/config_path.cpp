// SPDX-License-Identifier: Apache-2.0
// Configurations lie in configs/.
#include "apps/tessera/config_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "model/base/program_files.h"
#include "model/spec/diagnostics.h"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

// Of the files in a folder of configs/, sorted.
std::vector<std::string> names_in(const fs::path& kind) {
  std::vector<std::string> names;
  const std::optional<fs::path> folder = folder_with("configs" / kind);
  if (!folder) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder / "configs" / kind)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Files of configs/ that had another name before: the old one still works.
std::string current_name(const std::string& word) {
  return word == "vain_context_switches" ? "context_switch_thrashing" : word;
}

fs::path path_in(const fs::path& kind, const char* what, const std::string& word) {
  std::error_code ignored;
  const fs::file_status status = fs::status(word, ignored);
  if (fs::exists(status) && !fs::is_directory(status)) return word;
  const std::vector<std::string> names = names_in(kind);
  const std::string name = current_name(word);
  if (std::find(names.begin(), names.end(), name) != names.end()) return built_in_config(kind / (name + ".yaml"));
  const bool is_name = word.find_first_of("./") == std::string::npos;
  if (!is_name || status.type() != fs::file_type::not_found) return word;  // the loader says why it cannot be read
  throw spec::InputError({{word, 1, 1, "", fmt::format("no such file or built-in {}", what), "",
                           fmt::format("{}", fmt::join(names, ", "))}});
}

}  // namespace

fs::path built_in_config(const fs::path& relative) {
  const fs::path config = "configs" / relative;
  const auto folder = folder_with(config);
  if (!folder) {
    throw std::runtime_error("the built-in configuration " + relative.string() + " was not found near the program");
  }
  return fs::proximate(*folder / config);  // as the user would name it
}

std::vector<std::string> experiment_names() { return names_in("experiments"); }

fs::path experiment_path(const std::string& word) {
  return word.empty() ? built_in_config("experiments/quickstart.yaml") : path_in("experiments", "experiment", word);
}

std::vector<std::string> sweep_names() { return names_in("sweeps"); }

fs::path sweep_path(const std::string& word) { return path_in("sweeps", "sweep", word); }

std::vector<std::string> measurements_names() { return names_in("silicon"); }

fs::path measurements_path(const std::string& word) { return path_in("silicon", "measurements file", word); }

}  // namespace tessera::app
