// SPDX-License-Identifier: Apache-2.0
// With `accounting: measured` a group is charged the SM cycles that the hardware counted for its process. A log tells
// whom each SM counts for, so what is charged can be held against it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/record/record.h"

namespace tessera::verification {

// A line for the first completion of each process up to which more or less has been charged, in all, than SM cycles /
// `num_sms`. Steps of a move count a few cycles apart, so each change of an SM's owner leaves some doubt.
std::vector<std::string> wrong_measured_charges(const std::vector<record::Record>& records, std::uint32_t num_sms);

}  // namespace tessera::verification
