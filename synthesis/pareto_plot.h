// SPDX-License-Identifier: Apache-2.0
// Gates against decision time: a point for each core, a colour for each number of SMs, a line through those that do the
// same and that no other beats, and a label where a search takes more than an entry a step.
#pragma once

#include <string>
#include <vector>

#include "synthesis/study.h"

namespace tessera::synthesis {

// A gnuplot script with the data in it; plot/draw.h draws it.
std::string pareto_script(const std::string& name, const std::vector<CoreResult>& results);

}  // namespace tessera::synthesis
