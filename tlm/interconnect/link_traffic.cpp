// SPDX-License-Identifier: Apache-2.0
// Bursts are not events: where one ends follows from where they began.
#include "tlm/interconnect/link_traffic.h"

#include <algorithm>

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {

LinkTraffic::LinkTraffic(const spec::GpuSpec& gpu)
    : hertz_(gpu.clock_hz), bytes_per_second_(gpu.pcie.bytes_per_second()), burst_bytes_(gpu.pcie.burst_bytes) {}

Cycle LinkTraffic::cycles_of(std::uint64_t bytes) const { return mul_div_ceil(bytes, hertz_, bytes_per_second_); }

void LinkTraffic::copy_started(LinkDirection direction, std::uint64_t bytes, Cycle now) {
  lanes_[static_cast<std::size_t>(direction)] = {now, now + cycles_of(bytes), 0};
}

// Of the one that is on the link then; of the copy, whose last burst may be short.
Cycle LinkTraffic::end_of_burst(const Lane& lane, Cycle at) const {
  const std::uint64_t burst_hertz = burst_bytes_ * hertz_;
  const std::uint64_t bursts = mul_div_ceil(at - lane.copy_from, bytes_per_second_, burst_hertz);
  return std::min(lane.copy_until, lane.copy_from + mul_div_ceil(bursts, burst_hertz, bytes_per_second_));
}

Cycle LinkTraffic::send(LinkDirection direction, std::uint64_t bytes, Cycle at) {
  Lane& lane = lanes_[static_cast<std::size_t>(direction)];
  if (at < lane.copy_from || at >= lane.copy_until) return at;
  const Cycle between = end_of_burst(lane, at);
  if (between == lane.copy_until) return between;
  const Cycle takes = cycles_of(bytes);
  lane.copy_until += takes;
  lane.copy_delay += takes;
  return between;
}

}  // namespace tessera::tlm_model
