// SPDX-License-Identifier: Apache-2.0
// A temporary folder, deleted with its contents by the destructor.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::cosim {

class TemporaryFolder {
 public:
  // Creates "tessera-<purpose>-XXXXXX" in the system's folder for temporary files. Throws std::runtime_error.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tessera::cosim
