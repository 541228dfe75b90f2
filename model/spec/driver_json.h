// SPDX-License-Identifier: Apache-2.0
// DriverSpec -> JSON, as `driver` of an experiment has it.
// Internal to model/spec.
#pragma once

#include <nlohmann/json.hpp>

#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// `spec`: whose processes the driver names.
nlohmann::ordered_json driver_json(const DriverSpec& driver, const Spec& spec);

}  // namespace tessera::spec
