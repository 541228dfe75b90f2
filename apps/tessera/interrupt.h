// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, noticed and not died of: simulations end early and say so in their results.
#pragma once

namespace tessera::app {

void catch_interrupts();  // SIGINT, SIGTERM and SIGHUP, unless they are ignored; forked workers inherit it
bool is_interrupted();

}  // namespace tessera::app
