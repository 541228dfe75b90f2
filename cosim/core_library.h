// SPDX-License-Identifier: Apache-2.0
// Creates a core with these parameters: builds it if necessary and loads it into this process. Cores of several
// elaborations can coexist; libraries stay loaded.
#pragma once

#include <memory>

#include "cosim/core_builder.h"
#include "cosim/i_verilated_core.h"

namespace tessera::cosim {

std::unique_ptr<IVerilatedCore> make_core(const BuildRequest& request);  // throws BuildError

}  // namespace tessera::cosim
