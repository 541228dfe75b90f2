// SPDX-License-Identifier: Apache-2.0
// The memory bandwidth that SMs share while they move contexts ([T14] 3.2). Arbitration: in every cycle each SM gets
// its share of the channel's bytes: 1/N_SM of them (`static`), or 1/n if n SMs are moving data (`fair`).
#pragma once

#include <array>
#include <vector>

#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "rtl_model/base/clocked_module.h"

namespace tessera::rtl_model {

// A port of the channel, driven by an SM. Each SM has one port for contexts and one for the state of its loops.
struct ChannelRequest {
  bool start = false;  // starts a transfer of `bytes`; the port must be idle
  bool end = false;    // ends the transfer
  std::uint64_t bytes = 0;
};

class MemoryChannel final : public ClockedModule {
 public:
  MemoryChannel(const sc_core::sc_module_name& name, spec::ChannelSharing sharing, const spec::GpuSpec& gpu);

  // Ports are numbered: SMs, then the loops of each SM.
  std::uint32_t loop_port(std::uint32_t sm) const { return num_sms_ + sm; }

  // The cycle in which the transfer's last byte has been moved if no other starts or ends; kNever without a transfer.
  Cycle end_of(std::uint32_t port) const;
  // True if a start or an end changes the ends of other transfers.
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
  Uint128 share() const;  // per cycle, of each port that moves data
  bool is_moving(std::uint32_t port) const { return moving_q_[port / num_sms_].has(port % num_sms_); }

  // Remaining data is counted in bytes x clock_hz: per cycle the whole channel moves `bandwidth` of these units.
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
