// SPDX-License-Identifier: Apache-2.0
// Who waits for whom on the PCI Express link where copies move in bursts ([T14] Table 2; `pcie.transfers: bursts`):
// each direction carries one thing at a time, and a message goes between two bursts of a copy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

// What messages carry, in bytes: a request for a read, a register or a fence.
inline constexpr std::uint64_t kRequestBytes = 16;
inline constexpr std::uint64_t kWordBytes = 8;

enum class LinkDirection : std::uint8_t { kToGpu, kToHost };

class LinkTraffic {
 public:
  explicit LinkTraffic(const spec::GpuSpec& gpu);

  // A copy is put on the link in `now`, behind messages that are there: the cycle from which it moves. The direction
  // has no other.
  Cycle copy_started(LinkDirection direction, std::uint64_t bytes, Cycle now);

  // A message is to be sent in `now`, not before those that were asked for earlier: when it is on the link. The copy
  // that it goes through takes longer by its time.
  Cycle send(LinkDirection direction, std::uint64_t bytes, Cycle now);

  std::function<void(LinkDirection direction, Cycle by)> on_copy_delayed;  // must not be empty where messages are sent

 private:
  struct Lane {
    Cycle bursts_from = 0;  // the burst that was first, or follows the last message
    Cycle copy_until = 0;   // the copy's last byte is sent; it has none before that
    Cycle messages_until = 0;
  };
  Cycle cycles_of(std::uint64_t bytes) const;  // on the link, rounded up
  Cycle between_bursts(const Lane& lane, Cycle at) const;

  std::uint64_t hertz_;
  std::uint64_t bytes_per_second_;
  std::uint64_t burst_bytes_;
  std::array<Lane, 2> lanes_;  // by direction
};

}  // namespace tessera::tlm_model
