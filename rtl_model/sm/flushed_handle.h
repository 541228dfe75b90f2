// SPDX-License-Identifier: Apache-2.0
// The handle of a flushed thread block: it has no context, so its stack pointer is all ones, minus one for each earlier
// flush.
#pragma once

#include <cstdint>

#include "model/spec/scheduler_spec.h"

namespace tessera::rtl_model {

// After `num_flushes` flushes, at least 1.
inline std::uint32_t flushed_stack_pointer(std::uint32_t num_flushes) { return 0U - num_flushes; }
inline std::uint32_t num_flushes(std::uint32_t stack_pointer) { return 0U - stack_pointer; }
inline bool is_flushed(std::uint32_t stack_pointer) {
  return stack_pointer != 0 && num_flushes(stack_pointer) <= spec::kMaxFlushes;
}

}  // namespace tessera::rtl_model
