// SPDX-License-Identifier: Apache-2.0
// The sources of one core and the scripts of rtl/syn that work on them, with their blanks filled in.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/elaboration.h"
#include "cosim/source_tree.h"

namespace tessera::synthesis {

using Words = std::map<std::string, std::string>;

// `text` with each @word@ replaced.
std::string filled(std::string text, const Words& words);

// What is mapped: the core, or the register front end of the IP.
enum class Design { kCore, kFrontEnd };

class RtlScripts {
 public:
  // Files, parameters and the top are words from the start.
  explicit RtlScripts(const cosim::Elaboration& elaboration, Design design = Design::kCore);

  void define(const std::string& word, std::string meaning) { words_[word] = std::move(meaning); }
  // A file of rtl/syn, filled in.
  std::string text(const std::string& name) const;
  const cosim::Source& scheduler() const { return scheduler_; }

  // The path of `result`, which `make` leaves in an empty folder, or has left there the last time for the same sources,
  // the same text in these scripts, and the same `more`.
  std::filesystem::path kept(const std::vector<std::string>& scripts, const std::string& more,
                             const std::string& result,
                             const std::function<void(const std::filesystem::path&)>& make) const;
  // What `measure` found in an empty folder, or what it found the last time, as above.
  nlohmann::json cached(const std::vector<std::string>& scripts, const std::string& more,
                        const std::function<nlohmann::json(const std::filesystem::path&)>& measure) const;

  // Makes the Verilog visible in `folder`, and runs a script there.
  void link_sources(const std::filesystem::path& folder) const;
  void run_yosys(const std::filesystem::path& folder, const std::string& script) const;

 private:
  std::filesystem::path root_;          // has rtl/
  std::vector<cosim::Source> sources_;  // headers too
  cosim::Source scheduler_;
  Words words_;
};

}  // namespace tessera::synthesis
