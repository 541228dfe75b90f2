// SPDX-License-Identifier: Apache-2.0
// Looks upwards from the program, in every folder and in its share/tessera.
#include "model/base/program_files.h"

namespace tessera {

std::optional<std::filesystem::path> folder_with(const std::filesystem::path& relative) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  for (std::filesystem::path folder = program.parent_path();; folder = folder.parent_path()) {
    for (const std::filesystem::path& candidate : {folder, folder / "share/tessera"}) {
      if (std::filesystem::exists(candidate / relative)) return candidate;
    }
    if (folder == folder.root_path()) return std::nullopt;
  }
}

}  // namespace tessera
