// SPDX-License-Identifier: Apache-2.0
// What it costs to hand the GPU from one context to another: `framework.gpu_switch` of a GPU.
// Internal to model/spec.
#pragma once

#include "model/spec/gpu_spec.h"
#include "model/spec/mapping_reader.h"

namespace tessera::spec {

inline constexpr Number kMemoryRate{1'000'000, 100'000'000'000'000, kRateDigits};  // 0.001 .. 100000 GB/s

GpuSwitchSpec read_gpu_switch(MappingReader reader);

}  // namespace tessera::spec
