// SPDX-License-Identifier: Apache-2.0
// Variation between launches of a kernel: one factor for the times of all thread blocks of a launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "model/base/time.h"
#include "model/workload/draws.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

// The factor of launch `ordinal` of the `count` launches that a kernel has in a run, in parts per million. Each of
// `count` values, evenly spaced between 1 - spread and 1 + spread, goes to one launch, so that their mean is exactly 1,
// however few there are. The assignment depends only on `key` (launch_key of the run's first launch).
inline std::uint64_t spread_factor_ppm(std::uint32_t spread_ppm, std::uint64_t key, std::uint64_t ordinal,
                                       std::uint64_t count) {
  if (spread_ppm == 0 || count < 2) return kMillion;
  // A step of about the golden ratio of `count` visits all values, with successive ones far apart.
  std::uint64_t step = std::max<std::uint64_t>(1, mul_div_round(count, 618'034, kMillion));
  while (std::gcd(step, count) != 1) ++step;
  const auto place = static_cast<std::uint64_t>((Uint128{step} * ordinal + mix64(key)) % count);
  // 2 place + 1 - count lies between -(count - 1) and count - 1.
  return kMillion - spread_ppm + mul_div_round(2 * place + 1, spread_ppm, count);
}

// TB times of a launch with this factor.
inline TbTime scaled(TbTime time, std::uint64_t factor_ppm) {
  if (factor_ppm == kMillion || time.mean >= kNever) return time;
  const Cycle mean = std::clamp<Cycle>(mul_div_round(time.mean, factor_ppm, kMillion), 1, kNever / 4);
  return {mean, std::min(mul_div_round(time.half_spread, factor_ppm, kMillion), mean - 1)};
}

}  // namespace tessera::workload
