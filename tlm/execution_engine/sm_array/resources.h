// SPDX-License-Identifier: Apache-2.0
// What thread blocks take of an SM, and what an SM has of it.
#pragma once

#include <cstdint>

namespace tessera::tlm_model {

// Below 0: more was taken than there is.
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
