// SPDX-License-Identifier: Apache-2.0
// Whole files as text.
#include "cosim/text_file.h"

#include <fstream>
#include <iterator>

#include "cosim/core_builder.h"

namespace tessera::cosim {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BuildError("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw BuildError("cannot write " + path.string());
}

}  // namespace tessera::cosim
