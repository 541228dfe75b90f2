// SPDX-License-Identifier: Apache-2.0
// summary.md: what came out, for a person.
#pragma once

#include <string>
#include <vector>

#include "sweep/table.h"

namespace tessera::sweep {

// `plots`: names of those that were drawn.
std::string summary_markdown(const Table& table, const std::vector<Design>& designs,
                             const std::vector<std::string>& plots);

}  // namespace tessera::sweep
