// SPDX-License-Identifier: Apache-2.0
// When a linger starts and ends.
#include "rtl_model/tables/linger.h"

namespace tessera::rtl_model {

void Linger::leave(std::uint32_t priority, const SmSet& sms) {
  if (!is_there_ || (is_on_q_ && priority < priority_q_)) return;
  // What was left at this priority before is kept on.
  kept_q_ = priority == priority_q_ ? kept_q_ | sms : sms;
  priority_q_ = priority;
  is_on_q_ = start_d_ = true;
}

// A start of this cycle, or of the one before, has started the timer afresh.
void Linger::seq(bool is_over, bool is_policy_written) {
  if (is_policy_written || (is_over && !start_d_ && !start_q_)) is_on_q_ = false;
  start_q_ = start_d_;
  start_d_ = false;
}

}  // namespace tessera::rtl_model
