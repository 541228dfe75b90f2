// SPDX-License-Identifier: Apache-2.0
// Storage of victim selection for dual-kernel SMs, field by field: as in [S16] Table 3.1, and a leaner layout.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::storage {

// Sizes that determine the widths.
struct VictimSizes {
  std::uint32_t num_sms;
  std::uint32_t max_tbs_per_sm;
  std::uint32_t max_threads_per_sm;
  std::uint32_t registers_per_sm;
  std::uint32_t shared_memory_bytes;

  // [S16] 3.4.5: the largest of "current generation GPUs" (Kepler), except the number of SMs, which is the GTX 480's.
  static VictimSizes printed() { return {15, 16, 2048, 65536, 49152}; }
  static VictimSizes of(const spec::GpuSpec& gpu);
};

struct VictimField {
  const char* component;
  const char* contents;
  std::uint32_t bits;
  std::uint64_t count;
  bool is_shared;  // once per GPU instead of once per SM
  const char* why;

  double bytes() const { return static_cast<double>(bits * count) / 8; }
};

// Table 3.1, in its order and wording.
std::vector<VictimField> printed_layout(const VictimSizes& sizes);

// The same contents without anything that can be derived.
std::vector<VictimField> lean_layout(const spec::GpuSpec& gpu);

double per_sm_bytes(const std::vector<VictimField>& fields);
double shared_bytes(const std::vector<VictimField>& fields);

// Registers plus the largest shared memory: the capacity of an SM in [S16].
double sm_capacity_bytes(const spec::GpuSpec& gpu);

}  // namespace tessera::storage
