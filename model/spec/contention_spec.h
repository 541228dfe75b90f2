// SPDX-License-Identifier: Apache-2.0
// How kernels that run side by side slow each other down ([Z21] 4.2, 7.1; docs/concepts/partitions.md, Contention).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/realtime/task_set.h"

namespace tessera::spec {

// The resource that a kernel uses most: kernels of the same kind contend.
using KernelKind = realtime::TaskKind;

// co_running: a thread block takes longer if it is issued while a kernel of another process, of the same kind, holds an
// SM of the domain.
enum class ContentionModel { kNone, kCoRunning };
enum class ContentionDomain { kPartition, kGpu };  // kPartition without partitions: the whole GPU

struct ContentionSpec {
  ContentionModel model = ContentionModel::kNone;
  ContentionDomain domain = ContentionDomain::kPartition;
  std::array<std::uint32_t, realtime::kNumKinds> factor_ppm{1'200'000, 2'300'000};  // by kind; 1'000'000 or more

  bool is_on() const { return model != ContentionModel::kNone; }
  std::uint32_t factor_ppm_of(KernelKind kind) const { return factor_ppm[static_cast<std::size_t>(kind)]; }
};

}  // namespace tessera::spec
