// SPDX-License-Identifier: Apache-2.0
// Fitted kernel times known to this process: its own, those it inherited at fork, and those its workers sent back. Not
// thread-safe.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/workload/kernel_alone.h"

namespace tessera::workload {

struct FitKey {  // everything that a fit depends on
  KernelAlone::Key kernel;
  Cycle target = 0;  // required time of the kernel alone
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

  // Called in a worker: starts a list of new fits; the list, for the parent process; and called in the parent: adopts
  // it.
  void begin_worker() { news_.clear(); }
  nlohmann::json news() const { return news_; }
  void take_over(const nlohmann::json& news);

 private:
  std::map<FitKey, Cycle> means_;
  std::vector<std::pair<FitKey, Cycle>> news_;
};

}  // namespace tessera::workload
