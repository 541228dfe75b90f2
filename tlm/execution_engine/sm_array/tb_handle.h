// SPDX-License-Identifier: Apache-2.0
// Identifies a thread block that has left its SM before its end ([T14] 3.3).
#pragma once

#include <cstdint>

#include "model/spec/scheduler_spec.h"

namespace tessera::tlm_model {

struct TbHandle {
  std::uint32_t tb = 0;
  std::uint32_t stack_pointer = 0;  // which context area of its kernel holds its state
  bool is_last_of_sm = false;       // of those that left their SM together

  // A flushed TB has no state: its stack pointer is all ones, minus one for each earlier flush, so that the count
  // travels with the TB (docs/concepts/readings.md, Flush).
  static TbHandle flushed(std::uint32_t tb, std::uint32_t num_flushes) { return {tb, ~(num_flushes - 1), false}; }
  bool is_flushed() const { return stack_pointer >= ~(spec::kMaxFlushes - 1); }
  std::uint32_t num_flushes() const { return ~stack_pointer + 1; }  // requires is_flushed()
};

}  // namespace tessera::tlm_model
