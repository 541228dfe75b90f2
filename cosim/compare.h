// SPDX-License-Identifier: Apache-2.0
// What lockstep means: every output pin of two cores in a cycle, and their architectural registers at an edge. A field
// that docs/hardware/timing.md leaves open ("not looked at") may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::cosim {

struct Difference {
  std::string signal;  // as docs/hardware/timing.md names it: "dispatch.tb", "KSRT[3].covered"
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};

// The first pin that differs: data of a bundle count while it is valid, `events` always. Cheap where there is none.
std::optional<Difference> first_difference(const rtl_model::SchedulerOutputs& left,
                                           const rtl_model::SchedulerOutputs& right);

// The first register that differs; of rows that are not valid only that they are not.
std::optional<Difference> first_difference(const rtl_model::CoreSnapshot& left, const rtl_model::CoreSnapshot& right);

}  // namespace tessera::cosim
