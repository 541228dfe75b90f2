// SPDX-License-Identifier: Apache-2.0
// Places come and go; all of an SM is saved and restored together.
#include "model/record/trace/held_sm.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {

void HeldSm::apply(const Record& record) {
  switch (record.kind) {
    case Kind::kSmHeld:
      return hold(record);
    case Kind::kPreemptionRequested:
      requested_ = record.technique;
      return;
    case Kind::kSaveStarted:
      is_saving_ = true;
      return;
    case Kind::kPreemptionDone:
      requested_ = Technique::kNone;
      is_saving_ = false;
      return;
    case Kind::kRestoreStarted:
      is_restoring_ = true;
      return;
    case Kind::kRestoreDone:
      is_restoring_ = false;
      return;
    default:
      return;
  }
}

void HeldSm::hold(const Record& record) {
  is_used_ = true;
  const auto place = std::lower_bound(held_.begin(), held_.end(), record.launch,
                                      [](const Held& held, std::uint32_t launch) { return held.launch < launch; });
  const bool is_known = place != held_.end() && place->launch == record.launch;
  const Held held{record.launch, number::tbs(record), number::share_ppm(record)};
  if (held.tbs == 0) {
    if (is_known) held_.erase(place);
  } else if (is_known) {
    *place = held;
  } else {
    held_.insert(place, held);
  }
}

SmPhase HeldSm::phase() const {
  if (held_.empty()) return SmPhase::kIdle;
  if (is_saving_) return SmPhase::kSaving;
  if (is_restoring_) return SmPhase::kRestoring;
  if (requested_ == Technique::kDrain) return SmPhase::kDraining;
  return requested_ == Technique::kNone ? SmPhase::kRunning : SmPhase::kReserved;
}

}  // namespace tessera::record
