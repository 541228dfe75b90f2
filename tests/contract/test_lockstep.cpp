// SPDX-License-Identifier: Apache-2.0
// Claims about lockstep inside a machine: it can fail, and then tells where. In the place of the Verilog core stands a
// second clocked model with a fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/spec.h"
#include "platform/clocked/lockstep_scheduler.h"
#include "platform/simulation.h"
#include "rtl_model/scheduler/scheduler_module.h"
#include "verification/random/random_experiment.h"

namespace tessera::platform {
namespace {

using testing::HasSubstr;
using testing::Not;

// A model behind the interface of a Verilated one. `fault` may spoil outputs and registers; it is told the
// cycles in which the core was clocked.
class FaultyCore final : public cosim::IVerilatedCore {
 public:
  struct Fault {
    std::function<void(std::uint64_t cycle, rtl_model::SchedulerOutputs&)> outputs;
    std::function<void(std::uint64_t cycle, rtl_model::CoreSnapshot&)> registers;
    std::function<std::string(std::uint64_t cycle)> assertion;
  };
  FaultyCore(const rtl_model::Params& params, Fault fault)
      : fault_(std::move(fault)), core_(rtl_model::model_scheduler(params, in_, {})) {}

  void reset(const cosim::Straps&) override {
    core_->comb_outputs();
    out_ = core_->outputs();
  }
  void cycle(const rtl_model::SchedulerInputs& inputs) override {
    in_ = inputs;
    core_->comb_inputs();
    core_->seq_all();
    core_->is_idle();
    core_->comb_outputs();
    out_ = core_->outputs();
    ++cycle_;
    if (fault_.outputs) fault_.outputs(cycle_, out_);
  }
  const rtl_model::SchedulerOutputs& outputs() const override { return out_; }
  void read(rtl_model::CoreSnapshot& snapshot) override {
    core_->read(snapshot);
    if (fault_.registers) fault_.registers(cycle_, snapshot);
  }
  bool open_wave(const std::string&, std::vector<cosim::WaveSignal>) override { return false; }
  void sample(std::uint64_t) override {}
  void close_wave() override {}
  void write_coverage(const std::string&) override {}
  std::string take_assertion_failure() override { return fault_.assertion ? fault_.assertion(cycle_) : ""; }

 private:
  Fault fault_;
  rtl_model::SchedulerInputs in_;
  std::unique_ptr<rtl_model::ISchedulerCore> core_;
  rtl_model::SchedulerOutputs out_;
  std::uint64_t cycle_ = 0;
};

LockstepRecord run_against(const FaultyCore::Fault& fault) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_DO_NOTHING);  // two models
  LockstepRecord record;
  MachineOptions options;
  options.abstraction = Abstraction::kRtl;
  options.make_scheduler = [&](const rtl_model::Params& params, const rtl_model::SchedulerInputs& inputs,
                               const rtl_model::ClockCount& clock) {
    return std::make_unique<LockstepScheduler>(params, inputs, clock, rtl_model::model_scheduler(params, inputs, clock),
                                               std::make_unique<FaultyCore>(params, fault), record);
  };
  spec::Spec spec = verification::random_experiment(67);  // ppq on four SMs
  spec.scheduler.search_width = 1;                        // which either core has
  spec.stop.max_time = 20'000'000'000;
  try {
    simulate(
        spec, {}, [] { return false; }, options);
    EXPECT_FALSE(record.mismatch);
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("core cycle"));
    EXPECT_TRUE(record.mismatch) << error.what();
  }
  return record;
}

TEST(Lockstep, OfEqualCoresEndsWithTheSimulation) {
  const LockstepRecord record = run_against({});
  EXPECT_GT(record.active_cycles, 1000U);
  EXPECT_GT(record.quiet_points, 10U);
}

TEST(Lockstep, StopsInTheCycleOfAPinThatDiffers) {
  FaultyCore::Fault fault;
  fault.outputs = [](std::uint64_t cycle, rtl_model::SchedulerOutputs& out) {
    if (cycle >= 500 && out.dispatch.valid) ++out.dispatch.tb;
  };
  const LockstepRecord record = run_against(fault);
  ASSERT_TRUE(record.mismatch);
  EXPECT_EQ(record.mismatch->difference.signal, "dispatch.tb");
  EXPECT_EQ(record.mismatch->difference.right, record.mismatch->difference.left + 1);
  EXPECT_GE(record.active_cycles, 500U);
  EXPECT_THAT(record.mismatch->last, Not(testing::IsEmpty()));
  // The cycles before it, but not the one that differs.
  const std::string cycle = std::to_string(record.mismatch->cycle) + ": in";
  for (const std::string& line : record.mismatch->last) EXPECT_THAT(line, Not(HasSubstr(" " + cycle)));
}

TEST(Lockstep, FindsARegisterThatDiffersAtAQuietPoint) {
  FaultyCore::Fault fault;
  fault.registers = [](std::uint64_t cycle, rtl_model::CoreSnapshot& core) {
    if (cycle >= 300) ++core.smst[2].running;
  };
  const LockstepRecord record = run_against(fault);
  ASSERT_TRUE(record.mismatch);
  EXPECT_EQ(record.mismatch->difference.signal, "SMST[2].running");
  EXPECT_GE(record.active_cycles, 300U);
}

TEST(Lockstep, StopsForAFailedAssertion) {
  FaultyCore::Fault fault;
  fault.assertion = [](std::uint64_t cycle) { return cycle == 200 ? "two owners" : ""; };
  const LockstepRecord record = run_against(fault);
  ASSERT_TRUE(record.mismatch);
  EXPECT_THAT(to_text(*record.mismatch), HasSubstr("two owners"));
  EXPECT_EQ(record.active_cycles, 200U);
}

}  // namespace
}  // namespace tessera::platform
