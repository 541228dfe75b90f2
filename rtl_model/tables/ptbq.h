// SPDX-License-Identifier: Apache-2.0
// The preempted thread block queues: a ring of handles per KSR (docs/hardware/timing.md 4.1, 6.6). The number of valid
// handles and the position of the first are in the KSR's row.
#pragma once

#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

struct TbHandle {
  std::uint32_t tb = 0;
  std::uint32_t stack_pointer = 0;
};

class Ptbq {
 public:
  explicit Ptbq(const CoreParams& params)
      : depth_(params.ptbq_depth),
        tb_(params.tb_width),
        memory_(std::size_t{params.num_ksrs} * depth_),
        tails_q_(params.num_ksrs, 0) {}

  const TbHandle& at(std::uint32_t ksr, std::uint32_t pointer) const { return memory_[address(ksr, pointer)]; }
  std::uint32_t tail(std::uint32_t ksr) const { return tails_q_[ksr]; }
  std::uint32_t after(std::uint32_t pointer) const { return pointer + 1 == depth_ ? 0 : pointer + 1; }
  bool has_handle_under_way() const { return arrived_ksr_q_ != kNone; }

  // A handle on the pins for the ring of `ksr`; it is in the ring one cycle later.
  void arrive(std::uint32_t ksr, std::uint32_t tb, std::uint32_t stack_pointer) {
    tb_ = tb;
    arrived_ksr_d_ = ksr;
    arrived_d_ = {tb, stack_pointer};
  }
  void seq() {
    if (arrived_ksr_q_ == kNone && arrived_ksr_d_ == kNone) return;
    if (arrived_ksr_q_ != kNone) {
      memory_[address(arrived_ksr_q_, tails_q_[arrived_ksr_q_])] = arrived_q_;
      tails_q_[arrived_ksr_q_] = after(tails_q_[arrived_ksr_q_]);
    }
    arrived_ksr_q_ = arrived_ksr_d_;
    arrived_q_ = arrived_d_;
    arrived_ksr_d_ = kNone;
  }

 private:
  std::size_t address(std::uint32_t ksr, std::uint32_t pointer) const { return std::size_t{ksr} * depth_ + pointer; }

  std::uint32_t depth_;
  Field32 tb_;  // of the last handle: checks its width
  std::vector<TbHandle> memory_;
  std::vector<std::uint32_t> tails_q_;  // by KSR
  std::uint32_t arrived_ksr_d_ = kNone, arrived_ksr_q_ = kNone;
  TbHandle arrived_d_, arrived_q_;
};

}  // namespace tessera::rtl_model
