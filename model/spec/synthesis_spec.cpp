// SPDX-License-Identifier: Apache-2.0
// When two cores are the same.
#include "model/spec/synthesis_spec.h"

#include <tuple>

namespace tessera::spec {

bool CoreSpec::operator==(const CoreSpec& other) const {
  const auto all = [](const CoreSpec& core) {
    return std::tie(core.num_sms, core.max_tbs_per_sm, core.num_ksrs, core.num_command_buffers, core.num_contexts,
                    core.tb_id_bits, core.search_width, core.wait_bits, core.parity_bits, core.linger, core.kept_turn,
                    core.setup_tag_bits, core.refill_lane, core.policies);
  };
  return all(*this) == all(other);
}

}  // namespace tessera::spec
