// SPDX-License-Identifier: Apache-2.0
// Fitted kernel times that this process knows: its own, those it was forked with, and those its workers sent back.
// For one thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/workload/kernel_alone.h"

namespace tessera::workload {

struct FitKey {  // all that a fit depends on
  KernelAlone::Key kernel;
  Cycle target = 0;  // how long the kernel shall take alone
  std::uint32_t spread_ppm = 0;
  bool operator<(const FitKey& other) const {
    return std::tie(kernel, target, spread_ppm) < std::tie(other.kernel, other.target, other.spread_ppm);
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FitKey, kernel, target, spread_ppm)

class KernelFits {
 public:
  static KernelFits& of_process();

  std::optional<Cycle> find(const FitKey& key) const;  // the mean time of a thread block
  void keep(const FitKey& key, Cycle mean);

  // A worker's: what it learns from here on, and the list of that, for whoever forked it to take over.
  void begin_worker() { news_.clear(); }
  nlohmann::json news() const { return news_; }
  void take_over(const nlohmann::json& news);

 private:
  std::map<FitKey, Cycle> means_;
  std::vector<std::pair<FitKey, Cycle>> news_;
};

}  // namespace tessera::workload
