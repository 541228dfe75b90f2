// SPDX-License-Identifier: Apache-2.0
// The memory bandwidth that SMs share while they move contexts ([T14] 3.2, 4.1). One transfer
// per SM at a time; whole cycles, exact integers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

class IMemoryChannel {
 public:
  virtual ~IMemoryChannel() = default;
  // Starts a transfer of an SM that has none in flight. Calls must be in cycle order.
  virtual void start(SmId sm, std::uint64_t bytes, Cycle now) = 0;
  // Ends its transfer (now >= end_of(sm)).
  virtual void end(SmId sm, Cycle now) = 0;
  // End of the transfer in flight if no other starts or ends; kNever: none is in flight.
  virtual Cycle end_of(SmId sm) const = 0;
  // True if a start or an end changes the ends of other transfers.
  virtual bool is_coupled() const = 0;
};

// Static or fair. `num_movers`: movers below gpu.num_sms are the SMs; the others are for additional transfers of SMs
// (loop state).
std::unique_ptr<IMemoryChannel> make_memory_channel(spec::ChannelSharing sharing, const spec::GpuSpec& gpu,
                                                    std::uint32_t num_movers);

}  // namespace tessera::tlm_model
