// SPDX-License-Identifier: Apache-2.0
// The next core in a bare loop.
#include "Vnext.h"
#include "eval_loop.h"

namespace tessera::bench {

LoopResult eval_loop_next(const Stimulus& stimulus) { return run_eval_loop<Vnext>(stimulus); }

}  // namespace tessera::bench
