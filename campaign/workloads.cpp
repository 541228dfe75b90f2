// SPDX-License-Identifier: Apache-2.0
// A block is a Latin rectangle, grown column by column.
#include "campaign/workloads.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "model/workload/tb_durations.h"

namespace tessera::campaign {
namespace {

using Permutation = std::vector<std::uint32_t>;

// The standard library's shuffle may differ between implementations; this one does not.
Permutation any_permutation(std::uint32_t size, std::mt19937_64& random) {
  Permutation permutation(size);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::uint32_t i = size; i > 1; --i) std::swap(permutation[i - 1], permutation[random() % i]);
  return permutation;
}

bool repeats(const std::vector<Workload>& block, const Permutation& column) {
  for (std::size_t row = 0; row < block.size(); ++row) {
    const Permutation& taken = block[row].applications;
    if (std::find(taken.begin(), taken.end(), column[row]) != taken.end()) return true;
  }
  return false;
}

// Columns that repeat an application in a row are drawn again. A Latin rectangle can always be continued; with ten
// applications the eighth column takes some ten thousand draws, a few milliseconds.
std::vector<Workload> make_block(std::uint32_t num_applications, std::uint32_t num_processes, std::uint64_t key) {
  std::mt19937_64 random(key);
  std::vector<Workload> block(num_applications);
  for (std::uint32_t place = 0; place < num_processes; ++place) {
    Permutation column = any_permutation(num_applications, random);
    while (repeats(block, column)) column = any_permutation(num_applications, random);
    for (std::size_t row = 0; row < block.size(); ++row) block[row].applications.push_back(column[row]);
  }
  return block;
}

std::uint64_t key_of(std::uint64_t seed, std::uint32_t num_processes, std::uint64_t number) {
  return workload::mix64(workload::mix64(workload::mix64(seed) + num_processes) + number);
}

}  // namespace

std::vector<Workload> make_workloads(std::uint32_t num_applications, std::uint32_t num_processes, std::uint32_t count,
                                     std::uint64_t seed, std::uint32_t first) {
  if (num_processes > num_applications) throw std::invalid_argument("workloads: more processes than applications");
  std::vector<Workload> workloads;
  std::uint32_t to_skip = first % num_applications;
  for (std::uint64_t number = first / num_applications; workloads.size() < count; ++number) {
    const std::uint64_t first_is_held_out = key_of(seed + 1, num_processes, number / 2) & 1U;
    for (Workload& workload : make_block(num_applications, num_processes, key_of(seed, num_processes, number))) {
      workload.is_held_out = number % 2 != first_is_held_out;
      if (to_skip > 0) {
        --to_skip;
      } else if (workloads.size() < count) {
        workloads.push_back(std::move(workload));
      }
    }
  }
  return workloads;
}

std::vector<Workload> all_pairs(std::uint32_t num_applications) {
  std::vector<Workload> workloads;
  for (std::uint32_t distance = 1; distance < num_applications; ++distance) {
    const bool is_held_out = std::min(distance, num_applications - distance) % 2 == 0;
    for (std::uint32_t first = 0; first < num_applications; ++first) {
      workloads.push_back({{first, (first + distance) % num_applications}, is_held_out});
    }
  }
  return workloads;
}

void draw_starts(std::vector<Workload>& workloads, Picoseconds span, std::uint64_t seed) {
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    std::mt19937_64 random(key_of(seed, static_cast<std::uint32_t>(workloads[i].applications.size()), i));
    for (std::size_t place = 0; place < workloads[i].applications.size(); ++place) {
      workloads[i].starts.push_back(static_cast<Picoseconds>(random() % static_cast<std::uint64_t>(span)));
    }
  }
}

}  // namespace tessera::campaign
