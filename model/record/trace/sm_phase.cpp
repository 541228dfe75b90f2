// SPDX-License-Identifier: Apache-2.0
// Each record updates what is known of the SM; the phase follows from that.
#include "model/record/trace/sm_phase.h"

#include <algorithm>
#include <array>

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::record {

std::string_view to_string(SmPhase phase) {
  constexpr std::array<std::string_view, 9> kNames{"idle",     "set-up", "running",      "restoring", "reserved",
                                                   "draining", "saving", "idle by rule", "shared"};
  return kNames[static_cast<std::size_t>(phase)];
}

void SmState::apply(const Record& record) {
  switch (record.kind) {
    case Kind::kPreemptionDone:
      if (guest_ != kNoNumber) {  // the owner stays beside it
        requested_ = Technique::kNone;
        break;
      }
      [[fallthrough]];
    case Kind::kSmSetUp:
    case Kind::kSmReleased:
      *this = SmState{};
      if (record.kind == Kind::kSmSetUp) launch_ = record.launch;
      break;
    case Kind::kSmPassed:
      *this = SmState{};
      launch_ = record.launch;
      has_run_ = true;
      break;
    case Kind::kPositionGranted:
      if (record.slot != kNoIndex) guest_ = record.launch;
      break;
    case Kind::kVictimChosen: {
      const std::uint64_t slot = std::uint64_t{1} << record.slot % 64;
      draining_ = record.technique == Technique::kDrain ? draining_ | slot : draining_ & ~slot;
      has_run_ = true;
      break;
    }
    case Kind::kVictimLeft:
      victim_left(record);
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
      // Of one that was done in this cycle, and has come before it.
      if (record.launch == launch_) requested_ = record.technique;
      break;
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      if (record.launch == launch_) retargeted(record);
      break;
    case Kind::kSaveStarted:
      is_saving_ = true;
      saving_bytes_ += record.bytes;
      break;
    case Kind::kSmsWithheld:
      is_withheld_ = number::withheld_sms(record) > 0;
      break;
    default:
      break;
  }
}

void SmState::victim_left(const Record& record) {
  draining_ &= ~(std::uint64_t{1} << record.slot % 64);
  saving_bytes_ -= std::min(saving_bytes_, record.bytes);
  is_saving_ = saving_bytes_ > 0;
}

// A drain towards the owner itself is cancelled; a save goes on (docs/concepts/readings.md, DSS 7).
void SmState::retargeted(const Record& record) {
  const bool is_for_owner = number::reserved_for(record) == record.launch;
  if (chooses_victims(record.technique)) guest_ = kNoNumber;
  if (!is_for_owner) return;
  if (requested_ == Technique::kDrain || chooses_victims(record.technique)) requested_ = Technique::kNone;
  draining_ = 0;
}

SmPhase SmState::phase() const {
  if (launch_ == kNoNumber) return is_withheld_ ? SmPhase::kWithheld : SmPhase::kIdle;
  if (guest_ != kNoNumber) return SmPhase::kShared;
  if (is_saving_) return SmPhase::kSaving;
  if (num_restores_ > 0) return SmPhase::kRestoring;
  if (requested_ == Technique::kDrain || draining_ != 0) return SmPhase::kDraining;
  if (requested_ != Technique::kNone) return SmPhase::kReserved;
  return has_run_ ? SmPhase::kRunning : SmPhase::kSetUp;
}

}  // namespace tessera::record
