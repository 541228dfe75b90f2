// SPDX-License-Identifier: Apache-2.0
// What saving and restoring thread blocks costs beside their bytes, where microcode does it on the SM's warps
// (docs/hardware/timing.md 7.6).
#pragma once

#include "model/base/time.h"
#include "model/spec/gpu_spec.h"
#include "rtl_model/launch_table.h"

namespace tessera::rtl_model {

class Microcode {
 public:
  explicit Microcode(const spec::GpuSpec& gpu)
      : is_there_(gpu.framework.gpu_switch.model == spec::SaveModel::kMicrocode),
        costs_(gpu.framework.gpu_switch.microcode),
        clock_hz_(gpu.clock_hz) {}

  bool is_there() const { return is_there_; }
  // SM cycles, of so many TBs of a launch that move at once.
  Cycle save_cycles(std::uint32_t num_tbs, const Launch& launch) const {
    return cycles(num_tbs, launch, costs_.save_per_warp, costs_.save_per_kib);
  }
  Cycle restore_cycles(std::uint32_t num_tbs, const Launch& launch) const {
    return cycles(num_tbs, launch, costs_.restore_per_warp, costs_.restore_per_kib);
  }

 private:
  Cycle cycles(std::uint32_t num_tbs, const Launch& launch, Picoseconds per_warp, Picoseconds per_kib) const;

  bool is_there_;
  spec::MicrocodeSpec costs_;
  std::uint64_t clock_hz_;
};

}  // namespace tessera::rtl_model
