// SPDX-License-Identifier: Apache-2.0
// The numbers of sections 4.2 to 4.4.
#include "campaign/t14/paper_values.h"

#include "campaign/printed.h"

namespace tessera::campaign::t14 {
namespace {

// At a number of processes.
constexpr Printed kPrinted[] = {
    // 4.2: NTT of the high-priority process under FCFS over that under the scheme
    {"t14-fig5", "average", "npq", 2, 1.0},
    {"t14-fig5", "average", "npq", 4, 1.1},
    {"t14-fig5", "average", "npq", 8, 1.6},
    {"t14-fig5", "average", "ppq_context_switch", 2, 2.0},
    {"t14-fig5", "average", "ppq_context_switch", 8, 15.6},
    {"t14-fig5", "average", "ppq_drain", 2, 1.6},
    {"t14-fig5", "average", "ppq_drain", 8, 6.0},
    {"t14-fig5", "short", "ppq_context_switch", 2, 5.1},
    {"t14-fig5", "short", "ppq_context_switch", 8, 63.7},
    {"t14-fig5", "short", "ppq_drain", 2, 2.84},
    {"t14-fig5", "short", "ppq_drain", 8, 16.2},
    {"t14-fig5", "medium", "ppq_context_switch", 2, 1.06},
    {"t14-fig5", "medium", "ppq_context_switch", 8, 4.6},
    {"t14-fig5", "medium", "ppq_drain", 2, 1.33},
    {"t14-fig5", "medium", "ppq_drain", 8, 4.5},
    {"t14-fig5", "long", "ppq_context_switch", 2, 1.26},
    {"t14-fig5", "long", "ppq_context_switch", 8, 1.76},
    {"t14-fig5", "long", "ppq_drain", 8, 1.54},
    // 4.3: STP under NPQ over that under the scheme
    {"t14-fig6", "exclusive", "ppq_context_switch", 2, 1.08},
    {"t14-fig6", "exclusive", "ppq_context_switch", 8, 1.12},
    {"t14-fig6", "exclusive", "ppq_drain", 2, 1.09},
    {"t14-fig6", "exclusive", "ppq_drain", 8, 1.38},
    // 4.4: NTT under FCFS over that under DSS
    {"t14-fig7", "average", "dss_context_switch", 2, 1.5},
    {"t14-fig7", "average", "dss_context_switch", 8, 2.0},
    {"t14-fig7", "average", "dss_drain", 2, 1.4},
    {"t14-fig7", "average", "dss_drain", 8, 1.65},
    {"t14-fig7", "short", "dss_context_switch", 2, 2.45},
    {"t14-fig7", "short", "dss_context_switch", 8, 4.0},
    {"t14-fig7", "short", "dss_drain", 2, 2.2},
    {"t14-fig7", "short", "dss_drain", 8, 3.7},
    {"t14-fig7", "medium", "dss_context_switch", 2, 1.3},
    {"t14-fig7", "medium", "dss_context_switch", 8, 1.7},
    {"t14-fig7", "medium", "dss_drain", 2, 1.2},
    {"t14-fig7", "medium", "dss_drain", 8, 1.4},
    {"t14-fig7", "long", "dss_context_switch", 2, 0.9},
    {"t14-fig7", "long", "dss_context_switch", 8, 0.55},
    {"t14-fig7", "long", "dss_drain", 2, 0.9},
    {"t14-fig7", "long", "dss_drain", 8, 0.55},
    // 4.4: fairness under DSS over that under FCFS, and STP under FCFS over that under DSS
    {"t14-fig7", "fairness", "dss_context_switch", 2, 1.1},
    {"t14-fig7", "fairness", "dss_context_switch", 8, 3.35},
    {"t14-fig7", "fairness", "dss_drain", 2, 1.05},
    {"t14-fig7", "fairness", "dss_drain", 8, 2.7},
    {"t14-fig7", "throughput", "dss_context_switch", 2, 1.06},
    {"t14-fig7", "throughput", "dss_context_switch", 8, 1.34},
    {"t14-fig7", "throughput", "dss_drain", 2, 1.08},
    {"t14-fig7", "throughput", "dss_drain", 8, 1.5},
    // 4.4: share of the workloads whose ANTT is significantly better; the text gives one number for both techniques
    {"t14-fig8", "improved", "dss_context_switch", 2, 0.20},
    {"t14-fig8", "improved", "dss_context_switch", 4, 0.70},
    {"t14-fig8", "improved", "dss_drain", 2, 0.20},
    {"t14-fig8", "improved", "dss_drain", 4, 0.70},
};

}  // namespace

std::optional<double> printed(std::string_view figure, std::string_view panel, std::string_view series,
                              std::uint32_t num_processes) {
  return value_in(kPrinted, figure, panel, series, num_processes);
}

}  // namespace tessera::campaign::t14
