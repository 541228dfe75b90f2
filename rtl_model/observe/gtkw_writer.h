// SPDX-License-Identifier: Apache-2.0
// Writes a GTKWave save file for a waveform of the clocked part, with its signals in groups. As in the waveform, the
// names come from the modules themselves.
#pragma once

#include <ostream>
#include <string>

#include "rtl_model/interfaces/i_watcher.h"

namespace tessera::rtl_model {

// `vcd_file_name`: relative to the save file.
void write_gtkw(std::ostream& out, const std::string& vcd_file_name, const IWatchedEngine& engine);

}  // namespace tessera::rtl_model
