// SPDX-License-Identifier: Apache-2.0
// Until the next core has taken the place of the present one: a choice of two.
#include "platform/clocked/model_scheduler.h"

#include "platform/clocked/one_job_scheduler.h"
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::platform {

std::unique_ptr<rtl_model::ISchedulerCore> model_scheduler(const rtl_model::Params& params,
                                                           const rtl_model::SchedulerInputs& inputs,
                                                           const rtl_model::ClockCount&) {
  if (params.is_next_core) return std::make_unique<OneJobScheduler>("u_tsr_scheduler", params, inputs);
  return std::make_unique<rtl_model::TsrScheduler>("u_tsr_scheduler", params, inputs);
}

}  // namespace tessera::platform
