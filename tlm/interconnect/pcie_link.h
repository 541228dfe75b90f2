// SPDX-License-Identifier: Apache-2.0
// The GPU's PCI Express link in GPU cycles: latency of small messages, time of bulk transfers.
#pragma once

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

class PcieLink {
 public:
  explicit PcieLink(const spec::GpuSpec& gpu);

  Cycle one_way() const { return one_way_; }         // a posted write: doorbell, fence, interrupt
  Cycle round_trip() const { return 2 * one_way_; }  // a read: command fetch
  // Bursts follow each other without gaps, so a transfer takes one latency plus bytes / bandwidth.
  Cycle transfer(std::uint64_t bytes) const { return one_way_ + mul_div_ceil(bytes, hertz_, bytes_per_second_); }

 private:
  std::uint64_t hertz_;
  std::uint64_t bytes_per_second_;
  Cycle one_way_;
};

}  // namespace tessera::tlm_model
