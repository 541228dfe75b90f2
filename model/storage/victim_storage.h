// SPDX-License-Identifier: Apache-2.0
// What victim selection keeps for dual-kernel SMs, field by field: as [S16] Table 3.1 lays it out, and leaner.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::storage {

// What the widths follow from.
struct VictimSizes {
  std::uint32_t num_sms;
  std::uint32_t max_tbs_per_sm;
  std::uint32_t max_threads_per_sm;
  std::uint32_t registers_per_sm;
  std::uint32_t shared_memory_bytes;

  // [S16] 3.4.5: the largest of "current generation GPUs" (Kepler), but for the number of SMs, which is the GTX 480's.
  static VictimSizes printed() { return {15, 16, 2048, 65536, 49152}; }
  static VictimSizes of(const spec::GpuSpec& gpu);
};

struct VictimField {
  const char* component;
  const char* contents;
  std::uint32_t bits;
  std::uint64_t count;
  bool is_shared;  // once in the GPU, and not once an SM
  const char* why;

  double bytes() const { return static_cast<double>(bits * count) / 8; }
};

// Table 3.1, in its order and its words.
std::vector<VictimField> printed_layout(const VictimSizes& sizes);

// The same contents, where nothing is stored that follows from something else.
std::vector<VictimField> lean_layout(const spec::GpuSpec& gpu);

double per_sm_bytes(const std::vector<VictimField>& fields);
double shared_bytes(const std::vector<VictimField>& fields);

// Registers and the largest shared memory: what [S16] calls the capacity of an SM.
double sm_capacity_bytes(const spec::GpuSpec& gpu);

}  // namespace tessera::storage
