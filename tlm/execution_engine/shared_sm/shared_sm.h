// SPDX-License-Identifier: Apache-2.0
// State of an SM whose thread blocks leave one by one while a second kernel comes in ([S16] 3.2, 3.4;
// docs/concepts/readings.md, Chimera and dual-kernel).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/preemption/tb_status.h"

namespace tessera::tlm_model {

// Contexts that are saved or restored together. With switch_pricing: channel, an SM moves one such batch at a time, in
// the order of its list; with per_tb, each takes the time of one context, whatever else moves.
struct QueuedMove {
  enum class Stage : std::uint8_t {
    kWaiting,           // for its turn; TBs that are to be saved keep running
    kDrainingPipeline,  // they still run
    kEnteringTrap,      // they are stopped
    kMoving,
  };
  bool is_save = false;
  std::uint64_t slots = 0;
  KsrId ksr = kNoKsr;    // whose TBs they are
  Cycle not_before = 0;  // restore: the last handle has arrived; save: TBs sent earlier have started
  Stage stage = Stage::kWaiting;
  Cycle stage_ends = kNever;
};

// A place granted to a thread block of the second kernel.
struct Grant {
  enum class Stage : std::uint8_t { kEmptying, kSettingUp, kReady };
  std::uint32_t position = 0;
  std::uint64_t waits_for = 0;  // slots whose TBs must leave first
  Stage stage = Stage::kEmptying;
  Cycle set_up_at = kNever;
  bool is_taken = false;  // its thread block has arrived or is on its way
  std::uint32_t slot = 0;
};

struct SharedSm {
  std::uint32_t shared_memory_bytes = 0;  // as configured at the owner's set-up
  Cycle set_up_at = kNever;               // end of the current set-up
  // The current preemption.
  bool is_requested = false;      // and not yet done
  bool empties = false;           // the whole SM: Chimera, or a guest that does not fit the configuration
  bool wants_plan = false;        // once the current restores are over
  Cycle wanted_from = 0;          // start of the time that the latency limit counts
  Cycle plan_at = kNever;         // the command has arrived and TBs sent earlier have started
  Cycle escalate_at = kNever;     // the last time at which TBs that still drain could be switched within the limit
  std::uint64_t leaving = 0;      // slots of the chosen victims
  std::uint64_t bytes_saved = 0;  // since it was requested
  std::vector<QueuedMove> moves;
  // The second kernel: set as long as it has a grant.
  KsrId guest = kNoKsr;
  std::uint64_t guest_slots = 0;
  std::vector<Grant> grants;

  bool has_guest() const { return guest != kNoKsr; }
  bool awaits_plan() const { return wants_plan || plan_at != kNever; }
  // Places of the guest, including one that is requested but not yet planned.
  std::size_t num_places() const { return grants.size() + (awaits_plan() ? 1 : 0); }
};

// How a chosen TB leaves.
struct Choice {
  preemption::Exit exit = preemption::Exit::kDrain;
  Cycle chosen_at = 0;
};

}  // namespace tessera::tlm_model
