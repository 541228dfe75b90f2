// SPDX-License-Identifier: Apache-2.0
// Numbers of a summary as a person reads them. A null becomes a dash.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// Microseconds in the unit that leaves one to three digits before the point.
std::string us_text(const nlohmann::ordered_json& us);
// Of the GPU of the summary.
double cycles_to_us(const nlohmann::ordered_json& summary, const nlohmann::ordered_json& cycles);
// A share of one, in percent.
std::string percent_text(const nlohmann::ordered_json& share);

}  // namespace tessera::app
