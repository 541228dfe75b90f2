// SPDX-License-Identifier: Apache-2.0
// Names a record in a message.
#pragma once

#include <string>

#include "model/record/record.h"

namespace tessera::record {

// "cycle 7: tb_finished sm 0 launch 3 tb 5"
std::string place_of(const Record& record);

}  // namespace tessera::record
