// SPDX-License-Identifier: Apache-2.0
// The largest total charge of a reserve's groups submitted within one period ([K11] 5: what a reserve bounds).
#pragma once

#include <cstdint>
#include <deque>

#include "model/base/time.h"

namespace tessera::record {

// Keeps only the groups of one period and those that are not done.
class ChargeWindow {
 public:
  explicit ChargeWindow(Cycle length) : length_(length) {}

  // Call in order of time.
  void submitted(std::uint64_t group, Cycle cycle) { pending_.push_back({group, cycle, 0, false}); }
  void done(std::uint64_t group, Cycle charged);
  // Groups that never ended do not count.
  void finish();

  // Valid after finish().
  std::uint64_t worst() const { return worst_; }

 private:
  struct Entry {
    std::uint64_t group = 0;
    Cycle cycle = 0;
    Cycle charged = 0;
    bool is_done = false;
  };
  void count(const Entry& entry);

  Cycle length_;
  std::deque<Entry> pending_;  // from the first group that is not done
  std::deque<Entry> window_;
  std::uint64_t sum_ = 0;  // of the window
  std::uint64_t worst_ = 0;
};

}  // namespace tessera::record
