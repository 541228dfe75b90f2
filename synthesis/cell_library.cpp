// SPDX-License-Identifier: Apache-2.0
// Text from text: LEF sizes into Liberty areas.
#include "synthesis/cell_library.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <regex>

#include "cosim/core_builder.h"
#include "cosim/text_file.h"

namespace tessera::synthesis {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = "/usr/share/qflow/tech/osu018";  // where the package puts it

// um2 by cell.
std::map<std::string, double> sizes_in(const std::string& lef) {
  static const std::regex kMacro(R"(MACRO\s+(\w+))"), kSize(R"(\bSIZE\s+([\d.]+)\s+BY\s+([\d.]+))");
  std::map<std::string, double> sizes;
  for (std::sregex_iterator macro(lef.begin(), lef.end(), kMacro), end; macro != end; ++macro) {
    std::smatch size;
    if (std::regex_search(macro->suffix().first, lef.end(), size, kSize)) {
      sizes[(*macro)[1]] = std::stod(size[1]) * std::stod(size[2]);
    }
  }
  return sizes;
}

}  // namespace

std::string read_cell_library() {
  const fs::path liberty = kFolder / "osu018_stdcells.lib", lef = kFolder / "osu018_stdcells.lef";
  if (!fs::exists(liberty) || !fs::exists(lef)) {
    throw cosim::BuildError("the standard cells were not found: synthesis needs Debian's package qflow-tech-osu018");
  }
  return with_areas_of_lef(cosim::read_text(liberty), cosim::read_text(lef));
}

std::string with_areas_of_lef(const std::string& liberty, const std::string& lef) {
  // In this library the area is the first that a cell says.
  static const std::regex kArea(
      R"((cell\s*\(\s*(\w+)\s*\)\s*\{\s*(?:cell_footprint\s*:\s*\w+\s*;\s*)?area\s*:\s*)[\d.]+)");
  const std::map<std::string, double> sizes = sizes_in(lef);
  std::string text;
  auto rest = liberty.cbegin();
  for (std::sregex_iterator cell(liberty.begin(), liberty.end(), kArea), end; cell != end; ++cell) {
    const auto size = sizes.find((*cell)[2]);
    if (size == sizes.end()) continue;
    text.append(rest, (*cell)[1].second);
    text += fmt::format("{:g}", size->second);
    rest = (*cell)[0].second;
  }
  return text.append(rest, liberty.cend());
}

std::string with_cells(const std::string& liberty, const std::string& cells) {
  const std::size_t end = liberty.rfind('}');
  return liberty.substr(0, end) + cells + liberty.substr(end);
}

}  // namespace tessera::synthesis
