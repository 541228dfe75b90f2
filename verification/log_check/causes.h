// SPDX-License-Identifier: Apache-2.0
// The records of one cycle in the order of their causes, where that of their kinds is another. Internal to the log
// checker.
#pragma once

#include <vector>

#include "model/record/record.h"

namespace tessera::verification::log_check {

// An engine whose clock is a multiple of the SMs' asks for an SM, empties it and hands it over within one of their
// cycles: requests of a preemption that is done come before its end. `cycle`: in canonical order.
void put_requests_first(std::vector<record::Record>& cycle);

}  // namespace tessera::verification::log_check
