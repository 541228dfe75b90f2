// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [T14], and how each of it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::t14 {

const std::vector<Target>& targets();
bool has_averages(const std::string& target);
const std::vector<Variant>& variants();

// Throws std::out_of_range for an unknown target, spec::InputError where the experiment's processes are not
// applications of Table 1, and what run_campaign() throws.
Reproduction reproduce(const Request& request);

}  // namespace tessera::campaign::t14
