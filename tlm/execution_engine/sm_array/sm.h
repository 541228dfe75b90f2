// SPDX-License-Identifier: Apache-2.0
// A streaming multiprocessor as thread blocks see it: its slots, free resources and context moves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/record/sm_meter.h"
#include "tlm/execution_engine/sm_array/resources.h"

namespace tessera::tlm_model {

// Contexts, of any kernels, that are saved or restored together, with what determines the cost of the move.
struct ContextMove {
  bool is_save = false;
  std::uint64_t slots = 0;
  std::uint64_t bytes = 0;
  std::uint64_t warps = 0;
  std::uint64_t shared_memory_bytes = 0;
  Cycle started = 0;
  std::optional<Cycle> takes;  // empty: as long as the memory channel takes
  bool is_on_channel = false;
};

struct Sm {
  std::uint64_t occupied = 0;
  std::uint64_t refill = 0;         // whose thread block may be followed by its kernel's next one as soon as it ends
  std::uint64_t stopped = 0;        // whose thread block is stopped for a save, or has ended and was not taken out yet
  std::uint64_t moving = 0;         // whose context is being saved, or is to be restored
  std::uint64_t flushed = 0;        // whose thread block was dropped; its handle is still here
  Resources free;                   // left over by resident thread blocks
  Cycle last_start = 0;             // start of the last thread block sent
  std::uint32_t num_residents = 0;  // that set the pace in its clock domain
  std::vector<ContextMove> moves;
  record::SmMeter meter;

  std::uint64_t running() const { return occupied & ~(stopped | moving | flushed); }
  std::uint64_t coming() const { return moving & ~stopped; }
};

}  // namespace tessera::tlm_model
