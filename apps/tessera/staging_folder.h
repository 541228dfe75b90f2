// SPDX-License-Identifier: Apache-2.0
// A hidden folder beside the place of results, locked by the process that writes them there. What a process that was
// killed left behind, with a lock that nobody holds, goes when the next such folder is made beside it.
#pragma once

#include <filesystem>

namespace tessera::app {

class StagingFolder {
 public:
  // Throws std::runtime_error when it cannot be created.
  explicit StagingFolder(const std::filesystem::path& place);
  ~StagingFolder();
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  // The folder to write in; moved to its place, or exchanged with what is there, by move_to() and swap_with().
  std::filesystem::path results() const;
  // False where something is at the place already.
  bool move_to(const std::filesystem::path& place);
  // Without a moment in which neither is there, where the file system can do that.
  void swap_with(const std::filesystem::path& place);

 private:
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace tessera::app
