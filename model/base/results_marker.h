// SPDX-License-Identifier: Apache-2.0
// What tells a results folder of ours from others.
#pragma once

namespace tessera {

// A line `tessera VERSION`, and a line for each file and folder that is ours.
inline constexpr const char* kResultsMarker = ".tessera-results";

}  // namespace tessera
