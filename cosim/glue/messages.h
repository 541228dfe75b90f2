// SPDX-License-Identifier: Apache-2.0
// Messages of Verilator's run-time in this thread that have not been taken yet.
#pragma once

#include <string>

namespace tessera::cosim {

std::string& verilator_messages();

}  // namespace tessera::cosim
