// SPDX-License-Identifier: Apache-2.0
// `partitions` as a preset.
// Internal to model/spec.
#pragma once

#include "model/spec/read_partitions.h"

namespace tessera::spec {

// Reads `preset` and its other keys for a GPU of `num_sms` SMs; returns the partitions as lists of SMs.
Partitions read_preset(MappingReader reader, std::uint32_t num_sms, const MigSpec* mig, Report& report);

}  // namespace tessera::spec
