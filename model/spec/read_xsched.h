// SPDX-License-Identifier: Apache-2.0
// The keys of `driver` with `kind: xsched`, and what it and `gcaps` need of the rest of the experiment.
// Internal to model/spec.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/spec/driver_spec.h"
#include "model/spec/mapping_reader.h"
#include "model/spec/scheduler_spec.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

inline constexpr std::array<std::string_view, 8> kXschedKeys{"threshold", "batch",      "level",     "tasks",
                                                             "round_us",  "suspend_us", "resume_us", "suspensions"};

// The process that the entry's `process` names; none: it is missing or unknown, and has been reported.
std::optional<std::uint32_t> read_process_name(MappingReader& reader, const Spec& spec);

// `xsched` holds the defaults. `is_own`: the driver is xsched; else the keys are refused anyway.
void read_xsched(MappingReader& reader, const Spec& spec, bool is_own, XschedSpec& xsched, Report& report);

// Who takes contexts off the GPU needs a scheduler that keeps turns, and has the run list.
void check_run_list(MappingReader driver_reader, const DriverSpec& driver, const SchedulerSpec& scheduler);

}  // namespace tessera::spec
