// SPDX-License-Identifier: Apache-2.0
// Calls of the compiler and the linker.
#include "cosim/objects.h"

#include <fmt/format.h>

#include "cosim/core_cache.h"
#include "cosim/text_file.h"
#include "cosim/toolchain.h"

namespace tessera::cosim {

namespace fs = std::filesystem;

std::string joined(const Arguments& call) { return fmt::format("{}\n", fmt::join(call, " ")); }

std::string toolchain_key(const Variant& variant) {
  static const std::string kVersions = tool_versions();
  return kVersions + joined(compiler_call(variant, true)) + joined(compiler_call(variant, false));
}

std::vector<std::string> compile(const Variant& variant, const fs::path& folder, const std::vector<fs::path>& sources) {
  const std::string runtime = runtime_folder().string();
  std::vector<Arguments> calls;
  std::vector<std::string> objects;
  for (const fs::path& source : sources) {
    const std::string name = source.stem().string();
    const bool is_cold = name.find(kRunsOnce) != std::string::npos;
    objects.push_back(name + ".o");
    Arguments& call = calls.emplace_back(compiler_call(variant, is_cold));
    const Arguments more{"-I", runtime, "-I", runtime + "/vltstd", "-c", source.string(), "-o", objects.back()};
    call.insert(call.end(), more.begin(), more.end());
  }
  run_tools(calls, folder);
  return objects;
}

void link(Arguments call, const std::vector<std::string>& objects, const std::string& result, const fs::path& folder) {
  call.insert(call.end(), {"-o", result});
  call.insert(call.begin() + 1, objects.begin(), objects.end());
  run_tools({call}, folder);
}

fs::path runtime_object(const Variant& variant, const fs::path& root) {
  const std::string key = fingerprint(toolchain_key(variant) + joined(runtime_sources(variant)) +
                                      read_text(root / "cosim/glue/verilator_hooks.h"));
  return cached(key, "runtime.o", [&](const fs::path& folder) {
    fs::create_directory_symlink(root / "cosim", folder / "cosim");
    std::vector<fs::path> sources;
    for (const std::string& source : runtime_sources(variant)) sources.push_back(runtime_folder() / source);
    link({"g++", "-r"}, compile(variant, folder, sources), "runtime.o", folder);
  });
}

}  // namespace tessera::cosim
