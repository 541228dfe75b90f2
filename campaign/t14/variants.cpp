// SPDX-License-Identifier: Apache-2.0
// Other keys, and other host phases where the bus is slow.
#include "campaign/t14/variants.h"

#include <fmt/format.h>

#include <string>

#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {
namespace {

// The applications at 2 GB/s, by their places in papers/t14.yaml. Turnarounds alone, in ms: lbm 690, histo 31,
// tpacf 30.3, spmv 3.2, mri-q 9.9, sad 401, sgemm 8.0, stencil 401, cutcp 30.1, mri-gridding 401 (Class 2: below 5, 30
// to 115, above 400).
std::vector<std::string> slow_bus() {
  constexpr const char* kNothing = "cpu.time_us=0.000001";
  const auto step = [](int process, const std::string& rest) {
    return fmt::format("workload.processes.{}.application.program.{}", process, rest);
  };
  const auto none = [&](int process, int number) { return step(process, fmt::format("{}.{}", number, kNothing)); };
  return {"gpu.pcie.num_lanes=8",
          // lbm, histo, spmv, mri-q: no page costs
          none(0, 7), none(1, 4), none(3, 11), none(4, 7),
          // histo: 32.6 MB of zeros at the memory's 208 GB/s
          step(1, "2.loop.body.3={cpu: {time_us: 157}}"),
          // tpacf, sad (page costs, but for what LONG asks for), stencil, cutcp, mri-gridding
          step(2, "0.cpu.time_us=15200"), step(5, "9.cpu.time_us=7000"), step(7, "0.cpu.time_us=110000"), none(7, 7),
          step(8, "5.cpu.time_us=28200"), none(8, 8), step(9, "31.cpu.time_us=214000"), none(9, 33), none(9, 35)};
}

}  // namespace

std::vector<Variant> variants() {
  return {
      {"limited-debt",
       {"t14-fig7", "t14-fig8"},
       kLimitedDebt,
       "an idle SM goes to a kernel without tokens left only across a gap of two, or to a lone kernel; tokens beyond "
       "equal shares are given out once",
       "[T14] 3.4 (docs/concepts/readings.md, DSS 10, 11)",
       {}},
      {"bit-a-lane",
       {"t14-fig5", "t14-fig6", "t14-fig7", "t14-fig8"},
       {"gpu.pcie.num_lanes=8"},
       "a lane carries a bit a clock, not a byte: 2 GB/s each way; host phases and page costs stay as they were chosen "
       "at 8 GB/s",
       "[T14] Table 2: 500 MHz, 32 lanes",
       {}},
      {"slower-bus-4",
       {"t14-fig5", "t14-fig6", "t14-fig7", "t14-fig8"},
       {"gpu.pcie.num_lanes=16"},
       "between the two readings of a lane: 4 GB/s, what such a bus moves in practice",
       "none: between two readings of [T14] Table 2",
       {"gpu.pcie.num_lanes"}},
      {"slow-bus",
       {"t14-fig5", "t14-fig6", "t14-fig7", "t14-fig8"},
       slow_bus(),
       "a bit a lane, 2 GB/s; what goes on inside cudaMemcpy is no CPU phase; host phases that were chosen for a class "
       "are as short as Class 2 allows; histo's zeros by memset. Eight of ten classes are kept, but not those of sgemm "
       "(8.0 ms) and mri-q (9.9), which are not SHORT",
       "[T14] Table 2, 4.1, Table 1's Class 2",
       {"tpacf, sad, stencil, cutcp, mri-gridding: a host phase each", "histo's memset"}},
      {"bursts",
       {"t14-fig5", "t14-fig6", "t14-fig7", "t14-fig8"},
       {"gpu.pcie.transfers=bursts"},
       "copies and messages share the link: a message waits for the end of a burst of 4 KB",
       "[T14] Table 2: burst 4 KB",
       {}}};
}

}  // namespace tessera::campaign::t14
