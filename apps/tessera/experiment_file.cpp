// SPDX-License-Identifier: Apache-2.0
// A line a key.
#include "apps/tessera/experiment_file.h"

#include <fmt/core.h>

#include <cstdio>

namespace tessera::app {

spec::Spec load_experiment_file(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                                spec::Cores cores) {
  spec::Spec spec = spec::load_experiment(path, overrides, cores);
  tell_left_out(spec.left_out_keys);
  return spec;
}

void tell_left_out(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    fmt::print(stderr, "tessera: {} is left out: the file has it for another policy than the one chosen over it\n",
               key);
  }
}

}  // namespace tessera::app
