// SPDX-License-Identifier: Apache-2.0
// How long a file may be: what reads and writes them asks here.
#pragma once

#include <cstddef>

namespace tessera::spec {

// An application of 10^5 launches, each of them written out, fits; what is longer is none that a person meant.
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

}  // namespace tessera::spec
