// SPDX-License-Identifier: Apache-2.0
// Charges are known when a group is done, windows go by submission: groups enter in the order of the latter.
#include "model/record/driver/charge_window.h"

#include <algorithm>

namespace tessera::record {

void ChargeWindow::done(std::uint64_t group, Cycle charged) {
  const auto entry =
      std::find_if(pending_.begin(), pending_.end(), [group](const Entry& each) { return each.group == group; });
  if (entry == pending_.end()) return;
  entry->charged = charged;
  entry->is_done = true;
  for (; !pending_.empty() && pending_.front().is_done; pending_.pop_front()) count(pending_.front());
}

void ChargeWindow::finish() {
  for (const Entry& entry : pending_) {
    if (entry.is_done) count(entry);
  }
  pending_.clear();
}

void ChargeWindow::count(const Entry& entry) {
  window_.push_back(entry);
  sum_ += entry.charged;
  for (; entry.cycle - window_.front().cycle >= length_; window_.pop_front()) sum_ -= window_.front().charged;
  worst_ = std::max(worst_, sum_);
}

}  // namespace tessera::record
