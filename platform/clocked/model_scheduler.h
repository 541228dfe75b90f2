// SPDX-License-Identifier: Apache-2.0
// The clocked model of the core that the parameters are of.
#pragma once

#include <memory>

#include "rtl_model/interfaces/i_scheduler_core.h"

namespace tessera::platform {

// A rtl_model::SchedulerFactory.
std::unique_ptr<rtl_model::ISchedulerCore> model_scheduler(const rtl_model::Params& params,
                                                           const rtl_model::SchedulerInputs& inputs,
                                                           const rtl_model::ClockCount& clock);

}  // namespace tessera::platform
