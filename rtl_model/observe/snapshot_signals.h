// SPDX-License-Identifier: Apache-2.0
// The registers of a snapshot as signals, with the scopes and names of the modules that hold them: for the waveform of
// a core that is not SystemC.
#pragma once

#include <functional>

#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

using SnapshotSource = std::function<const CoreSnapshot&()>;

// `source` is called for each value. Entries of queues beyond their count are 0.
void list_registers(ISignalSink& signals, const Params& params, const SnapshotSource& source);

}  // namespace tessera::rtl_model
