// SPDX-License-Identifier: Apache-2.0
// The models that a machine is made of, and how they are driven.
#pragma once

#include "model/spec/spec_fwd.h"
#include "rtl_model/interfaces/scheduler_factory.h"
#include "tlm/execution_engine/execution_engine.h"

namespace tessera::platform {

class Waveform;

enum class Abstraction { kTlm, kRtlModel, kRtl };  // of the execution engine
const char* to_string(Abstraction abstraction);    // "tlm", "rtl_model", "rtl"
spec::Cores core_of(Abstraction abstraction);
enum class ClockDrive { kGated, kFree };  // clocked engines: one process that skips idle cycles, or a clock

// Only the abstraction affects the results.
struct MachineOptions {
  using Pace = tlm_model::ExecutionEngine::Pace;
  MachineOptions(Pace engine_pace = Pace::kRunAhead) : pace(engine_pace) {}  // NOLINT(google-explicit-constructor)

  Abstraction abstraction = Abstraction::kTlm;
  Pace pace;  // for engines driven by one process
  ClockDrive clock = ClockDrive::kGated;
  Waveform* waveform = nullptr;                // clocked engines only; must outlive the machine
  rtl_model::SchedulerFactory make_scheduler;  // clocked engines: replaces the abstraction's own core
};

}  // namespace tessera::platform
