// SPDX-License-Identifier: Apache-2.0
// Tracks what an SM is doing record by record: the phases that timelines draw.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/record/record.h"

namespace tessera::record {

enum class SmPhase : std::uint8_t {
  kIdle,
  kSetUp,
  kRunning,
  kRestoring,
  kReserved,
  kDraining,
  kSaving,
  kWithheld,
  kShared
};

std::string_view to_string(SmPhase phase);  // "idle", "set-up", ...

class SmState {
 public:
  // A record of this SM, or kSmsWithheld.
  void apply(const Record& record);

  SmPhase phase() const;
  std::uint32_t launch() const { return launch_; }  // the owner; kNoNumber: none
  std::uint32_t guest() const { return guest_; }    // on a shared SM: the kernel with places besides the owner's

 private:
  void victim_left(const Record& record);
  void retargeted(const Record& record);

  std::uint32_t launch_ = kNoNumber;
  std::uint32_t guest_ = kNoNumber;
  Technique requested_ = Technique::kNone;
  bool is_saving_ = false;
  std::uint64_t saving_bytes_ = 0;  // of victims
  std::uint64_t draining_ = 0;      // slots of victims
  bool is_withheld_ = false;        // idle by rule
  bool has_run_ = false;            // a TB ran since set-up
  std::uint32_t num_restores_ = 0;  // batches being restored
};

}  // namespace tessera::record
