// SPDX-License-Identifier: Apache-2.0
// Static and fair sharing of the memory bandwidth.
#include "tlm/execution_engine/sm_array/memory_channel.h"

#include <stdexcept>

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {
namespace {

// At which contexts move; microcode has its own.
std::uint64_t bandwidth_of(const spec::GpuSpec& gpu) {
  const spec::GpuSwitchSpec& gpu_switch = gpu.framework.gpu_switch;
  return gpu_switch.model == spec::SaveModel::kMicrocode ? gpu_switch.microcode.bandwidth
                                                         : gpu.memory_bandwidth_bytes_per_s;
}

// Each SM owns 1/N_SM of the bandwidth, used or not: the papers' assumption.
class StaticChannel final : public IMemoryChannel {
 public:
  StaticChannel(const spec::GpuSpec& gpu, std::uint32_t num_movers)
      : gpu_(gpu), bandwidth_(bandwidth_of(gpu)), end_(num_movers, kNever) {}

  void start(SmId sm, std::uint64_t bytes, Cycle now) override {
    end_[index(sm)] = now + mul_div_ceil(bytes * gpu_.num_sms, gpu_.clock_hz, bandwidth_);
  }
  void end(SmId sm, Cycle) override { end_[index(sm)] = kNever; }
  Cycle end_of(SmId sm) const override { return end_[index(sm)]; }
  bool is_coupled() const override { return false; }

 private:
  const spec::GpuSpec& gpu_;
  std::uint64_t bandwidth_;
  std::vector<Cycle> end_;
};

// The SMs that are moving data share the bandwidth equally. What is left of a transfer is counted in
// bytes * clock_hz, so that one cycle of the whole channel moves as many of these as it moves bytes in a second.
class FairChannel final : public IMemoryChannel {
 public:
  FairChannel(const spec::GpuSpec& gpu, std::uint32_t num_movers)
      : clock_hz_(gpu.clock_hz), bandwidth_(bandwidth_of(gpu)), left_(num_movers, 0), is_moving_(num_movers, false) {}

  void start(SmId sm, std::uint64_t bytes, Cycle now) override {
    advance(now);
    left_[index(sm)] = Uint128{bytes} * clock_hz_;
    is_moving_[index(sm)] = true;
    ++num_moving_;
  }

  void end(SmId sm, Cycle now) override {
    advance(now);
    is_moving_[index(sm)] = false;
    --num_moving_;
  }

  Cycle end_of(SmId sm) const override {
    if (!is_moving_[index(sm)]) return kNever;
    return since_ + static_cast<Cycle>((left_[index(sm)] * num_moving_ + bandwidth_ - 1) / bandwidth_);
  }

  bool is_coupled() const override { return true; }

 private:
  void advance(Cycle now) {
    if (num_moving_ > 0) {
      const Uint128 moved = Uint128{now - since_} * bandwidth_ / num_moving_;
      for (std::size_t i = 0; i < left_.size(); ++i) {
        if (is_moving_[i]) left_[i] -= moved < left_[i] ? moved : left_[i];
      }
    }
    since_ = now;
  }

  std::uint64_t clock_hz_;
  Uint128 bandwidth_;
  std::vector<Uint128> left_;
  std::vector<bool> is_moving_;
  std::uint32_t num_moving_ = 0;
  Cycle since_ = 0;  // `left_` holds for this cycle
};

}  // namespace

std::unique_ptr<IMemoryChannel> make_memory_channel(spec::ChannelSharing sharing, const spec::GpuSpec& gpu,
                                                    std::uint32_t num_movers) {
  switch (sharing) {
    case spec::ChannelSharing::kStatic:
      return std::make_unique<StaticChannel>(gpu, num_movers);
    case spec::ChannelSharing::kFair:
      return std::make_unique<FairChannel>(gpu, num_movers);
    case spec::ChannelSharing::kLoadedLatency:
      break;  // a channel of LoadedMemory
  }
  throw std::invalid_argument("unknown memory channel sharing");
}

}  // namespace tessera::tlm_model
