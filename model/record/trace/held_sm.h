// SPDX-License-Identifier: Apache-2.0
// What a shared SM holds, record by record: for timelines, which draw how much of it is whose.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record/record.h"
#include "model/record/trace/sm_phase.h"

namespace tessera::record {

class HeldSm {
 public:
  struct Held {
    std::uint32_t launch = kNoNumber;
    std::uint64_t tbs = 0;
    std::uint64_t share_ppm = 0;  // of the SM
  };

  // A record of this SM.
  void apply(const Record& record);

  // In the order of their launches; empty: nothing is there.
  const std::vector<Held>& held() const { return held_; }
  SmPhase phase() const;
  bool is_used() const { return is_used_; }  // it was shared so far

 private:
  void hold(const Record& record);

  std::vector<Held> held_;
  Technique requested_ = Technique::kNone;
  bool is_saving_ = false;
  bool is_restoring_ = false;
  bool is_used_ = false;
};

}  // namespace tessera::record
