// SPDX-License-Identifier: Apache-2.0
// Bursts are not events: where one ends follows from where they began.
#include "tlm/interconnect/link_traffic.h"

#include <algorithm>

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {

LinkTraffic::LinkTraffic(const spec::GpuSpec& gpu)
    : hertz_(gpu.clock_hz), bytes_per_second_(gpu.pcie.bytes_per_second()), burst_bytes_(gpu.pcie.burst_bytes) {}

Cycle LinkTraffic::cycles_of(std::uint64_t bytes) const { return mul_div_ceil(bytes, hertz_, bytes_per_second_); }

Cycle LinkTraffic::copy_started(LinkDirection direction, std::uint64_t bytes, Cycle now) {
  Lane& lane = lanes_[static_cast<std::size_t>(direction)];
  lane.bursts_from = std::max(now, lane.messages_until);
  lane.copy_until = lane.bursts_from + cycles_of(bytes);
  return lane.bursts_from;
}

// The end of the burst that is on the link then, or of the copy.
Cycle LinkTraffic::between_bursts(const Lane& lane, Cycle at) const {
  const std::uint64_t burst_hertz = burst_bytes_ * hertz_;
  const std::uint64_t bursts = mul_div_ceil(at - lane.bursts_from, bytes_per_second_, burst_hertz);
  return std::min(lane.copy_until, lane.bursts_from + mul_div_ceil(bursts, burst_hertz, bytes_per_second_));
}

Cycle LinkTraffic::send(LinkDirection direction, std::uint64_t bytes, Cycle now) {
  Lane& lane = lanes_[static_cast<std::size_t>(direction)];
  const Cycle takes = std::max<Cycle>(1, cycles_of(bytes));
  Cycle at = std::max(now, lane.messages_until);
  if (lane.bursts_from <= at && at < lane.copy_until) {
    at = between_bursts(lane, at);
    if (at < lane.copy_until) {
      lane.bursts_from = at + takes;
      lane.copy_until += takes;
      on_copy_delayed(direction, takes);
    }
  }
  lane.messages_until = at + takes;
  return at;
}

}  // namespace tessera::tlm_model
