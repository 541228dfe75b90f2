// SPDX-License-Identifier: Apache-2.0
// Until the next core (docs/timing_next.md) has taken the place of the present one: which of them clocked machines are
// made of. For developers; it goes with the present core.
#pragma once

#include <cstdlib>

namespace tessera::spec {

// TESSERA_NEXT_CORE in the environment, set to anything; a test sets it for what it builds.
inline bool& next_core_switch() {
  static bool is_wanted = std::getenv("TESSERA_NEXT_CORE") != nullptr;
  return is_wanted;
}

inline bool is_next_core_wanted() { return next_core_switch(); }

}  // namespace tessera::spec
