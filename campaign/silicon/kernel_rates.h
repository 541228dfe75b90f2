// SPDX-License-Identifier: Apache-2.0
// How fast kernels get through: their thread blocks a us, from when they are active to their end.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

class KernelRateSink : public record::ISink {
 public:
  KernelRateSink(const spec::Spec& spec, std::uint16_t process);

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override;
  const std::vector<double>& rates_of(std::size_t kernel) const { return rates_.at(kernel); }  // a launch each

 private:
  const Clock clock_;
  const std::uint16_t process_;
  std::unordered_map<std::uint32_t, Cycle> active_since_;  // by launch
  std::vector<std::vector<double>> rates_;                 // by kernel of the process's application
};

}  // namespace tessera::campaign
