// SPDX-License-Identifier: Apache-2.0
#include "cosim/temporary_folder.h"

#include <stdlib.h>

#include <stdexcept>
#include <system_error>

namespace tessera::cosim {

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : path_((std::filesystem::temp_directory_path() / ("tessera-" + purpose + "-XXXXXX")).string()) {
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tessera::cosim
