// SPDX-License-Identifier: Apache-2.0
// The preallocated memory of each active kernel where the contexts of its preempted TBs are kept ([T14] 3.2).
// With the context check on, real tagged bytes are saved and restored, so that every difference is found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "tlm/memory/paged_memory.h"

namespace tessera::tlm_model {

// Identity and progress stored with a saved context, besides registers and shared memory.
struct ContextTag {
  std::uint64_t context = 0;  // GPU context
  std::uint64_t launch = 0;   // LaunchId
  std::uint64_t tb = 0;
  std::uint64_t remaining = 0;    // cycles the TB still has to run; stands for its program counters
  std::uint64_t num_flushes = 0;  // before this save

  bool operator==(const ContextTag& other) const {
    return context == other.context && launch == other.launch && tb == other.tb && remaining == other.remaining &&
           num_flushes == other.num_flushes;
  }
};

class ContextMemory {
 public:
  // Areas follow one another from `base`; each kernel has room for `contexts_per_ksr` contexts of at most
  // `max_context_bytes`. `memory` is null when no bytes are moved.
  ContextMemory(std::uint32_t num_ksrs, std::uint32_t contexts_per_ksr, std::uint64_t max_context_bytes,
                std::uint64_t base, PagedMemory* memory);

  // Stores a context in a free area of its kernel and returns the stack pointer. `bytes_left`: what the TB still has to
  // move, which the tag does not have.
  std::uint32_t save(KsrId ksr, const ContextTag& tag, std::uint64_t bytes, std::uint64_t bytes_left = 0);

  struct Restored {
    Cycle remaining = 0;
    std::uint32_t num_flushes = 0;
    std::uint64_t bytes_left = 0;
    std::optional<std::string> mismatch;  // what the context check found
  };
  // Reads the context back and frees its area.
  Restored restore(KsrId ksr, std::uint32_t stack_pointer, const ContextTag& expected_identity, std::uint64_t bytes);

  // Where a context lies in device memory.
  std::uint64_t address_of(KsrId ksr, std::uint32_t stack_pointer) const {
    return base_ + (index(ksr) * contexts_per_ksr_ + stack_pointer) * stride_;
  }

 private:
  struct Area {
    struct Progress {
      std::uint64_t remaining = 0;
      std::uint64_t num_flushes = 0;
      std::uint64_t bytes_left = 0;
    };
    std::vector<std::uint32_t> free;  // free stack pointers
    std::vector<Progress> progress;   // by stack pointer
  };
  // Generates the architectural state of a TB from its tag: a different image for every TB and progress.
  void fill_image(const ContextTag& tag, std::uint64_t bytes);
  std::optional<std::string> compare(std::uint64_t address, const ContextTag& expected, std::uint64_t bytes);

  std::uint64_t contexts_per_ksr_;
  std::uint64_t stride_;
  std::uint64_t base_;
  PagedMemory* memory_;
  std::vector<Area> areas_;          // by KSR
  std::vector<std::uint8_t> image_;  // scratch: expected contents
  std::vector<std::uint8_t> read_back_;
};

}  // namespace tessera::tlm_model
