// SPDX-License-Identifier: Apache-2.0
// Event-driven kernels, drawn for an experiment that has all the rest: beside its ordinary kernels, with a token or
// without one, and a host that serves files.
#pragma once

#include "model/spec/spec_fwd.h"
#include "verification/random/draws.h"

namespace tessera::verification {

void add_random_loops(Draws& draw, spec::Spec& spec);

}  // namespace tessera::verification
