// SPDX-License-Identifier: Apache-2.0
// Lists of files.
#include "cosim/source_tree.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "cosim/text_file.h"
#include "model/base/program_files.h"

namespace tessera::cosim {
namespace {

namespace fs = std::filesystem;

const fs::path kRtl = "rtl";
const fs::path kCheckers = "testbench/checkers";

void append(std::vector<Source>& to, const std::vector<Source>& sources) {
  to.insert(to.end(), sources.begin(), sources.end());
}

std::vector<Source> with_ending(const fs::path& root, const fs::path& folder, const std::string& ending) {
  std::vector<Source> sources;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / folder)) {
    if (entry.path().extension() == ending) sources.push_back({folder / entry.path().filename(), entry.path()});
  }
  std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.name < b.name; });
  return sources;
}

// Follows `#include "..."` to files of the tree; what is not there will be generated.
void add_headers(const fs::path& root, const Source& source, std::vector<Source>& headers) {
  static const std::regex kInclude(R"(#include "([^"]+)\")");
  const std::string text = read_text(source.path);
  for (std::sregex_iterator include(text.begin(), text.end(), kInclude), end; include != end; ++include) {
    const Source header{(*include)[1].str(), root / (*include)[1].str()};
    const bool is_known =
        std::any_of(headers.begin(), headers.end(), [&](const Source& known) { return known.name == header.name; });
    if (is_known || !fs::exists(header.path)) continue;
    headers.push_back(header);
    add_headers(root, header, headers);
  }
}

}  // namespace

std::vector<Source> listed_in(const fs::path& root, const fs::path& list) {
  std::vector<Source> sources;
  std::istringstream lines(read_text(root / list));
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && line[0] != '+') sources.push_back({line, root / line});
  }
  return sources;
}

std::optional<Source> own_policies() {
#ifdef TESSERA_OWN_VERILOG
  const fs::path file = TESSERA_OWN_VERILOG;
  return Source{fs::path("own") / file.filename(), file};
#else
  return std::nullopt;
#endif
}

SourceTree::SourceTree(const BuildRequest& request) {
  scheduler.name = kRtl / "tsr_scheduler.v";
  const auto folder = folder_with(scheduler.name);
  if (!folder) throw BuildError("the Verilog sources (rtl/) were not found near the program");
  root = *folder;
  scheduler.path = root / scheduler.name;
  includes = with_ending(root, kRtl, ".vh");
  if (const std::optional<Source> own = own_policies()) includes.push_back(*own);
  if (!request.is_netlist) of_tree = with_ending(root, kRtl / "lint", ".vlt");
  if (request.verilog_files.empty()) append(of_tree, listed_in(root, kRtl / "rtl.f"));
  for (const fs::path& file : request.verilog_files) {
    given.push_back({"given" / fs::path(std::to_string(given.size())) / file.filename(), fs::absolute(file)});
  }
  if (request.variant.has_assertions) {
    const fs::path input_assumptions = kRtl / "tsr_input_assumptions.sv";
    of_tree.push_back({input_assumptions, root / input_assumptions});
    append(of_tree, with_ending(root, kCheckers, ".sv"));
  }
  glue = with_ending(root, "cosim/glue", ".cpp");
  for (const Source& source : glue) add_headers(root, source, headers);
}

std::vector<Source> SourceTree::all() const {
  std::vector<Source> sources{scheduler};
  for (const std::vector<Source>& more : {of_tree, includes, given, glue, headers}) append(sources, more);
  return sources;
}

}  // namespace tessera::cosim
