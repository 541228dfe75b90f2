// SPDX-License-Identifier: Apache-2.0
// `link_cycles`, `refill_lane` and `setup_tag_bits` of the framework (docs/hardware/timing.md 3.11, 6.7). Internal to
// model/spec.
#pragma once

#include <cstdint>

#include "model/spec/gpu_spec.h"
#include "model/spec/mapping_reader.h"

namespace tessera::spec {

// Delays and the tag that they need. Only the serialised engine has links: others reject the key.
void read_links(MappingReader& framework, std::uint32_t num_sms, FrameworkSpec& spec);

}  // namespace tessera::spec
