// SPDX-License-Identifier: Apache-2.0
// Marks a folder as a results folder of Tessera.
#pragma once

namespace tessera {

// Contains a line `tessera VERSION`, then one line per file and folder that Tessera wrote.
inline constexpr const char* kResultsMarker = ".tessera-results";

}  // namespace tessera
