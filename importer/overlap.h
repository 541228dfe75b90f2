// SPDX-License-Identifier: Apache-2.0
// Work that ran beside other work when it was recorded.
#pragma once

#include <cstdint>
#include <vector>

#include "importer/workload.h"

namespace tessera::importer {

// By operation, whether a kernel of another stream ran meanwhile. `of_operation` as in KernelGroups: kNoGroup is none.
std::vector<bool> kernels_beside_others(const Profile& profile, const Workload& workload,
                                        const std::vector<std::uint32_t>& of_operation);

}  // namespace tessera::importer
