// SPDX-License-Identifier: Apache-2.0
// Keys, and what is done for those that are new.
#include "cosim/core_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/core_cache.h"
#include "cosim/generated_sources.h"
#include "cosim/objects.h"
#include "cosim/source_tree.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "cosim/toolchain.h"

namespace tessera::cosim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "tsr_core.so";
constexpr std::uintmax_t kUnitBytes = 200'000;  // of C++ in one call of the compiler

// Verilator leaves many small files, each of which includes the same large headers: they are compiled several at a
// time. Those that run once (reset, symbols) are apart, for they are compiled without optimisation.
std::vector<fs::path> units_of(const fs::path& folder, bool runs_once) {
  std::vector<fs::path> files, units;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "verilated")) {
    const std::string name = entry.path().filename().string();
    const bool is_slow = name.find("__Slow") != std::string::npos || name.find("__Syms") != std::string::npos;
    if (entry.path().extension() == ".cpp" && is_slow == runs_once)
      files.push_back("verilated" / entry.path().filename());
  }
  std::sort(files.begin(), files.end());
  std::string text;
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files) {
    text += fmt::format("#include \"{}\"\n", file.string());
    bytes += fs::file_size(folder / file);
    if (bytes < kUnitBytes && file != files.back()) continue;
    units.push_back(fmt::format("unit_{}{}.cpp", units.size(), runs_once ? kRunsOnce : ""));
    write_text(folder / units.back(), text);
    text.clear();
    bytes = 0;
  }
  return units;
}

class Build {
 public:
  explicit Build(const BuildRequest& request)
      : request_(request),
        sources_(request),
        top_(top_module(request, header_with_includes(sources_.scheduler.path))),
        config_(config_header(request)) {}

  // All that makes a difference to the result.
  std::string key() const {
    const Variant& variant = request_.variant;
    std::string text = toolchain_key(variant) + joined(verilator_call(variant)) + joined(linker_call(variant)) +
                       joined(runtime_sources(variant)) + top_ + config_;
    for (const Source& source : sources_.all()) text += source.name.string() + "\n" + read_text(source.path);
    return fingerprint(text);
  }

  // Leaves the library in `folder`.
  void run(const fs::path& folder) const {
    fmt::print(stderr, "tessera: verilating the core: {}\n", describe(request_.elaboration));
    verilate(folder);
    fmt::print(stderr, "tessera: compiling it; this happens once\n");
    std::vector<fs::path> sources;
    for (const Source& source : sources_.glue) sources.push_back(source.name);
    for (const bool runs_once : {false, true}) {
      for (const fs::path& unit : units_of(folder, runs_once)) sources.push_back(unit);
    }
    std::vector<std::string> objects = compile(request_.variant, folder, sources);
    objects.push_back(runtime_object(request_.variant, sources_.root).string());
    link(linker_call(request_.variant), objects, kLibrary, folder);
  }

 private:
  void verilate(const fs::path& folder) const {
    // Through links, so that messages and coverage name files as in the repository.
    for (const char* part : {"rtl", "testbench", "cosim", "rtl_model", "model"}) {
      fs::create_directory_symlink(sources_.root / part, folder / part);
    }
    write_text(folder / "tsr_core.v", top_);
    fs::create_directory(folder / "verilated");
    write_text(folder / "verilated/core_config.h", config_);
    Arguments call = verilator_call(request_.variant);
    if (has_block_clocks(request_)) call.emplace_back("-DTSR_BLOCK_CLOCKS");
    call.push_back("-I" + sources_.scheduler.name.parent_path().string());
    if (const std::optional<Source> own = own_policies()) {
      call.emplace_back("-DTSR_OWN_POLICIES");
      call.push_back("-I" + own->path.parent_path().string());
    }
    for (const Source& source : sources_.of_tree) call.push_back(source.name.string());
    for (const Source& source : sources_.given) {
      fs::create_directories(folder / source.name.parent_path());
      fs::create_symlink(source.path, folder / source.name);
      call.push_back(source.name.string());
    }
    call.emplace_back("tsr_core.v");
    run_tools({call}, folder);
  }

  const BuildRequest& request_;
  SourceTree sources_;
  std::string top_;
  std::string config_;
};

}  // namespace

fs::path build_core(const BuildRequest& request) {
  const Build build(request);
  return cached(build.key(), kLibrary, [&](const fs::path& folder) {
    build.run(folder);
    if (Build(request).key() != build.key())
      throw BuildError("the sources of the Verilog core changed while it was built");
  });
}

}  // namespace tessera::cosim
