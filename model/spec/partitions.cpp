// SPDX-License-Identifier: Apache-2.0
// The partition of each SM.
#include "model/spec/spec.h"

namespace tessera::spec {

std::vector<std::uint32_t> partition_of_sms(const Spec& spec) {
  std::vector<std::uint32_t> partitions(spec.gpu.num_sms, static_cast<std::uint32_t>(spec.partitions.size()));
  for (std::uint32_t id = 0; id < spec.partitions.size(); ++id) {
    for (const std::uint32_t sm : spec.partitions[id].sms) partitions.at(sm) = id;
  }
  return partitions;
}

}  // namespace tessera::spec
