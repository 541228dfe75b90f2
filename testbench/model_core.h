// SPDX-License-Identifier: Apache-2.0
// The clocked model's scheduler by itself, without a SystemC simulation: inputs, outputs, an edge. A reset is a new
// scheduler.
#pragma once

#include <memory>

#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::testbench {

class ModelCore {
 public:
  // Reset, with other latencies and control registers perhaps. outputs() are then those of cycle 0.
  void reset(const rtl_model::Params& params) {
    core_.reset();  // it looks at its parameters until then
    params_ = std::make_unique<const rtl_model::Params>(params);
    core_ = std::make_unique<rtl_model::SchedulerModule>(sc_core::sc_gen_unique_name("core"), *params_, inputs_);
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
  void start_late(std::uint32_t ksr, std::uint32_t num_tbs) { core_->start_late(ksr, num_tbs); }
  void read(rtl_model::CoreSnapshot& snapshot) { core_->read(snapshot); }

  const rtl_model::TsrScheduler& scheduler() const { return core_->core(); }
  const rtl_model::Params& params() const { return *params_; }

 private:
  rtl_model::SchedulerInputs inputs_;
  std::unique_ptr<const rtl_model::Params> params_;
  std::unique_ptr<rtl_model::SchedulerModule> core_;
};

}  // namespace tessera::testbench
