// SPDX-License-Identifier: Apache-2.0
// The preempted thread block queues ([T14] 3.3): one memory with a read and a write port, in it a ring per KSR, and
// the pointers of the rings. Data read in a cycle are there in the next.
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

// {TB id, stack pointer}: 64 bits.
struct TbHandle {
  std::uint32_t tb = 0;
  std::uint32_t stack_pointer = 0;
};

class Ptbq final : public ClockedModule {
 public:
  Ptbq(const sc_core::sc_module_name& name, const Params& params);

  // Write port: behind the ring's last handle. Whether there is room is the driver's care: it traps an SM only when
  // the ring has room for all of its TBs.
  void push(std::uint32_t ksr, const TbHandle& handle);
  // Read port: the ring's first handle, which leaves it.
  void pop(std::uint32_t ksr) { popped_ = ksr; }
  bool is_written() const { return popped_ != kNone || pushed_ != kNone; }  // the coming edge changes something
  const TbHandle& read_data() const { return read_data_q_; }
  // The handle `position` behind the ring's first: for those who watch.
  const TbHandle& at(std::uint32_t ksr, std::uint32_t position) const {
    return memory_[address(ksr, (head_q_[ksr] + position) % depth_)];
  }

  void seq() override;
  void list_signals(ISignalSink& signals) const override;

 private:
  std::size_t address(std::uint32_t ksr, std::uint32_t pointer) const { return std::size_t{ksr} * depth_ + pointer; }
  void advance(Field32& pointer) const { pointer = pointer + 1 == depth_ ? 0 : pointer + 1; }

  std::uint32_t depth_;
  std::vector<TbHandle> memory_;  // N_KSR x depth words of 64 bits
  std::vector<Field32> head_q_;   // by KSR
  std::vector<Field32> tail_q_;
  TbHandle read_data_q_;

  std::uint32_t pushed_ = kNone;
  TbHandle pushed_handle_;
  std::uint32_t popped_ = kNone;
};

}  // namespace tessera::rtl_model
