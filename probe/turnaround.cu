// SPDX-License-Identifier: Apache-2.0
// Experiment: from a thread block's last instruction to its successor's first, where an SM holds one at a time.
// Why: tb_issue_cycles of the GPU file. Unit: cycles of the SM. Check: the middle half of the samples spreads by less
// than a third of the median.
#include <algorithm>

#include "common.h"
#include "kernels.h"

namespace probe {

Doubts measure_turnaround(const std::string& folder) {
  constexpr int kPerSm = 60;
  const Card card = open_card();
  allow_all_shared_memory(reinterpret_cast<const void*>(spin_kernel));
  const int grid = card.num_sms() * kPerSm;
  // More than half of an SM's shared memory: one at a time.
  const std::size_t smem = card.properties.sharedMemPerMultiprocessor / 2 + 2048;
  Stay* stays = device_array<Stay>(static_cast<std::size_t>(grid));
  const Rows rows(folder, "turnaround.csv", "threads,smem_kib,samples,min,p10,p50,p90,p99,max");
  Doubts doubts;
  for (const int threads : {32, 128, 512, 1024}) {
    launch(spin_kernel, grid, threads, smem, nullptr, card.cycles(3), stays);
    check(cudaDeviceSynchronize(), "spin_kernel");
    std::vector<Stay> seen = copied(stays, static_cast<std::size_t>(grid));
    std::sort(seen.begin(), seen.end(),
              [](const Stay& a, const Stay& b) { return a.sm != b.sm ? a.sm < b.sm : a.begin_cycle < b.begin_cycle; });
    std::vector<double> gaps;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      if (seen[i].sm != seen[i - 1].sm) continue;
      gaps.push_back(static_cast<double>(seen[i].begin_cycle) - static_cast<double>(seen[i - 1].end_cycle));
    }
    std::fprintf(rows.file(), "%d,%zu,%zu,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", threads, smem / 1024, gaps.size(),
                 quantile(gaps, 0), quantile(gaps, 0.1), quantile(gaps, 0.5), quantile(gaps, 0.9), quantile(gaps, 0.99),
                 quantile(gaps, 1));
    if (quantile(gaps, 0.75) - quantile(gaps, 0.25) > quantile(gaps, 0.5) / 3) {
      doubts.push_back("turnarounds of " + std::to_string(threads) + " threads spread widely");
    }
  }
  check(cudaFree(stays), "cudaFree");
  return doubts;
}

}  // namespace probe
