// SPDX-License-Identifier: Apache-2.0
// The part of summary.json for a driver that holds groups back.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/record/metrics/driver_metrics.h"

namespace tessera::record {

class DriverSummary {
 public:
  // All must outlive this object; `facts` must not be empty. `cycles`: simulated cycles.
  DriverSummary(const DriverFacts& facts, const DriverResult& result, std::uint64_t clock_hz, Cycle cycles)
      : facts_(facts), result_(result), clock_hz_(clock_hz), cycles_(cycles) {}

  // `driver`; `names`: of the processes.
  nlohmann::ordered_json driver(const std::vector<std::string>& names) const;
  // `processes[].gpu`.
  nlohmann::ordered_json process(std::size_t process) const;

 private:
  nlohmann::ordered_json reserve(std::size_t reserve, const std::vector<std::string>& names) const;
  nlohmann::ordered_json prediction(const DriverProcessResult& result) const;
  double microseconds(double cycles) const { return cycles * 1e6 / static_cast<double>(clock_hz_); }
  double microseconds(std::uint64_t cycles) const { return microseconds(static_cast<double>(cycles)); }

  const DriverFacts& facts_;
  const DriverResult& result_;
  std::uint64_t clock_hz_;
  Cycle cycles_;
};

}  // namespace tessera::record
