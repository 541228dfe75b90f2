// SPDX-License-Identifier: Apache-2.0
// Admission control in fixed point: no order of requests and no rounding decides.
#include "model/command_scheduling/admission.h"

namespace tessera::command_scheduling {

Admission::Admission(std::uint32_t limit_percent) : limit_percent_(limit_percent) {}

bool Admission::admit(Cycle capacity, Cycle period) {
  if (capacity > period) return false;  // alone more than 100 %
  const Uint128 sum = sum_ + (static_cast<Uint128>(capacity) << 64) / period;
  if (sum * 100 > static_cast<Uint128>(limit_percent_) << 64) return false;
  sum_ = sum;
  return true;
}

}  // namespace tessera::command_scheduling
