// SPDX-License-Identifier: Apache-2.0
// The clock, and the children.
#include "measurement.h"

#include <time.h>

#include <algorithm>

#include "platform/worker_pool.h"

namespace tessera::bench {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

nlohmann::json in_child(const std::function<nlohmann::json()>& task) {
  return platform::run_in_workers({task}, 1).front();
}

}  // namespace tessera::bench
