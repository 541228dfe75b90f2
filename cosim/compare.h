// SPDX-License-Identifier: Apache-2.0
// The lockstep comparison: every output pin of two cores in a cycle, and their architectural registers at an edge. A
// field that docs/hardware/timing.md leaves open ("not looked at") may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::cosim {

struct Difference {
  std::string signal;  // name as in docs/hardware/timing.md: "dispatch.tb", "KSRT[3].covered"
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};

// The first pin that differs: data of a bundle are compared only while it is valid, `events` always. Fast if there is
// no difference.
std::optional<Difference> first_difference(const rtl_model::SchedulerOutputs& left,
                                           const rtl_model::SchedulerOutputs& right);

// The first register that differs; of invalid rows only the valid bit is compared.
std::optional<Difference> first_difference(const rtl_model::CoreSnapshot& left, const rtl_model::CoreSnapshot& right);

}  // namespace tessera::cosim
