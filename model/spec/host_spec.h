// SPDX-License-Identifier: Apache-2.0
// What the host's API costs, and the processes that use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "model/base/time.h"

namespace tessera::spec {

struct ProcessSpec {
  std::string name;
  std::uint32_t application = 0;        // index into Spec::applications
  std::uint32_t priority = 0;           // 0 (lowest) .. 15
  std::optional<std::uint32_t> tokens;  // dss: overrides equal sharing
  bool is_background = false;           // the experiment does not wait for its runs
  Picoseconds start = 0;
  std::optional<Picoseconds> deadline{};  // of each of its kernels, from its arrival at the command buffers
  std::optional<std::uint32_t> runs{};    // after so many it ends; none: it runs again and again
};

// 1 or more; 0: it has none.
inline Cycle deadline_cycles(const ProcessSpec& process, const Clock& clock) {
  return process.deadline ? std::max<Cycle>(1, clock.cycles_in(*process.deadline)) : 0;
}

// API costs on the host CPU ([T14] 4.1 traces them; the values are reconstructed, configs/hosts has the reasons).
struct HostSpec {
  std::string name = "default";
  Picoseconds launch = 5'000'000;       // CPU time of a kernel launch call
  Picoseconds copy = 5'000'000;         // CPU time of a copy call
  Picoseconds synchronise = 2'000'000;  // CPU time of a synchronise call that finds the work done
  Picoseconds interrupt = 3'000'000;    // from the interrupt to the woken process
};

}  // namespace tessera::spec
