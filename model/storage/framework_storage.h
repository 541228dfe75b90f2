// SPDX-License-Identifier: Apache-2.0
// On-chip storage of the scheduling framework, counted bit by bit from the machine's parameters ([T14] 3.3;
// design.md section 4 has the widths).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/spec/spec.h"

namespace tessera::storage {

struct Field {
  std::string name;
  std::uint32_t bits = 0;
};

// `num_entries` entries of these fields, and what the structure has once.
struct Structure {
  std::string name;
  std::uint64_t num_entries = 0;
  std::vector<Field> entry;
  std::vector<Field> once;

  std::uint64_t bits() const;
  double bytes() const { return static_cast<double>(bits()) / 8; }
};

Structure command_buffers(const spec::GpuSpec& gpu);
Structure active_queue(const spec::GpuSpec& gpu);
Structure kernel_status_register_table(const spec::GpuSpec& gpu);
Structure sm_status_table(const spec::GpuSpec& gpu);
Structure preempted_tb_queues(const spec::GpuSpec& gpu);  // only where contexts are switched

}  // namespace tessera::storage
