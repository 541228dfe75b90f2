// SPDX-License-Identifier: Apache-2.0
// A vector of N_SM bits, one per SM: flags of the driver, and what its priority encoders look at.
#pragma once

#include <cstdint>

#include "model/base/sm_set.h"

namespace tessera::rtl_model {

using tessera::kNone;

using tessera::SmSet;

// A register of N_SM bits: its value, and the next one.
class SmFlags {
 public:
  bool has(std::uint32_t sm) const { return q_.has(sm); }
  bool has_next(std::uint32_t sm) const { return d_.has(sm); }
  const SmSet& set() const { return q_; }

  void set(std::uint32_t sm, bool value = true) {
    d_.set(sm, value);
    is_written_ = true;
  }
  void clear(std::uint32_t sm) { set(sm, false); }
  void clear(const SmSet& sms) {
    d_ = d_.without(sms);
    is_written_ = true;
  }
  void clear_all() {
    d_.clear();
    is_written_ = true;
  }
  void seq() {
    if (is_written_) q_ = d_;
    is_written_ = false;
  }

 private:
  SmSet q_, d_;
  bool is_written_ = false;
};

}  // namespace tessera::rtl_model
