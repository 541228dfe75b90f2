// SPDX-License-Identifier: Apache-2.0
// Resources that thread blocks use and an SM provides.
#pragma once

#include <cstdint>

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {

// Negative: more was taken than the SM has.
struct Resources {
  std::int32_t registers = 0;
  std::int32_t shared_memory_bytes = 0;
  std::int32_t threads = 0;
  std::int32_t slots = 0;

  void take(const Resources& some) {
    registers -= some.registers;
    shared_memory_bytes -= some.shared_memory_bytes;
    threads -= some.threads;
    slots -= some.slots;
  }
  void give_back(const Resources& some) {
    registers += some.registers;
    shared_memory_bytes += some.shared_memory_bytes;
    threads += some.threads;
    slots += some.slots;
  }
  bool is_overdrawn() const { return (registers | shared_memory_bytes | threads | slots) < 0; }
};

// All that an empty SM has.
inline Resources resources_of_sm(const spec::GpuSpec& gpu) {
  return {static_cast<std::int32_t>(gpu.registers_per_sm), static_cast<std::int32_t>(gpu.shared_memory_bytes.back()),
          static_cast<std::int32_t>(gpu.max_threads_per_sm), static_cast<std::int32_t>(gpu.max_tbs_per_sm)};
}

}  // namespace tessera::tlm_model
