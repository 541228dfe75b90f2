// SPDX-License-Identifier: Apache-2.0
// The papers that can be reproduced.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign {

const std::vector<Paper>& papers();

// The paper that has the target. Throws std::out_of_range.
const Paper& paper_of(const std::string& target);

}  // namespace tessera::campaign
