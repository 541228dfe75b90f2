// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/planted_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cosim/source_tree.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"

namespace tessera::testbench {

namespace fs = std::filesystem;

std::vector<PlantedFault> listed_faults(const fs::path& root) {
  const fs::path folder = root / "testbench/faults";
  std::vector<PlantedFault> faults;
  try {
    for (const nlohmann::json& entry : nlohmann::json::parse(cosim::read_text(folder / "faults.json"))) {
      const std::string name = entry.at("name").get<std::string>();
      faults.push_back({name, entry.at("words").get<std::string>(), fs::absolute(folder / (name + ".patch"))});
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("testbench/faults/faults.json: {}", error.what()));
  }
  return faults;
}

std::vector<PlantedFault> selected(std::vector<PlantedFault> faults, const std::vector<std::string>& names) {
  if (names.empty()) return faults;
  std::vector<PlantedFault> chosen;
  for (const std::string& name : names) {
    const auto fault = std::find_if(faults.begin(), faults.end(), [&](const auto& each) { return each.name == name; });
    if (fault == faults.end()) throw std::invalid_argument(fmt::format("no fault '{}'", name));
    chosen.push_back(*fault);
  }
  return chosen;
}

FaultyTree::FaultyTree(const fs::path& root, const PlantedFault& fault) : folder_("fault") {
  fs::copy(root / "rtl", folder_.path() / "rtl", fs::copy_options::recursive);
  cosim::run_tool({"patch", "-p1", "--silent", "--forward", "-i", fault.patch.string()}, folder_.path());
}

std::vector<fs::path> FaultyTree::verilog_files() const {
  std::vector<fs::path> files;
  for (const cosim::Source& source : cosim::listed_in(folder_.path(), "rtl/rtl.f")) files.push_back(source.path);
  return files;
}

}  // namespace tessera::testbench
