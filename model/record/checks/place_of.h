// SPDX-License-Identifier: Apache-2.0
// How a complaint names the record that it is about.
#pragma once

#include <string>

#include "model/record/record.h"

namespace tessera::record {

// "cycle 7: tb_finished sm 0 launch 3 tb 5"
std::string place_of(const Record& record);

}  // namespace tessera::record
