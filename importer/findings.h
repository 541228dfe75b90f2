// SPDX-License-Identifier: Apache-2.0
// What an import found that nobody has to act on: occupancies that differ, waits that nothing explains.
#pragma once

#include "importer/gpu_choice.h"
#include "importer/import.h"
#include "importer/kernel_groups.h"

namespace tessera::importer {

// Of kernels for which the profile prints an occupancy.
void compare_occupancy(const spec::GpuSpec& gpu, const KernelGroups& groups, ImportedApplication& application);
// The longest first, some of them; and the sum of all.
void list_gaps(const Profile& profile, const Workload& workload, ImportedApplication& application);

}  // namespace tessera::importer
