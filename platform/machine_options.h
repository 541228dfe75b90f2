// SPDX-License-Identifier: Apache-2.0
// Which models a machine is made of, and how they are driven.
#pragma once

#include "model/spec/spec_fwd.h"
#include "rtl_model/interfaces/scheduler_factory.h"
#include "tlm/execution_engine/execution_engine.h"

namespace tessera::platform {

class Waveform;

enum class Abstraction { kTlm, kRtlModel, kRtl };  // of the execution engine
const char* to_string(Abstraction abstraction);    // "tlm", "rtl_model", "rtl"
spec::Cores core_of(Abstraction abstraction);
enum class ClockDrive { kGated, kFree };  // of clocked engines: one process that skips idle cycles, or a clock

// None of it shows in the results, but the abstraction.
struct MachineOptions {
  using Pace = tlm_model::ExecutionEngine::Pace;
  MachineOptions(Pace engine_pace = Pace::kRunAhead) : pace(engine_pace) {}  // NOLINT(google-explicit-constructor)

  Abstraction abstraction = Abstraction::kTlm;
  Pace pace;  // of an engine that one process drives
  ClockDrive clock = ClockDrive::kGated;
  Waveform* waveform = nullptr;                // of a clocked engine; outlives the machine
  rtl_model::SchedulerFactory make_scheduler;  // of a clocked engine: another core than the abstraction's own
};

}  // namespace tessera::platform
