// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run with event-driven kernels, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// A table of their sessions; empty where there are none.
std::string gloop_table(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
