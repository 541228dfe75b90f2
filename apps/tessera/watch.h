// SPDX-License-Identifier: Apache-2.0
// A run of many simulations that somebody waits for: its progress is shown, and Ctrl-C ends it early.
#pragma once

#include <cstddef>

#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"

namespace tessera::app {

// `progress` outlives the run.
template <class Run>
void watch(Run& run, Progress& progress) {
  run.is_interrupted = is_interrupted;
  run.on_progress = [&progress](std::size_t done, std::size_t total) { progress.show(done, total); };
  catch_interrupts();
}

}  // namespace tessera::app
