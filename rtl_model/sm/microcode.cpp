// SPDX-License-Identifier: Apache-2.0
// Warps and KiB to cycles, in whole numbers.
#include "rtl_model/sm/microcode.h"

namespace tessera::rtl_model {
namespace {

constexpr std::uint32_t kThreadsPerWarp = 32;
constexpr std::uint64_t kBytesPerKib = 1024;

}  // namespace

// Shared memory is copied by the warps that are there: the fewer, the longer. All TBs of a launch are alike, so what
// each warp copies is what it would copy alone.
Cycle Microcode::cycles(std::uint32_t num_tbs, const Launch& launch, Picoseconds per_warp, Picoseconds per_kib) const {
  if (!is_there_ || num_tbs == 0) return 0;
  const std::uint64_t warps_per_tb = (launch.threads_per_tb + kThreadsPerWarp - 1) / kThreadsPerWarp;
  // The sum times `parts` is a whole number of picoseconds.
  const Uint128 parts = Uint128{kBytesPerKib} * warps_per_tb;
  const Uint128 of_warps = Uint128{per_warp} * num_tbs * warps_per_tb * parts;
  const Uint128 of_kib = Uint128{per_kib} * launch.smem_bytes_per_tb;
  const Uint128 per_cycle = parts * kPicosecondsPerSecond;
  return static_cast<Cycle>(((of_warps + of_kib) * clock_hz_ + per_cycle - 1) / per_cycle);
}

}  // namespace tessera::rtl_model
