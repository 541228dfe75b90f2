// SPDX-License-Identifier: Apache-2.0
// The pins of a scheduler core by name, for waveforms; the same for all cores.
#pragma once

#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

// `in` and `out` are read when a signal's value is, so they must outlive `signals`.
void list_pins(ISignalSink& signals, const Params& params, const SchedulerInputs& in, const SchedulerOutputs& out);

}  // namespace tessera::rtl_model
