// SPDX-License-Identifier: Apache-2.0
// Memory channel: shares and ends of transfers.
#include "rtl_model/memory/memory_channel.h"

#include <algorithm>

#include "model/spec/gpu_spec.h"

namespace tessera::rtl_model {

namespace {

std::uint64_t bandwidth_of(const spec::GpuSpec& gpu) {
  const spec::GpuSwitchSpec& costs = gpu.framework.gpu_switch;
  return costs.model == spec::SaveModel::kMicrocode ? costs.microcode.bandwidth : gpu.memory_bandwidth_bytes_per_s;
}

}  // namespace

MemoryChannel::MemoryChannel(const sc_core::sc_module_name& name, spec::ChannelSharing sharing,
                             const spec::GpuSpec& gpu)
    : ClockedModule(name),
      is_fair_(sharing == spec::ChannelSharing::kFair),
      clock_hz_(gpu.clock_hz),
      bandwidth_(bandwidth_of(gpu)),
      num_sms_(gpu.num_sms),
      left_q_(std::size_t{2} * gpu.num_sms, 0) {}

// Rounded down to a whole number of units: a part in 10^11 of a byte a cycle at most.
Uint128 MemoryChannel::share() const { return is_fair_ ? Uint128{bandwidth_} / num_moving_q_ : Uint128{bandwidth_}; }

Cycle MemoryChannel::end_of(std::uint32_t port) const {
  if (!is_moving(port)) return kNever;
  return since_q_ + static_cast<Cycle>((left_q_[port] + share() - 1) / share());
}

void MemoryChannel::request(std::uint32_t port, const ChannelRequest& request, Cycle now) {
  requests_.push_back({port, request, now});
}

void MemoryChannel::seq() {
  if (requests_.empty()) return;
  // 1. What has been moved since the last change.
  const Cycle now = requests_.front().now;
  const Uint128 moved = num_moving_q_ > 0 ? share() * (now - since_q_) : 0;
  for (std::uint32_t kind = 0; kind < moving_q_.size(); ++kind) {
    moving_q_[kind].for_each([&](std::uint32_t sm) {
      Uint128& left = left_q_[kind * num_sms_ + sm];
      left -= std::min(left, moved);
    });
  }
  since_q_ = now;
  // 2. Transfers that end and start.
  for (const Request& request : requests_) {
    SmSet& moving = moving_q_[request.port / num_sms_];
    if (request.what.end) moving.clear(request.port % num_sms_);
    if (request.what.start) {
      moving.set(request.port % num_sms_);
      left_q_[request.port] = Uint128{request.what.bytes} * clock_hz_ * (is_fair_ ? 1 : num_sms_);
    }
    num_moving_q_ = num_moving_q_ + (request.what.start ? 1 : 0) - (request.what.end ? 1 : 0);
  }
  requests_.clear();
}

void MemoryChannel::list_signals(ISignalSink& signals) const {
  signals.enter("u_memory_channel");
  signals.signal("num_moving_q", 9, [this] { return num_moving_q_; });
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    signals.signal(indexed("moving_q", sm), 1, [this, sm] { return moving_q_[0].has(sm); });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
