// SPDX-License-Identifier: Apache-2.0
// Each record updates what is known of the SM; the phase follows from that.
#include "model/record/trace/sm_phase.h"

#include <array>

namespace tessera::record {

std::string_view to_string(SmPhase phase) {
  constexpr std::array<std::string_view, 8> kNames{"idle",     "set-up",   "running", "restoring",
                                                   "reserved", "draining", "saving",  "idle by rule"};
  return kNames[static_cast<std::size_t>(phase)];
}

void SmState::apply(const Record& record) {
  switch (record.kind) {
    case Kind::kSmSetUp:
    case Kind::kPreemptionDone:
    case Kind::kSmReleased:
      *this = SmState{};
      if (record.kind == Kind::kSmSetUp) launch_ = record.launch;
      break;
    case Kind::kTbIssued:
    case Kind::kTbRestored:
    case Kind::kTbRestarted:
      has_run_ = true;
      break;
    case Kind::kRestoreStarted:
      ++num_restores_;
      break;
    case Kind::kRestoreDone:
      has_run_ = true;
      if (num_restores_ > 0) --num_restores_;
      break;
    case Kind::kPreemptionRequested:
      requested_ = record.technique;
      break;
    case Kind::kPreemptionRetargeted:
      // A drain towards the owner itself is cancelled; a save goes on (docs/readings.md, DSS 7).
      if (requested_ == Technique::kDrain && record.value == record.launch) requested_ = Technique::kNone;
      break;
    case Kind::kSaveStarted:
      is_saving_ = true;
      break;
    case Kind::kSmsWithheld:
      is_withheld_ = record.value > 0;
      break;
    default:
      break;
  }
}

SmPhase SmState::phase() const {
  if (launch_ == kNoNumber) return is_withheld_ ? SmPhase::kWithheld : SmPhase::kIdle;
  if (is_saving_) return SmPhase::kSaving;
  if (num_restores_ > 0) return SmPhase::kRestoring;
  if (requested_ == Technique::kDrain) return SmPhase::kDraining;
  if (requested_ != Technique::kNone) return SmPhase::kReserved;
  return has_run_ ? SmPhase::kRunning : SmPhase::kSetUp;
}

}  // namespace tessera::record
