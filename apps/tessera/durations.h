// SPDX-License-Identifier: Apache-2.0
// How long each reproduction took the last time, kept in the user's cache folder. Losing it costs nothing.
#pragma once

#include <optional>
#include <string>

namespace tessera::app {

std::optional<double> last_duration(const std::string& name);  // seconds
void keep_duration(const std::string& name, double seconds);   // does nothing where that cannot be written

}  // namespace tessera::app
