// SPDX-License-Identifier: Apache-2.0
// What is under way on an SM while its thread blocks leave one by one, and a second kernel comes in ([S16] 3.2, 3.4;
// docs/concepts/readings.md, Chimera and dual-kernel).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/preemption/tb_status.h"

namespace tessera::tlm_model {

// Contexts that are to go out or come in together. Under switch_pricing: channel an SM moves one such batch at a time,
// in the order of this list; under per_tb each takes the time of one context, whatever else moves.
struct QueuedMove {
  enum class Stage : std::uint8_t {
    kWaiting,           // for its turn; TBs that are to be saved run on
    kDrainingPipeline,  // and still do
    kEnteringTrap,      // they stand still
    kMoving,
  };
  bool is_save = false;
  std::uint64_t slots = 0;
  KsrId ksr = kNoKsr;    // whose TBs they are
  Cycle not_before = 0;  // a restore: the last handle is there; a save: TBs that were sent before have started
  Stage stage = Stage::kWaiting;
  Cycle stage_ends = kNever;
};

// A place for a thread block of the second kernel.
struct Grant {
  enum class Stage : std::uint8_t { kEmptying, kSettingUp, kReady };
  std::uint32_t position = 0;
  std::uint64_t waits_for = 0;  // slots whose TBs must go first
  Stage stage = Stage::kEmptying;
  Cycle set_up_at = kNever;
  bool is_taken = false;  // its thread block is there, or on its way
  std::uint32_t slot = 0;
};

struct SharedSm {
  std::uint32_t shared_memory_bytes = 0;  // as it was set up, for its owner
  Cycle set_up_at = kNever;               // the set-up under way ends
  // The preemption under way.
  bool is_requested = false;      // not yet done
  bool empties = false;           // all of it: Chimera, or a guest that does not fit the configuration
  bool wants_plan = false;        // when restores under way are over
  Cycle wanted_from = 0;          // the limit's clock starts
  Cycle plan_at = kNever;         // the command arrives, and TBs that were sent before have started
  Cycle escalate_at = kNever;     // the last time at which TBs that still drain could be switched within the limit
  std::uint64_t leaving = 0;      // slots of TBs that were chosen
  std::uint64_t bytes_saved = 0;  // since it was requested
  std::vector<QueuedMove> moves;
  // The second kernel: set from the first grant to the last.
  KsrId guest = kNoKsr;
  std::uint64_t guest_slots = 0;
  std::vector<Grant> grants;

  bool has_guest() const { return guest != kNoKsr; }
  bool awaits_plan() const { return wants_plan || plan_at != kNever; }
  // Of its guest, one that it has been asked for among them.
  std::size_t num_places() const { return grants.size() + (awaits_plan() ? 1 : 0); }
};

// How a TB that was chosen leaves.
struct Choice {
  preemption::Exit exit = preemption::Exit::kDrain;
  Cycle chosen_at = 0;
};

}  // namespace tessera::tlm_model
