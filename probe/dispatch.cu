// SPDX-License-Identifier: Apache-2.0
// Experiment: how many thread blocks the dispatcher gives out in a us.
// Why: tb_issue_mhz of the GPU file; below it, kernels of short thread blocks do not fill the card. Unit: thread blocks
// a us. Check: sixteen times as many thread blocks are given out at the same rate, within 5 %.
#include <algorithm>
#include <cmath>

#include "common.h"
#include "kernels.h"

namespace probe {

Doubts measure_dispatch(const std::string& folder) {
  constexpr int kRepetitions = 6;
  const Card card = open_card();
  cudaEvent_t begin{}, end{};
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  const Rows rows(folder, "dispatch.csv",
                  "kind,threads,slots,block_us,grid,ms_best,ms_median,blocks_per_us,blocks_per_cycle,utilisation,mhz");
  Doubts doubts;
  for (const int threads : {32, 128, 512, 1024}) {
    double rate_before = 0;
    for (const int grid : {1 << 18, 1 << 22}) {
      std::vector<double> ms;
      for (int i = 0; i < kRepetitions; ++i) {
        float elapsed = 0;
        check(cudaEventRecord(begin, nullptr), "cudaEventRecord");
        launch(empty_kernel, grid, threads, 0, nullptr);
        check(cudaEventRecord(end, nullptr), "cudaEventRecord");
        check(cudaEventSynchronize(end), "empty_kernel");
        check(cudaEventElapsedTime(&elapsed, begin, end), "cudaEventElapsedTime");
        if (i > 0) ms.push_back(elapsed);
      }
      const double best = quantile(ms, 0), rate = grid / (best * 1e3);
      std::fprintf(rows.file(), "empty,%d,,0,%d,%.5f,%.5f,%.2f,%.4f,,%.0f\n", threads, grid, best, quantile(ms, 0.5),
                   rate, rate / card.mhz, card.mhz);
      if (rate_before > 0 && std::abs(rate / rate_before - 1) > 0.05) {
        doubts.push_back("the dispatcher's rate hangs on the number of thread blocks, at " + std::to_string(threads) +
                         " threads");
      }
      rate_before = rate;
    }
  }
  return doubts;
}

}  // namespace probe
