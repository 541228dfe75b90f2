// SPDX-License-Identifier: Apache-2.0
// Contention on the PCI Express link when copies move in bursts ([T14] Table 2; `pcie.transfers: bursts`): a message
// goes between two bursts of the copy in its direction. Messages are short and do not wait for each other; one in the
// future may be requested, such as the answer to a read.
#pragma once

#include <array>
#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

// Message sizes in bytes: a read request; a register or a fence.
inline constexpr std::uint64_t kRequestBytes = 16;
inline constexpr std::uint64_t kWordBytes = 8;

enum class LinkDirection : std::uint8_t { kToGpu, kToHost };

class LinkTraffic {
 public:
  explicit LinkTraffic(const spec::GpuSpec& gpu);

  // A copy starts in `now`; its bursts follow each other without gaps. No other copy may be active in this direction.
  void copy_started(LinkDirection direction, std::uint64_t bytes, Cycle now);

  // Returns when a message that is ready in cycle `at`, now or later, is on the link; monotonic in `at`. The copy that
  // it interrupts ends later by the message's time.
  Cycle send(LinkDirection direction, std::uint64_t bytes, Cycle at);

  // Cycles by which messages have delayed the end of the latest copy.
  Cycle copy_delay(LinkDirection direction) const { return lanes_[static_cast<std::size_t>(direction)].copy_delay; }

 private:
  struct Lane {
    Cycle copy_from = 0;
    Cycle copy_until = 0;  // when its last byte is sent
    Cycle copy_delay = 0;  // of that copy
  };
  Cycle cycles_of(std::uint64_t bytes) const;  // on the link, rounded up
  Cycle end_of_burst(const Lane& lane, Cycle at) const;

  std::uint64_t hertz_;
  std::uint64_t bytes_per_second_;
  std::uint64_t burst_bytes_;
  std::array<Lane, 2> lanes_;  // by direction
};

}  // namespace tessera::tlm_model
