// SPDX-License-Identifier: Apache-2.0
// `link_cycles`, `refill_lane` and `setup_tag_bits` of the framework (docs/hardware/timing.md 3.11, 6.7). Internal to
// model/spec.
#pragma once

#include <cstdint>

#include "model/spec/gpu_spec.h"
#include "model/spec/mapping_reader.h"

namespace tessera::spec {

// A job at a time feeds few SMs: the serialised engine of a larger GPU has a lane unless its file says otherwise.
bool has_lane_by_default(Engine engine, std::uint32_t num_sms);

// Delays, the lane and the tag that they need. Only the serialised engine has them: others reject the keys.
void read_links(MappingReader& framework, std::uint32_t num_sms, FrameworkSpec& spec);

}  // namespace tessera::spec
