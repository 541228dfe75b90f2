// SPDX-License-Identifier: Apache-2.0
// Text, and folders of the cache.
#include "synthesis/rtl_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cosim/core_cache.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"

namespace tessera::synthesis {
namespace {

constexpr const char* kResult = "result.json";

// Parameters of the core that the front end has as well.
constexpr std::array kFrontEndParameters{"NUM_SMS",      "MAX_TBS_PER_SM", "NUM_KSRS", "NUM_COMMAND_BUFFERS",
                                         "NUM_CONTEXTS", "TB_WIDTH",       "POLICIES", "KEPT_TURN"};

bool has_parameter(Design design, const std::string& name) {
  return design == Design::kCore ||
         std::find(kFrontEndParameters.begin(), kFrontEndParameters.end(), name) != kFrontEndParameters.end();
}

std::string parameter_list(const cosim::Elaboration& elaboration, Design design) {
  std::string list;
  for (const cosim::VerilogParameter& parameter : cosim::verilog_parameters(elaboration)) {
    if (!has_parameter(design, parameter.name)) continue;
    list += fmt::format(" -set {} {}", parameter.name, parameter.value);
  }
  return list;
}

std::vector<cosim::Source> headers_in(const std::filesystem::path& root, const std::filesystem::path& folder) {
  std::vector<cosim::Source> headers;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(root / folder)) {
    if (entry.path().extension() == ".vh") headers.push_back({folder / entry.path().filename(), entry.path()});
  }
  std::sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return headers;
}

}  // namespace

std::string filled(std::string text, const Words& words) {
  for (const auto& [word, meaning] : words) {
    const std::string mark = "@" + word + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + meaning.size())) {
      text.replace(at, mark.size(), meaning);
    }
  }
  return text;
}

RtlScripts::RtlScripts(const cosim::Elaboration& elaboration, Design design) {
  const std::filesystem::path folder = "rtl";
  root_ = cosim::SourceTree{cosim::BuildRequest(elaboration)}.root;
  scheduler_ = {folder / "tsr_scheduler.v", root_ / folder / "tsr_scheduler.v"};
  std::vector<cosim::Source> listed = cosim::listed_in(root_, folder / "rtl.f");
  if (design == Design::kFrontEnd) {
    const std::vector<cosim::Source> more = cosim::listed_in(root_, folder / "ip.f");
    listed.insert(listed.end(), more.begin(), more.end());
  }
  std::string files;
  for (const cosim::Source& source : listed) files += " " + source.name.string();
  sources_ = headers_in(root_, folder);
  sources_.insert(sources_.end(), listed.begin(), listed.end());
  std::string own;
  if (const std::optional<cosim::Source> policies = cosim::own_policies()) {
    sources_.push_back(*policies);
    own = "-D TSR_OWN_POLICIES -I " + policies->path.parent_path().string();
  }
  words_ = {{"files", files},
            {"own", own},
            {"folder", folder.string()},
            {"parameters", parameter_list(elaboration, design)},
            {"top", design == Design::kCore ? "tsr_scheduler" : "tsr_axi_lite"}};
}

std::string RtlScripts::text(const std::string& name) const {
  return filled(cosim::read_text(root_ / "rtl/syn" / name), words_);
}

std::filesystem::path RtlScripts::kept(const std::vector<std::string>& scripts, const std::string& more,
                                       const std::string& result,
                                       const std::function<void(const std::filesystem::path&)>& make) const {
  std::string key = cosim::output_of("yosys", "-V") + more;
  for (const std::string& script : scripts) key += text(script);
  for (const cosim::Source& source : sources_) key += cosim::read_text(source.path);
  return cosim::cached(cosim::fingerprint(key), result, make);
}

nlohmann::json RtlScripts::cached(const std::vector<std::string>& scripts, const std::string& more,
                                  const std::function<nlohmann::json(const std::filesystem::path&)>& measure) const {
  const auto result = kept(scripts, more, kResult, [&measure](const std::filesystem::path& folder) {
    cosim::write_text(folder / kResult, measure(folder).dump());
  });
  return nlohmann::json::parse(cosim::read_text(result));
}

void RtlScripts::link_sources(const std::filesystem::path& folder) const {
  std::filesystem::create_directory_symlink(root_ / "rtl", folder / "rtl");
}

void RtlScripts::run_yosys(const std::filesystem::path& folder, const std::string& script) const {
  cosim::write_text(folder / script, text(script));
  cosim::run_tools({{"yosys", "-q", "-s", script}}, folder);
}

}  // namespace tessera::synthesis
