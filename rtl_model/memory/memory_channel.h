// SPDX-License-Identifier: Apache-2.0
// The memory bandwidth that SMs share while they move contexts ([T14] 3.2). Arbitration: in every cycle each SM gets
// its share of the channel's bytes: 1/N_SM of them (`static`), or 1/n where n SMs are moving data (`fair`).
#pragma once

#include <array>
#include <vector>

#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "rtl_model/base/clocked_module.h"

namespace tessera::rtl_model {

// A port to the channel: outputs of its SM. Each SM has one for contexts, and one for the state of its loops.
struct ChannelRequest {
  bool start = false;  // a transfer of `bytes` starts; the port has none under way
  bool end = false;    // it is over
  std::uint64_t bytes = 0;
};

class MemoryChannel final : public ClockedModule {
 public:
  MemoryChannel(const sc_core::sc_module_name& name, spec::ChannelSharing sharing, const spec::GpuSpec& gpu);

  // Ports: SMs, then their loops'.
  std::uint32_t loop_port(std::uint32_t sm) const { return num_sms_ + sm; }

  // The cycle in which the transfer's last byte has been moved, if no other starts or ends; kNever without one.
  Cycle end_of(std::uint32_t port) const;
  // True when a start or an end moves the ends of others.
  bool is_coupled() const { return is_fair_; }
  SmSet moving() const { return moving_q_[0] | moving_q_[1]; }  // SMs, by either port

  void request(std::uint32_t port, const ChannelRequest& request, Cycle now);
  bool has_requests() const { return !requests_.empty(); }
  void seq() override;
  void list_signals(ISignalSink& signals) const override;

 private:
  struct Request {
    std::uint32_t port = 0;
    ChannelRequest what;
    Cycle now = 0;
  };
  Uint128 share() const;  // of each port that moves data, in a cycle
  bool is_moving(std::uint32_t port) const { return moving_q_[port / num_sms_].has(port % num_sms_); }

  // What is left is counted in bytes x clock_hz: a cycle of the whole channel moves `bandwidth` of these units.
  bool is_fair_;
  std::uint64_t clock_hz_;
  std::uint64_t bandwidth_;
  std::uint32_t num_sms_;
  std::array<SmSet, 2> moving_q_;  // SMs: contexts, loops
  std::uint32_t num_moving_q_ = 0;
  std::vector<Uint128> left_q_;  // by port, at the beginning of cycle since_q_
  Cycle since_q_ = 0;
  std::vector<Request> requests_;
};

}  // namespace tessera::rtl_model
