// SPDX-License-Identifier: Apache-2.0
// Which set-up of an SM is answered (docs/hardware/timing.md 3.11): behind a link it may be one that a later one has
// superseded.
#pragma once

#include <stdexcept>
#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

class SetUpTags {
 public:
  explicit SetUpTags(const CoreParams& params)
      : max_unanswered_(params.max_unanswered()), rows_q_(params.tag_width > 0 ? params.num_sms : 0) {
    for (Row& row : rows_q_) {
      row.tag = Field32(params.tag_width);
      row.unanswered = Field32(params.tag_width + 1);
    }
  }

  // Functions of registers.
  bool are_there() const { return !rows_q_.empty(); }
  std::uint32_t tag(std::uint32_t sm) const { return are_there() ? std::uint32_t{rows_q_[sm].tag} : 0; }
  std::uint32_t unanswered(std::uint32_t sm) const { return are_there() ? std::uint32_t{rows_q_[sm].unanswered} : 0; }
  bool is_current(std::uint32_t sm, std::uint32_t tag) const { return !are_there() || tag == rows_q_[sm].tag; }
  // Another set-up would have the tag of one that may still be answered.
  bool are_used_up(std::uint32_t sm) const { return used_up_q_.has(sm); }
  const SmSet& used_up() const { return used_up_q_; }

  // In a WRITE: a set-up is sent. Returns its tag.
  std::uint32_t send(std::uint32_t sm) {
    if (!are_there()) return 0;
    if (are_used_up(sm)) throw std::logic_error("rtl_model: a set-up whose tag is still in use");
    Row& row = rows_q_[sm];
    row.tag = (row.tag + 1) % max_unanswered_;
    row.unanswered.add(+1);
    used_up_q_.set(sm, row.unanswered == max_unanswered_);
    return row.tag;
  }
  // In a WRITE: those up to the one of this tag are answered, or never will be. Returns whether there is a tag again.
  bool answer(std::uint32_t sm, std::uint32_t tag) {
    if (!are_there()) return false;
    Row& row = rows_q_[sm];
    row.unanswered = (row.tag - tag) % max_unanswered_;
    const bool were_used_up = used_up_q_.has(sm);
    used_up_q_.clear(sm);
    return were_used_up;
  }

 private:
  struct Row {
    Field32 tag;         // of the last set-up
    Field32 unanswered;  // set-ups that may still be answered
  };
  std::uint32_t max_unanswered_;
  std::vector<Row> rows_q_;
  SmSet used_up_q_;  // decoded from the rows
};

}  // namespace tessera::rtl_model
