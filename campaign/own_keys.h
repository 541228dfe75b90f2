// SPDX-License-Identifier: Apache-2.0
// What a figure sets itself, and what it looks at: elsewhere a `--set` of the user would have no say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign {

// Of an experiment, as in `workload.processes.*.priority`; `*`: every entry, `**` at the end: all below, and itself.
// Those of a target that is several figures are the figures' together. None where it keeps what the user sets: also
// what it moves, if one of its rows stays as configured, and names the others.
Keys own_keys(const Paper& paper, const std::string& target);

// The same of the keys that a target looks at, where that is not the whole experiment; none: it may look at all of it.
// Of a target that is several figures, those of any.
std::optional<Keys> read_keys(const Paper& paper, const std::string& target);

// Throws spec::InputError: overrides, as `--set` has them, of keys that the target sets itself or does not look at.
void refuse_own_keys(const Paper& paper, const std::string& target, const std::vector<std::string>& overrides);

}  // namespace tessera::campaign
