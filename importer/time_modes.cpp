// SPDX-License-Identifier: Apache-2.0
// The largest gap of sorted times, and of each part again.
#include "importer/time_modes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::importer {
namespace {

using Sorted = std::vector<double>;

// Puts the index of the first time of each mode but the lowest into `firsts`, for those of [begin, end).
void part(const Sorted& times, std::size_t begin, std::size_t end, std::vector<std::size_t>& firsts) {
  if (end - begin < 2) return;
  std::size_t above = begin + 1;  // the largest gap is just below it
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (times[i] / times[i - 1] > times[above] / times[above - 1]) above = i;
  }
  const double gap = times[above] / times[above - 1];
  const double spread = std::max(times[above - 1] / times[begin], times[end - 1] / times[above]);
  if (gap <= kModesApart || spread >= gap) return;
  part(times, begin, above, firsts);
  firsts.push_back(above);
  part(times, above, end, firsts);
}

}  // namespace

std::vector<std::uint32_t> time_modes(const std::vector<double>& times) {
  std::vector<std::size_t> order;  // of those that are measured
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  Sorted sorted;
  for (const std::size_t i : order) sorted.push_back(times[i]);
  std::vector<std::size_t> firsts;
  part(sorted, 0, sorted.size(), firsts);
  std::vector<std::uint32_t> modes(times.size(), 0);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto above = std::upper_bound(firsts.begin(), firsts.end(), rank);
    modes[order[rank]] = static_cast<std::uint32_t>(above - firsts.begin());
  }
  return modes;
}

PartedGroups part_groups(const std::vector<std::uint32_t>& of_operation, std::uint32_t none,
                         const std::vector<double>& times) {
  // 1. The mode of each operation within its group.
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t i = 0; i < of_operation.size(); ++i) {
    if (of_operation[i] != none) members[of_operation[i]].push_back(i);
  }
  PartedGroups parted;
  std::vector<std::uint32_t> mode(of_operation.size(), 0);
  for (const auto& [group, operations] : members) {
    std::vector<double> own;
    for (const std::uint32_t i : operations) own.push_back(times[i]);
    const std::vector<std::uint32_t> modes = time_modes(own);
    for (std::size_t k = 0; k < operations.size(); ++k) mode[operations[k]] = modes[k];
    parted.num_parted += *std::max_element(modes.begin(), modes.end()) > 0 ? 1 : 0;
  }
  // 2. Group and mode are the new group.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index;
  parted.of_operation = of_operation;
  for (std::uint32_t i = 0; i < of_operation.size(); ++i) {
    if (of_operation[i] == none) continue;
    const auto [entry, is_new] =
        index.emplace(std::pair(of_operation[i], mode[i]), static_cast<std::uint32_t>(index.size()));
    if (is_new) parted.first.push_back(i);
    parted.of_operation[i] = entry->second;
  }
  return parted;
}

}  // namespace tessera::importer
