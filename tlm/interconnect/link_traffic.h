// SPDX-License-Identifier: Apache-2.0
// Who waits for whom on the PCI Express link where copies move in bursts ([T14] Table 2; `pcie.transfers: bursts`): a
// message goes between two bursts of the copy that moves in its direction. Messages are short, and do not wait for each
// other: one may be asked for that lies ahead, as the answer to a read.
#pragma once

#include <array>
#include <cstdint>

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

  // A copy begins to move in `now`: its bursts follow each other from there on. The direction has no other.
  void copy_started(LinkDirection direction, std::uint64_t bytes, Cycle now);

  // A message is there in `at`, now or later: when it is on the link, which is no earlier for a later one. The copy
  // that it goes through ends later by its time.
  Cycle send(LinkDirection direction, std::uint64_t bytes, Cycle at);

  // By how much messages have put off the end of the copy that was started last.
  Cycle copy_delay(LinkDirection direction) const { return lanes_[static_cast<std::size_t>(direction)].copy_delay; }

 private:
  struct Lane {
    Cycle copy_from = 0;
    Cycle copy_until = 0;  // its last byte is sent
    Cycle copy_delay = 0;  // of that
  };
  Cycle cycles_of(std::uint64_t bytes) const;  // on the link, rounded up
  Cycle end_of_burst(const Lane& lane, Cycle at) const;

  std::uint64_t hertz_;
  std::uint64_t bytes_per_second_;
  std::uint64_t burst_bytes_;
  std::array<Lane, 2> lanes_;  // by direction
};

}  // namespace tessera::tlm_model
