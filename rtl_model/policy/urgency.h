// SPDX-License-Identifier: Apache-2.0
// A kernel's deadline, and the comparison of deadlines (docs/hardware/timing.md 5.4).
#pragma once

#include <cstdint>

namespace tessera::rtl_model {

struct Urgency {
  bool has_due = false;
  std::uint32_t due = 0;  // modulo 2^32

  bool is_above(const Urgency& other) const {
    if (!has_due || !other.has_due) return has_due && !other.has_due;
    return (due - other.due) >> 31 != 0;
  }
  bool equals(const Urgency& other) const { return has_due == other.has_due && (!has_due || due == other.due); }
};

}  // namespace tessera::rtl_model
