// SPDX-License-Identifier: Apache-2.0
// The workloads that are measured: eight processes that share the GPU of [T14] Table 2, and preempt each other.
#pragma once

#include <cstdint>

#include "model/spec/spec_fwd.h"

namespace tessera::bench {

inline constexpr std::uint32_t kNumBatchProcesses = 7;

// An interactive process of high priority launches one kernel and waits; seven batch processes of low priority
// launch ten kernels in a row, between copies, and wait (ppq, context switch). All kernels have `tbs_per_kernel`
// TBs of 1.81 us (+- half of that), 16 on an SM. Ends with the run in which each batch process has launched its
// share of kernels: `total_tbs` TBs or somewhat more, beside those of the interactive one.
spec::Spec shared_machine(std::uint32_t tbs_per_kernel, std::uint64_t total_tbs);

// Processes that launch short kernels, each a command group, through the experiment's driver. Under TimeGraph they have
// all of its dispatch and reservations between them, and budgets that let somebody run most of the time; without it,
// the same programs pass through. Ends when each has launched its share of `num_groups`, rounded up to whole rows.
spec::Spec grouped_machine(std::uint32_t num_processes, std::uint64_t num_groups, bool has_timegraph);

// One kernel of `num_tbs` TBs that fills a machine of any size and is never disturbed.
spec::Spec one_kernel(std::uint32_t num_sms, std::uint32_t max_tbs_per_sm, std::uint32_t num_tbs);

}  // namespace tessera::bench
