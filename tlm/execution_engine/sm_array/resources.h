// SPDX-License-Identifier: Apache-2.0
// Resources that thread blocks use and an SM provides.
#pragma once

#include <cstdint>

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

}  // namespace tessera::tlm_model
