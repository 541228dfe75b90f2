// SPDX-License-Identifier: Apache-2.0
// What groups of one reserve were charged, in every window of time.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "model/base/time.h"

namespace tessera::command_scheduling::test {

// Every window from a submission to another, of groups with `submitted` and `charged`, in order of the former;
// ceil(W / T) periods may begin in W. `is_within` is asked with the sum of charges and that number.
template <typename Group, typename IsWithin>
void expect_in_all_windows(const std::vector<Group>& groups, Cycle period, const IsWithin& is_within) {
  for (std::size_t first = 0; first < groups.size(); ++first) {
    Cycle sum = 0;
    for (std::size_t last = first; last < groups.size(); ++last) {
      sum += groups[last].charged;
      const Cycle window = groups[last].submitted - groups[first].submitted + 1;
      ASSERT_TRUE(is_within(sum, (window + period - 1) / period)) << sum << " in " << window;
    }
  }
}

}  // namespace tessera::command_scheduling::test
