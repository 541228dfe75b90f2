// SPDX-License-Identifier: Apache-2.0
// `partitions` as a preset.
// Internal to model/spec.
#pragma once

#include "model/spec/read_partitions.h"

namespace tessera::spec {

// `preset` and what goes with it, on a GPU of so many SMs: its partitions as lists of SMs.
Partitions read_preset(MappingReader reader, std::uint32_t num_sms, const MigSpec* mig, Report& report);

}  // namespace tessera::spec
