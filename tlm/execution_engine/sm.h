// SPDX-License-Identifier: Apache-2.0
// A streaming multiprocessor: its state machine, its registers, its thread block slots (docs/architecture.md).
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/record/sm_meter.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::tlm_model {

enum class SmPhase : std::uint8_t {
  kIdle,
  kSettingUp,
  kRunning,           // under drain, a reserved SM stays here until its last TB finishes
  kIssuingRestores,   // the driver sends the handles, one an issue cycle
  kRestoring,         // contexts on their way in; TBs already resident run on
  kDrainingPipeline,  // trapped: TBs run on until the last instruction in flight is done
  kFlushing,          // told to flush: in the next cycle TBs before their points are dropped
  kDrainingRest,      // flushed: TBs beyond their points run to their ends
  kEnteringTrap,      // TBs stand still
  kSaving,
  kSendingHandles,  // the core's engine: of TBs that were flushed, one a cycle
};

struct Sm {
  SmPhase phase = SmPhase::kIdle;
  bool takes_refill = false;  // a slot that becomes free gets the kernel's next TB at once
  spec::TechniqueKind technique = spec::TechniqueKind::kContextSwitch;  // of the preemption under way
  KsrId ksr = kNoKsr;  // whose TBs it holds; after that kernel's end only `launch` is good
  LaunchId launch{};
  ContextId context{};                // GPU context id register, set at set-up ([T14] 3.1)
  std::uint64_t base_page_table = 0;  // base page table register
  std::uint64_t occupied_slots = 0;   // a bit each, restoring ones included
  std::uint64_t restoring_slots = 0;
  std::uint64_t flushed_slots = 0;  // of TBs that were dropped; their handles leave with those of the saved ones
  std::uint64_t frozen_slots = 0;   // of TBs that stand still while others may run on (techniques that choose victims)
  std::uint64_t moving_bytes = 0;   // of the save or restore under way
  Cycle last_start = 0;             // of the TB issued last: a trap waits for it
  Cycle trapped_at = 0;             // the command to stop has arrived, and the TBs before it have started
  Cycle reserved_at = 0;
  Cycle move_started = 0;
  record::SmMeter meter;

  bool is_stopping() const {
    return phase == SmPhase::kFlushing || phase == SmPhase::kDrainingPipeline || phase == SmPhase::kDrainingRest;
  }
};

// Sets of slots, a bit each.
inline std::uint32_t lowest(std::uint64_t slots) { return static_cast<std::uint32_t>(__builtin_ctzll(slots)); }

// Calls `visit(slot)` for every slot of the set, lowest first.
template <typename Visit>
void for_each_slot(std::uint64_t slots, Visit visit) {
  for (; slots != 0; slots &= slots - 1) visit(lowest(slots));
}

}  // namespace tessera::tlm_model
