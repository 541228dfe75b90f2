// SPDX-License-Identifier: Apache-2.0
// Factory of a clocked machine's scheduler core, for code that only passes it on.
#pragma once

#include <functional>
#include <memory>

namespace tessera::rtl_model {

class ISchedulerCore;
struct ClockCount;
struct Params;
struct SchedulerInputs;

// The references must outlive the core. Modules that it creates become children of the module under construction.
using SchedulerFactory =
    std::function<std::unique_ptr<ISchedulerCore>(const Params&, const SchedulerInputs&, const ClockCount&)>;

}  // namespace tessera::rtl_model
