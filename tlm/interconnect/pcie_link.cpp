// SPDX-License-Identifier: Apache-2.0
// The link's rate and latency, from those of the GPU's Spec.
#include "tlm/interconnect/pcie_link.h"

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {

PcieLink::PcieLink(const spec::GpuSpec& gpu)
    : hertz_(gpu.clock_hz),
      bytes_per_second_(gpu.pcie.bytes_per_second()),
      one_way_(Clock(gpu.clock_hz).cycles_in(gpu.pcie.latency)) {}

}  // namespace tessera::tlm_model
