// SPDX-License-Identifier: Apache-2.0
// DriverSpec -> JSON, in the form of an experiment's `driver`.
// Internal to model/spec.
#pragma once

#include <nlohmann/json.hpp>

#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// `spec`: has the processes that the driver refers to.
nlohmann::ordered_json driver_json(const DriverSpec& driver, const Spec& spec);

}  // namespace tessera::spec
