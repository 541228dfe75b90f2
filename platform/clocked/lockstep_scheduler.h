// SPDX-License-Identifier: Apache-2.0
// Two cores on the same pins: the machine is connected to the clocked model, and the Verilog core must have the same
// outputs in every cycle.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cosim/compare.h"
#include "cosim/history.h"
#include "platform/clocked/verilated_scheduler.h"
#include "rtl_model/sm/sm.h"

namespace tessera::platform {

// The first difference between the cores.
struct Mismatch {
  Cycle cycle = 0;                // core cycle; for registers: quiet from this cycle on
  cosim::Difference difference;   // left: rtl_model, right: rtl
  std::string failed_assertion;   // message of the Verilog core's checker, if a checker failed
  std::vector<std::string> last;  // the last cycles with activity on the pins, latest last
};
// Several lines.
std::string to_text(const Mismatch& mismatch);

class CosimMismatch : public std::runtime_error {
 public:
  explicit CosimMismatch(const Mismatch& what) : std::runtime_error(to_text(what)), mismatch(what) {}
  Mismatch mismatch;
};

// Kept outside the core so that it can be read afterwards: SystemC passes on only the text of an exception.
struct LockstepRecord {
  std::uint64_t active_cycles = 0;  // compared cycles in which a core was not idle or an input was valid
  std::uint64_t quiet_points = 0;   // at which registers were compared
  std::optional<Mismatch> mismatch;
};

// Driven by one process, not by a clock.
class LockstepScheduler final : public rtl_model::ISchedulerCore {
 public:
  LockstepScheduler(const rtl_model::Params& params, const rtl_model::SchedulerInputs& inputs,
                    const rtl_model::ClockCount& clock, std::unique_ptr<rtl_model::ISchedulerCore> model,
                    std::unique_ptr<cosim::IVerilatedCore> core, LockstepRecord& record);

  const rtl_model::SchedulerOutputs& outputs() const override { return model_->outputs(); }
  const rtl_model::KernelDonePins& kernel_done_d() const override { return model_->kernel_done_d(); }
  const rtl_model::UsagePins& usage_d() const override { return model_->usage_d(); }
  const rtl_model::EventPins& events_d() const override { return model_->events_d(); }
  bool has_events_d() const override { return model_->has_events_d(); }

  // These throw CosimMismatch.
  void comb_outputs() override;
  void comb_inputs() override;

  void seq_all() override;
  bool is_idle() override { return model_->is_idle(); }
  Cycle run_quietly(Cycle, bool) override { return 0; }
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  void read(rtl_model::CoreSnapshot& snapshot) override { model_->read(snapshot); }
  void read_tables(rtl_model::CoreSnapshot& snapshot) override { model_->read_tables(snapshot); }
  void list_signals(rtl_model::ISignalSink& signals) const override { model_->list_signals(signals); }

  VerilatedScheduler& rtl() { return rtl_; }

 private:
  void compare_registers();
  [[noreturn]] void fail(const cosim::Difference& difference, const std::string& failed_assertion = "");

  const rtl_model::SchedulerInputs& in_;
  const rtl_model::ClockCount& clock_;
  std::unique_ptr<rtl_model::ISchedulerCore> model_;
  VerilatedScheduler rtl_;
  LockstepRecord& record_;
  cosim::History history_;
  Cycle cycle_ = 0;          // of the pins
  bool has_changed_ = true;  // registers, since the last comparison
  rtl_model::CoreSnapshot left_, right_;
};

// `record` must outlive the machine. The checkers of testbench/checkers are bound to the Verilog core.
rtl_model::SchedulerFactory lockstep_scheduler(LockstepRecord& record, bool has_wave);

}  // namespace tessera::platform
