// SPDX-License-Identifier: Apache-2.0
// Writes a GTKWave save file for a waveform of the clocked half: its signals in groups, ready to look at.
// The names come from the modules themselves, as those in the waveform do.
#pragma once

#include <ostream>
#include <string>

#include "rtl_model/interfaces/i_watcher.h"

namespace tessera::rtl_model {

// `vcd_file_name`: as seen from where the save file lies.
void write_gtkw(std::ostream& out, const std::string& vcd_file_name, const IWatchedEngine& engine);

}  // namespace tessera::rtl_model
