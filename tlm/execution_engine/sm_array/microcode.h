// SPDX-License-Identifier: Apache-2.0
// Time that microcode takes to save or restore thread blocks beside the move of their bytes
// (docs/hardware/timing.md 7.6).
#pragma once

#include "model/base/time.h"
#include "model/spec/gpu_spec.h"
#include "tlm/execution_engine/sm_array/sm.h"

namespace tessera::tlm_model {

class Microcode {
 public:
  explicit Microcode(const spec::GpuSpec& gpu) : gpu_(gpu) {}

  bool is_on() const { return gpu_.framework.gpu_switch.model == spec::SaveModel::kMicrocode; }
  // Whole SM cycles. Each warp copies its part of the shared memory. Requires a warp.
  Cycle cycles(const ContextMove& move) const {
    const spec::MicrocodeSpec& costs = gpu_.framework.gpu_switch.microcode;
    const Picoseconds per_warp = move.is_save ? costs.save_per_warp : costs.restore_per_warp;
    const Picoseconds per_kib = move.is_save ? costs.save_per_kib : costs.restore_per_kib;
    const Uint128 parts = Uint128{move.warps} * kBytesPerKib;  // into which a picosecond is divided
    const Uint128 time = Uint128{per_warp} * move.warps * parts + Uint128{per_kib} * move.shared_memory_bytes;
    const Uint128 second = parts * kPicosecondsPerSecond;
    return static_cast<Cycle>((time * gpu_.clock_hz + second - 1) / second);
  }

 private:
  static constexpr std::uint64_t kBytesPerKib = 1024;
  const spec::GpuSpec& gpu_;
};

}  // namespace tessera::tlm_model
