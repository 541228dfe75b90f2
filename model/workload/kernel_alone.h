// SPDX-License-Identifier: Apache-2.0
// A kernel alone on the empty machine: exactly the parts of a Spec on which its time depends, so that equal objects
// take the same time (docs/concepts/readings.md, Time of a TB).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/spec/issue_rate.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

class KernelAlone {
 public:
  // For a kernel that ends; the Spec is not needed afterwards.
  KernelAlone(const spec::Spec& spec, const spec::KernelSpec& kernel);

  // Its mean time over some draws, in GPU cycles, if its thread blocks take `time`.
  Cycle cycles(const TbTime& time) const;

  // All members: kernels with the same key take the same time.
  using Key = std::array<std::uint64_t, 20>;
  Key key() const;

 private:
  Cycle list_schedule(std::uint32_t num_tbs, const TbTime& time, std::uint32_t draw) const;
  std::vector<Cycle> ready_cycles(std::uint32_t num_tbs) const;

  std::uint32_t num_tbs_;
  std::uint32_t neighbour_cpi_spread_ppm_;
  std::uint32_t tbs_per_sm_;
  std::uint32_t num_sms_;
  bool is_spread_;  // TBs are issued to all SMs first
  Cycle sm_setup_cycles_;
  Cycle tb_issue_cycles_;
  Cycle first_issue_cycles_;  // the same for a slot that has been empty
  Cycle link_up_ = 0;         // GPU cycles, of a mean SM: nobody knows which TB comes to which SM
  Cycle link_down_ = 0;
  Cycle core_ratio_;  // scheduler cycles per GPU cycle; all below are scheduler cycles
  Cycle activation_;
  Cycle assign_ = 0;          // from there until the SMs are assigned, all of them in one decision
  Cycle per_assigned_ = 0;    // and for each of them
  Cycle per_set_up_ = 0;      // the command to an SM
  Cycle per_answer_ = 0;      // what its answer takes of the engine, which takes none while it sets up SMs
  Cycle answer_latency_ = 0;  // with a refill lane, where answers wait for nothing
  Cycle per_refill_ = 1;      // per slot, in thread blocks that the driver might start meanwhile
  spec::IssueRate rate_;      // of starts
};

}  // namespace tessera::workload
