// SPDX-License-Identifier: Apache-2.0
#include "model/workload/kernel_fits.h"

namespace tessera::workload {

KernelFits& KernelFits::of_process() {
  static KernelFits fits;
  return fits;
}

std::optional<Cycle> KernelFits::find(const FitKey& key) const {
  const auto found = means_.find(key);
  return found == means_.end() ? std::nullopt : std::optional<Cycle>(found->second);
}

void KernelFits::keep(const FitKey& key, Cycle mean) {
  if (means_.emplace(key, mean).second) news_.emplace_back(key, mean);
}

void KernelFits::take_over(const nlohmann::json& news) {
  for (const auto& [key, mean] : news.get<std::vector<std::pair<FitKey, Cycle>>>()) keep(key, mean);
}

}  // namespace tessera::workload
