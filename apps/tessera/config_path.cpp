// SPDX-License-Identifier: Apache-2.0
// Configurations lie in configs/.
#include "apps/tessera/config_path.h"

#include <stdexcept>

#include "model/base/program_files.h"

namespace tessera::app {

std::filesystem::path built_in_config(const std::filesystem::path& relative) {
  const std::filesystem::path config = "configs" / relative;
  const auto folder = folder_with(config);
  if (!folder) {
    throw std::runtime_error("the built-in configuration " + relative.string() + " was not found near the program");
  }
  return std::filesystem::proximate(*folder / config);  // as the user would name it
}

}  // namespace tessera::app
