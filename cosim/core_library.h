// SPDX-License-Identifier: Apache-2.0
// A core of these parameters, built if need be, loaded into this process. Cores of several elaborations live side by
// side; what was loaded stays.
#pragma once

#include <memory>

#include "cosim/core_builder.h"
#include "cosim/i_verilated_core.h"

namespace tessera::cosim {

std::unique_ptr<IVerilatedCore> make_core(const BuildRequest& request);  // throws BuildError

}  // namespace tessera::cosim
