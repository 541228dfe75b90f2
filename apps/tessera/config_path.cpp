// SPDX-License-Identifier: Apache-2.0
// Looks in configs/ and share/tessera/configs/ of every folder above the program.
#include "apps/tessera/config_path.h"

#include <stdexcept>

namespace tessera::app {

std::filesystem::path built_in_config(const std::filesystem::path& relative) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  for (std::filesystem::path folder = program.parent_path();; folder = folder.parent_path()) {
    for (const char* configs : {"configs", "share/tessera/configs"}) {
      const std::filesystem::path path = folder / configs / relative;
      // As the user would name it, if that is shorter.
      if (std::filesystem::exists(path)) return std::filesystem::proximate(path);
    }
    if (folder == folder.root_path()) break;
  }
  throw std::runtime_error("the built-in configuration " + relative.string() + " was not found near the program");
}

}  // namespace tessera::app
