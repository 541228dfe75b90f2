// SPDX-License-Identifier: Apache-2.0
// The papers that can be reproduced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign {

const std::vector<Paper>& papers();

// The paper that has the target. Throws std::out_of_range.
const Paper& paper_of(const std::string& target);

// The target that is asked for, of whichever paper. Throws what paper_of() and the paper's reproduction throw.
Reproduction reproduce(const Request& request);

// The experiment of a paper, over which its targets set one policy after the other: keys that only some of them read
// may stand in it. Throws InputError.
spec::Spec load_paper(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

}  // namespace tessera::campaign
