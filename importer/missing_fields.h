// SPDX-License-Identifier: Apache-2.0
// What a profile leaves out of some of its GPU work is taken from the rest.
#pragma once

#include "importer/profile.h"

namespace tessera::importer {

// A kernel's shape from other launches of its name; a duration as the mean of the same kernel and shape (of copies and
// memsets: of their kind), but no longer than until the next work of its stream. Adds notes.
void fill_missing_fields(Profile& profile);

}  // namespace tessera::importer
