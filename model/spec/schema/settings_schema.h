// SPDX-License-Identifier: Apache-2.0
// The keys that `set` of a sweep or of measurements may have: `scheduler.policy`, `workload.processes.0.priority`.
// Internal to model/spec.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tessera::spec {

// To `definitions`, which have "experiment" and what that refers to: "settings", a mapping of such keys, and "setting",
// one of them.
void add_settings(nlohmann::ordered_json& definitions);

}  // namespace tessera::spec
