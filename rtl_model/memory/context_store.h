// SPDX-License-Identifier: Apache-2.0
// The contexts of preempted thread blocks in device memory ([T14] 3.2): per context of a GPU process a pool of areas,
// numbered by the stack pointer. With the context check on, real bytes are saved and restored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "rtl_model/memory/loop_memory.h"

namespace tessera::rtl_model {

// Identity of a saved context.
struct ContextOwner {
  std::uint64_t context = 0;
  std::uint64_t launch = 0;
  std::uint64_t tb = 0;
};

// A TB's progress, which the trap routine saves with the context.
struct TbProgress {
  Cycle remaining = 0;
  std::uint32_t num_flushes = 0;  // before it was saved
  LoopRegisters loop;             // only for event-driven kernels
};

class ContextStore {
 public:
  explicit ContextStore(bool moves_bytes) : moves_bytes_(moves_bytes) {}

  // The trap routine allocates an area and writes the context image into it. Returns the stack pointer.
  std::uint32_t save(const ContextOwner& owner, const TbProgress& progress, std::uint64_t bytes);

  struct Restored {
    TbProgress progress;
    std::optional<std::string> mismatch;
  };
  // Reads the image back and frees the area.
  Restored restore(std::uint32_t stack_pointer, const ContextOwner& owner, std::uint64_t bytes);

 private:
  struct Area {
    ContextOwner owner;
    TbProgress progress;
    std::vector<std::uint64_t> image;
  };
  static std::vector<std::uint64_t> image_of(const ContextOwner& owner, const TbProgress& progress,
                                             std::uint64_t bytes);

  bool moves_bytes_;
  std::vector<Area> areas_;
  std::vector<std::uint32_t> free_;
};

}  // namespace tessera::rtl_model
