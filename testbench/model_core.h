// SPDX-License-Identifier: Apache-2.0
// The clocked model's scheduler by itself, without a SystemC simulation: inputs, outputs, an edge. A reset is a new
// scheduler.
#pragma once

#include <memory>

#include "platform/clocked/one_job_scheduler.h"
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::testbench {

class ModelCore {
 public:
  // Reset, with other latencies and control registers perhaps. outputs() are then those of cycle 0.
  void reset(const rtl_model::Params& params) {
    core_.reset();  // it looks at its parameters until then
    params_ = std::make_unique<const rtl_model::Params>(params);
    core_ = make_core();
    core_->comb_outputs();
  }
  // The edge that ends this cycle, with these inputs.
  void cycle(const rtl_model::SchedulerInputs& inputs) {
    inputs_ = inputs;
    core_->comb_inputs();
    core_->seq_all();
    core_->comb_outputs();
  }
  const rtl_model::SchedulerOutputs& outputs() const { return core_->outputs(); }
  void read(rtl_model::CoreSnapshot& snapshot) { core_->read(snapshot); }

  // The one of these two that there is.
  const rtl_model::TsrScheduler& scheduler() const { return dynamic_cast<const rtl_model::TsrScheduler&>(*core_); }
  const rtl_model_next::TsrScheduler& next_scheduler() const {
    return dynamic_cast<const platform::OneJobScheduler&>(*core_).core();
  }
  const rtl_model::Params& params() const { return *params_; }

 private:
  std::unique_ptr<rtl_model::ISchedulerCore> make_core() const {
    const char* name = sc_core::sc_gen_unique_name("core");
    if (params_->is_next_core) return std::make_unique<platform::OneJobScheduler>(name, *params_, inputs_);
    return std::make_unique<rtl_model::TsrScheduler>(name, *params_, inputs_);
  }

  rtl_model::SchedulerInputs inputs_;
  std::unique_ptr<const rtl_model::Params> params_;
  std::unique_ptr<rtl_model::ISchedulerCore> core_;
};

}  // namespace tessera::testbench
