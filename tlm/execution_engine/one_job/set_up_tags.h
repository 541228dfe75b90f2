// SPDX-License-Identifier: Apache-2.0
// Which set-up an answer belongs to (docs/hardware/timing.md 3.11): a tag for each, and how many may still be answered.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"

namespace tessera::tlm_model {

class SetUpTags {
 public:
  // 0 bits: there are none, every answer is current, and no SM has too many set-ups to answer.
  SetUpTags(std::uint32_t bits, std::uint32_t num_sms) : num_tags_(1U << bits), has_tags_(bits > 0), sms_(num_sms) {}

  // The tag of the set-up that is sent now.
  std::uint32_t next(SmId id) {
    Sm& sm = sms_[index(id)];
    sm.tag = (sm.tag + 1) % num_tags_;
    if (has_tags_) ++sm.unanswered;
    return sm.tag;
  }
  std::uint32_t last(SmId id) const { return sms_[index(id)].tag; }
  // Answers come in the order of the set-ups: what was sent before it is not answered any more. True if the SM could
  // not be set up, and now can.
  bool answered(SmId id, std::uint32_t tag) {
    Sm& sm = sms_[index(id)];
    const bool was_full = is_full(id);
    sm.unanswered = (sm.tag + num_tags_ - tag) % num_tags_;
    return was_full;
  }
  bool is_full(SmId id) const { return sms_[index(id)].unanswered == num_tags_; }

 private:
  struct Sm {
    std::uint32_t tag = 0;
    std::uint32_t unanswered = 0;
  };
  std::uint32_t num_tags_;
  bool has_tags_;
  std::vector<Sm> sms_;
};

}  // namespace tessera::tlm_model
