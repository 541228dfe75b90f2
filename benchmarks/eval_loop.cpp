// SPDX-License-Identifier: Apache-2.0
// The present core in a bare loop.
#include "eval_loop.h"

#include "Vraw.h"

namespace tessera::bench {

LoopResult eval_loop(const Stimulus& stimulus) { return run_eval_loop<Vraw>(stimulus); }

}  // namespace tessera::bench
