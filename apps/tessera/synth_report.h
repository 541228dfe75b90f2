// SPDX-License-Identifier: Apache-2.0
// What `tessera synth` found, for programs, spreadsheets and readers. docs/hardware/synthesis.md tells the keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/spec/synthesis_spec.h"
#include "synthesis/study.h"

namespace tessera::app {

nlohmann::ordered_json synthesis_json(const spec::SynthesisSpec& synthesis,
                                      const std::vector<synthesis::CoreResult>& results);
std::string synthesis_csv(const std::vector<synthesis::CoreResult>& results);  // a row a core
// A line a core; of a single one also modules, slowest paths, decisions and estimates.
std::string synthesis_text(const spec::SynthesisSpec& synthesis, const std::vector<synthesis::CoreResult>& results);

}  // namespace tessera::app
