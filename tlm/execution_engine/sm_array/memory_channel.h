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
  // A transfer of an SM starts; it has none in flight. Calls come in cycle order.
  virtual void start(SmId sm, std::uint64_t bytes, Cycle now) = 0;
  // Its transfer is over (now >= end_of(sm)).
  virtual void end(SmId sm, Cycle now) = 0;
  // When the transfer in flight ends if no other starts or ends; kNever without one.
  virtual Cycle end_of(SmId sm) const = 0;
  // True when a start or an end moves the ends of the other transfers.
  virtual bool is_coupled() const = 0;
};

// `num_movers`: those below gpu.num_sms are the SMs; others may stand for what SMs move besides.
std::unique_ptr<IMemoryChannel> make_memory_channel(spec::ChannelSharing sharing, const spec::GpuSpec& gpu,
                                                    std::uint32_t num_movers);

}  // namespace tessera::tlm_model
