// SPDX-License-Identifier: Apache-2.0
// A preempted thread block queue: a bounded FIFO of handles, one per KSR ([T14] 3.3).
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/execution_engine/sm_array/tb_handle.h"

namespace tessera::tlm_model {

class Ptbq {
 public:
  // Room for every TB of a kernel that can be resident at once: N_SM x T_MAX.
  explicit Ptbq(std::uint32_t capacity) : capacity_(capacity) {}

  std::uint32_t size() const { return size_; }
  std::uint32_t num_saved() const { return size_ - num_flushed_; }
  std::uint32_t capacity() const { return capacity_; }
  bool is_full() const { return size_ == capacity_; }

  // Requires !is_full().
  void push(TbHandle handle) {
    if (ring_.empty()) ring_.resize(capacity_);  // most KSRs of a large GPU never see a preemption
    ring_[(head_ + size_) % capacity_] = handle;
    ++size_;
    num_flushed_ += handle.is_flushed() ? 1 : 0;
  }
  // Both require size() > 0.
  const TbHandle& front() const { return ring_[head_]; }
  TbHandle pop() {
    const TbHandle handle = ring_[head_];
    head_ = (head_ + 1) % capacity_;
    --size_;
    num_flushed_ -= handle.is_flushed() ? 1 : 0;
    return handle;
  }

 private:
  std::uint32_t capacity_;
  std::vector<TbHandle> ring_;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t num_flushed_ = 0;  // flushed handles among them
};

}  // namespace tessera::tlm_model
