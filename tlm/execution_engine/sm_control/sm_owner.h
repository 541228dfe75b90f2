// SPDX-License-Identifier: Apache-2.0
// The SM driver's state of an SM: its owner and its phase (docs/concepts/architecture.md).
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::tlm_model {

enum class SmPhase : std::uint8_t {
  kIdle,
  kSettingUp,
  kRunning,           // under drain, a reserved SM stays here until its last TB finishes
  kIssuingRestores,   // the driver sends the handles, one per issue cycle
  kRestoring,         // contexts are being restored; TBs already resident keep running
  kEndingRestore,     // their bytes are in, and microcode is not done with them yet
  kDrainingPipeline,  // trapped: TBs run until the last instruction in flight is done
  kFlushing,          // told to flush: in the next cycle TBs before their points are dropped
  kDrainingRest,      // flushed: TBs beyond their points run to their ends
  kEnteringTrap,      // TBs are stopped
  kSaving,
  kSendingHandles,  // serialised engine: handles of flushed TBs, one per cycle
};

struct SmOwner {
  SmPhase phase = SmPhase::kIdle;
  spec::TechniqueKind technique = spec::TechniqueKind::kContextSwitch;  // of the current preemption
  KsrId ksr = kNoKsr;  // kernel whose TBs it holds; after that kernel's end only `launch` is valid
  LaunchId launch{};
  ContextId context{};                // GPU context id register, set at set-up ([T14] 3.1)
  std::uint64_t base_page_table = 0;  // base page table register
  Cycle reserved_at = 0;

  bool is_stopping() const {
    return phase == SmPhase::kFlushing || phase == SmPhase::kDrainingPipeline || phase == SmPhase::kDrainingRest;
  }
};

}  // namespace tessera::tlm_model
