// SPDX-License-Identifier: Apache-2.0
// Launches of one name and shape that do two things: their times lie in groups far apart.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::importer {

// A gap between two times, sorted, parts them where it is a factor above this, and above that within each part.
inline constexpr double kModesApart = 7.4;

// The mode of each time, numbered from the shortest, 0. The largest gap decides; its two parts are looked at in the
// same way. Times of 0 are not measured: they are of mode 0.
std::vector<std::uint32_t> time_modes(const std::vector<double>& times);

// Groups of operations, each parted by the modes of its times; numbered by their first operation.
struct PartedGroups {
  std::vector<std::uint32_t> of_operation;
  std::vector<std::uint32_t> first;  // operation, by group
  std::uint64_t num_parted = 0;      // of the groups that there were
};
// `none`: the number of what is in no group. `times`, like `of_operation`, by operation.
PartedGroups part_groups(const std::vector<std::uint32_t>& of_operation, std::uint32_t none,
                         const std::vector<double>& times);

}  // namespace tessera::importer
