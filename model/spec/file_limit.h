// SPDX-License-Identifier: Apache-2.0
// Maximum size of a file, for readers and writers.
#pragma once

#include <cstddef>

namespace tessera::spec {

// Large enough for an application with 10^5 launches written out; a larger file is surely a mistake.
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

}  // namespace tessera::spec
