// SPDX-License-Identifier: Apache-2.0
// Who makes the scheduler core of a clocked machine, for those who hand it on.
#pragma once

#include <functional>
#include <memory>

namespace tessera::rtl_model {

class ISchedulerCore;
struct ClockCount;
struct Params;
struct SchedulerInputs;

// The references outlive the core. It may make modules: they become children of the module under construction.
using SchedulerFactory =
    std::function<std::unique_ptr<ISchedulerCore>(const Params&, const SchedulerInputs&, const ClockCount&)>;

}  // namespace tessera::rtl_model
