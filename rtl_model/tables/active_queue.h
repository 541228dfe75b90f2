// SPDX-License-Identifier: Apache-2.0
// The KSRs of the active kernels in the order of activation. Entries move up when a kernel leaves.
#pragma once

#include <algorithm>
#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

class ActiveQueue {
 public:
  explicit ActiveQueue(const CoreParams& params) : capacity_(params.num_ksrs) { ksrs_q_.reserve(capacity_); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(ksrs_q_.size()); }
  bool is_full() const { return size() == capacity_; }
  std::uint32_t at(std::uint32_t position) const { return ksrs_q_[position]; }

  void push(std::uint32_t ksr) { ksrs_q_.push_back(ksr); }
  void remove(std::uint32_t ksr) { ksrs_q_.erase(std::find(ksrs_q_.begin(), ksrs_q_.end(), ksr)); }

 private:
  std::uint32_t capacity_;
  std::vector<std::uint32_t> ksrs_q_;
};

}  // namespace tessera::rtl_model
