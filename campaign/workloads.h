// SPDX-License-Identifier: Apache-2.0
// Random multiprogrammed workloads, stratified: every application equally often in every role ([T14] 4.1, 4.2).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace tessera::campaign {

struct Workload {
  std::vector<std::uint32_t> applications;  // one a process, all different; the first is the high-priority one
  bool is_held_out = false;                 // not looked at while assumptions are chosen
  std::vector<Picoseconds> starts = {};     // of the processes; empty: together
};

// `count` of an endless list, from `first` on, that depends on nothing but the other arguments. Workloads come in
// blocks of `num_applications`: within a block each application stands once in each place. Of two successive blocks one
// is held out, by chance. `num_processes` is at most `num_applications`.
std::vector<Workload> make_workloads(std::uint32_t num_applications, std::uint32_t num_processes, std::uint32_t count,
                                     std::uint64_t seed, std::uint32_t first = 0);

// Every two applications in both orders, in blocks as above. Some of the blocks are held out, both orders of a pair
// alike; no seed changes anything.
std::vector<Workload> all_pairs(std::uint32_t num_applications);

// Each process of each workload starts by itself, evenly distributed in `span`.
void draw_starts(std::vector<Workload>& workloads, Picoseconds span, std::uint64_t seed);

}  // namespace tessera::campaign
