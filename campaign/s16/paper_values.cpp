// SPDX-License-Identifier: Apache-2.0
// The numbers of sections 4.2 to 4.4.
#include "campaign/s16/paper_values.h"

#include "campaign/printed.h"

namespace tessera::campaign::s16 {
namespace {

// At a constraint in us.
constexpr Printed kPrinted[] = {
    // 4.2: violations, per cent; 4.3 gives b+tree's reduction, in points
    {"s16-fig4_1", "average", "chimera", 2, 14.0},
    {"s16-fig4_1", "average", "dual_kernel", 2, 8.4},
    {"s16-fig4_1", "average", "oracle", 2, 6.9},
    {"s16-fig4_1", "b+tree", "reduction", 2, 23.1},
    // 4.2: error of the estimated draining latency, in points less than Chimera's, over three benchmarks
    {"s16-fig4_2", "average", "reduction", 2, 15.6},
    // 4.3: normalised throughput overhead, per cent less (relative: 67 to 50.1) and, in b+tree, more
    {"s16-fig4_3", "average", "reduction", 2, 25.3},
    {"s16-fig4_3", "b+tree", "increase", 2, 12.5},
    // 4.3: resource utilisation while SMs are preempted, over Chimera's
    {"s16-fig4_4", "average", "ratio", 2, 2.93},
    // 4.4: violations and normalised throughput overhead, per cent
    {"s16-fig4_5a", "average", "chimera", 2, 14.03},
    {"s16-fig4_5a", "average", "chimera", 3, 7.95},
    {"s16-fig4_5a", "average", "chimera", 4, 1.93},
    {"s16-fig4_5a", "average", "chimera", 5, 1.28},
    {"s16-fig4_5a", "average", "dual_kernel", 2, 8.36},
    {"s16-fig4_5a", "average", "dual_kernel", 3, 1.30},
    {"s16-fig4_5a", "average", "dual_kernel", 4, 0},
    {"s16-fig4_5a", "average", "dual_kernel", 5, 0},
    {"s16-fig4_5b", "average", "chimera", 2, 67},
    {"s16-fig4_5b", "average", "chimera", 3, 55.3},
    {"s16-fig4_5b", "average", "chimera", 4, 50.1},
    {"s16-fig4_5b", "average", "chimera", 5, 40.5},
    {"s16-fig4_5b", "average", "dual_kernel", 2, 50.1},
    {"s16-fig4_5b", "average", "dual_kernel", 3, 38.2},
    {"s16-fig4_5b", "average", "dual_kernel", 4, 26.6},
    {"s16-fig4_5b", "average", "dual_kernel", 5, 15.9},
};

}  // namespace

std::optional<double> printed(std::string_view figure, std::string_view panel, std::string_view series,
                              std::uint32_t constraint_us) {
  return value_in(kPrinted, figure, panel, series, constraint_us);
}

}  // namespace tessera::campaign::s16
