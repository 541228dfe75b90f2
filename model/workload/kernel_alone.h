// SPDX-License-Identifier: Apache-2.0
// A kernel alone on the empty machine: all that its time depends on, and nothing else of a Spec, so that what is equal
// here takes the same time (docs/concepts/readings.md, Time of a TB).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

class KernelAlone {
 public:
  // Of a kernel that ends; the Spec is not needed afterwards.
  KernelAlone(const spec::Spec& spec, const spec::KernelSpec& kernel);

  // The mean over some draws of how long it takes, in GPU cycles, where its thread blocks take `time`.
  Cycle cycles(const TbTime& time) const;

  // Every member once: kernels alone with the same key take the same time.
  using Key = std::array<std::uint64_t, 12>;
  Key key() const;

 private:
  Cycle list_schedule(std::uint32_t num_tbs, const TbTime& time, std::uint32_t draw) const;
  std::vector<Cycle> ready_cycles(std::uint32_t num_tbs) const;

  std::uint32_t num_tbs_;
  std::uint32_t neighbour_cpi_spread_ppm_;
  std::uint32_t tbs_per_sm_;
  std::uint32_t num_sms_;
  bool is_spread_;  // over all SMs first
  Cycle sm_setup_cycles_;
  Cycle tb_issue_cycles_;
  Cycle core_ratio_;  // cycles of the scheduler's clock in one of the GPU's; those that follow are the scheduler's
  Cycle activation_;
  Cycle per_sm_ = 0;         // until it is a kernel's: the policy assigns one after another
  Cycle around_set_up_ = 0;  // of an SM: its command, and its answer
  Cycle per_refill_ = 1;     // of a slot
};

}  // namespace tessera::workload
