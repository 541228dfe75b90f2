// SPDX-License-Identifier: Apache-2.0
// rtl_model's scheduler in the place of the Verilog core: the bench without Verilator, and a core that can be broken.
#pragma once

#include <memory>

#include "cosim/i_verilated_core.h"
#include "rtl_model/policy/policy_register.h"
#include "testbench/configurations.h"
#include "testbench/model_core.h"

namespace tessera::testbench::test {

class ModelAsCore : public cosim::IVerilatedCore {
 public:
  explicit ModelAsCore(const Configuration& configuration) : sizes_(configuration.params) {}

  void reset(const cosim::Straps& straps) override {
    rtl_model::Params params = sizes_;
    const auto policy = rtl_model::PolicyRegister::of(straps.policy);
    params.scheduler.policy = spec::with_code(spec::kPolicies, policy.code)->kind;
    params.scheduler.technique = spec::with_code(spec::kTechniques, policy.technique)->kind;
    params.scheduler.access = static_cast<spec::Access>(policy.is_shared);
    params.scheduler.exclusive_scope = static_cast<spec::ExclusiveScope>(policy.takes_all);
    params.scheduler.token_scope = static_cast<spec::TokenScope>(policy.by_process);
    params.scheduler.debt = static_cast<spec::Debt>(policy.debt);
    params.scheduler.remainder = static_cast<spec::Remainder>(policy.gives_once);
    params.scheduler.order = static_cast<spec::PartitionOrder>(policy.by_priority);
    params.scheduler.turn = static_cast<spec::Turn>(policy.keeps_turn);
    params.scheduler.switch_scope = static_cast<spec::SwitchScope>(policy.evicts);
    params.activation_cycles = straps.activation_cycles;
    params.search_step_cycles = straps.search_step_cycles;
    params.is_breadth_first = straps.is_breadth_first;
    params.linger_cycles = straps.lingers ? 1 : 0;
    params.clock_ratio = straps.issues_in_rounds ? 2 : 1;
    core_.reset(params);
  }
  void cycle(const rtl_model::SchedulerInputs& inputs) override { core_.cycle(inputs); }
  const rtl_model::SchedulerOutputs& outputs() const override { return core_.outputs(); }
  void read(rtl_model::CoreSnapshot& snapshot) override { core_.read(snapshot); }
  bool start_late(std::uint32_t ksr, std::uint32_t num_tbs) override {
    core_.start_late(ksr, num_tbs);
    return true;
  }
  bool open_wave(const std::string&, std::vector<cosim::WaveSignal>) override { return false; }
  void sample(std::uint64_t) override {}
  void close_wave() override {}
  void write_coverage(const std::string&) override {}
  std::string take_assertion_failure() override { return {}; }

 private:
  rtl_model::Params sizes_;
  ModelCore core_;
};

}  // namespace tessera::testbench::test
