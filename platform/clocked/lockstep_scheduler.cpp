// SPDX-License-Identifier: Apache-2.0
// Compare, then go on.
#include "platform/clocked/lockstep_scheduler.h"

#include <fmt/format.h>

#include "cosim/core_library.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::platform {

std::string to_text(const Mismatch& mismatch) {
  std::string text = fmt::format("core cycle {}: ", mismatch.cycle);
  if (!mismatch.failed_assertion.empty()) {
    text += mismatch.failed_assertion;
  } else {
    text += fmt::format("{}: rtl_model has {:#x}, rtl has {:#x}", mismatch.difference.signal, mismatch.difference.left,
                        mismatch.difference.right);
  }
  text += "\nthe last cycles with something on the pins:";
  for (const std::string& line : mismatch.last) text += "\n  " + line;
  return text;
}

LockstepScheduler::LockstepScheduler(const rtl_model::Params& params, const rtl_model::SchedulerInputs& inputs,
                                     const rtl_model::ClockCount& clock,
                                     std::unique_ptr<rtl_model::ISchedulerCore> model,
                                     std::unique_ptr<cosim::IVerilatedCore> core, LockstepRecord& record)
    : in_(inputs),
      clock_(clock),
      model_(std::move(model)),
      rtl_("u_tsr_scheduler_rtl", params, inputs, std::move(core)),
      record_(record) {}

void LockstepScheduler::comb_outputs() {
  model_->comb_outputs();
  rtl_.comb_outputs();
  if (const auto difference = cosim::first_difference(model_->outputs(), rtl_.outputs())) fail(*difference);
  if (model_->outputs().idle && has_changed_) compare_registers();
}

void LockstepScheduler::compare_registers() {
  has_changed_ = false;
  ++record_.quiet_points;
  model_->read(left_);
  rtl_.read(right_);
  if (const auto difference = cosim::first_difference(left_, right_)) fail(*difference);
}

void LockstepScheduler::comb_inputs() {
  cycle_ = clock_.core;
  ++record_.active_cycles;
  history_.note(cycle_, in_, model_->outputs());
  model_->comb_inputs();
  rtl_.comb_inputs();
  const std::string failed = rtl_.core().take_assertion_failure();
  if (!failed.empty()) fail({}, failed);
}

void LockstepScheduler::seq_all() {
  model_->seq_all();
  rtl_.seq_all();
  has_changed_ = true;
  ++cycle_;
}

void LockstepScheduler::bind_clock(const sc_core::sc_signal_in_if<bool>&) {
  throw std::logic_error("cores in lockstep are driven by one process");
}

void LockstepScheduler::fail(const cosim::Difference& difference, const std::string& failed_assertion) {
  record_.mismatch = Mismatch{cycle_, difference, failed_assertion, history_.lines()};
  rtl_.show_last_cycle();
  throw CosimMismatch(*record_.mismatch);
}

rtl_model::SchedulerFactory lockstep_scheduler(LockstepRecord& record, bool has_wave) {
  return [&record, has_wave](const rtl_model::Params& params, const rtl_model::SchedulerInputs& inputs,
                             const rtl_model::ClockCount& clock) {
    cosim::Variant variant;
    variant.has_assertions = true;
    variant.has_wave = has_wave;
    std::unique_ptr<cosim::IVerilatedCore> core =
        cosim::make_core(cosim::BuildRequest(cosim::Elaboration(params), variant));
    return std::make_unique<LockstepScheduler>(params, inputs, clock, rtl_model::model_scheduler(params, inputs, clock),
                                               std::move(core), record);
  };
}

}  // namespace tessera::platform
