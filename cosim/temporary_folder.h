// SPDX-License-Identifier: Apache-2.0
// A folder that goes away with all that is in it.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::cosim {

class TemporaryFolder {
 public:
  // "tessera-<purpose>-XXXXXX" where the system keeps such things. Throws std::runtime_error.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tessera::cosim
