// SPDX-License-Identifier: Apache-2.0
// Until the next core (docs/timing_next.md) has taken the place of the present one: which of them clocked machines are
// made of. For developers; it goes with the present core.
#pragma once

#include <cstdlib>

namespace tessera::spec {

// TESSERA_NEXT_CORE in the environment, set to anything.
inline bool is_next_core_wanted() {
  static const bool is_wanted = std::getenv("TESSERA_NEXT_CORE") != nullptr;
  return is_wanted;
}

}  // namespace tessera::spec
