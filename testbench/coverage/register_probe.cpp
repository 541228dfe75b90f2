// SPDX-License-Identifier: Apache-2.0
#include "testbench/coverage/register_probe.h"

#include <map>
#include <stdexcept>

namespace tessera::testbench {
namespace {

// All signals of a core by "instance.name".
class Names final : public rtl_model::ISignalSink {
 public:
  void enter(const std::string& instance) override { instance_ = instance; }
  void leave() override {}
  void signal(const std::string& name, unsigned, std::function<std::uint64_t()> value) override {
    values_[instance_ + "." + name] = std::move(value);
  }
  std::function<std::uint64_t()> take(const std::string& name) {
    const auto entry = values_.find(name);
    if (entry == values_.end()) throw std::logic_error("rtl_model has no register " + name);
    return std::move(entry->second);
  }

 private:
  std::string instance_;
  std::map<std::string, std::function<std::uint64_t()>> values_;
};

}  // namespace

void RegisterProbe::attach(const rtl_model::TsrScheduler& core, std::uint32_t num_sms) {
  core_ = &core;
  Names names;
  core.list_signals(names);
  state_ = names.take("u_search.state_q");
  is_second_ = names.take("u_search.is_second_q");
  step_ = names.take("u_search.step_q");
  cycle_ = names.take("u_search.cycle_q");
  pending_ = names.take("u_search.pending_q");
  tick_waits_ = names.take("u_search.tick_waits_q");
  is_checking_ = names.take("u_search.is_checking_o");
  victim_valid_ = names.take("u_search.victim_valid_q");
  pool_ = names.take("u_search.pool_q");
  in_batch_ = names.take("u_sm_driver.in_batch_q");
  turn_ = names.take("u_sm_driver.turn_q");
  sent_valid_ = names.take("u_sm_driver.control_valid_d");
  sent_kind_ = names.take("u_sm_driver.control_kind_d");
  sent_sm_ = names.take("u_sm_driver.control_sm_d");
  sent_context_ = names.take("u_sm_driver.control_context_d");
  const auto flags = [&](std::vector<Value>& of, const std::string& name) {
    of.clear();
    for (std::uint32_t sm = 0; sm < num_sms; ++sm) {
      of.push_back(names.take(rtl_model::indexed("u_sm_driver." + name, sm)));
    }
  };
  flags(active_, "active_q");
  flags(trapped_, "trapped_q");
  flags(restoring_, "restoring_q");
  flags(drains_, "drains_q");
  flags(trap_pending_, "trap_pending_q");
}

SearchView RegisterProbe::search() const {
  return {static_cast<SearchState>(state_()),
          is_second_() != 0,
          static_cast<std::uint32_t>(step_()),
          static_cast<std::uint32_t>(cycle_()),
          pending_() != 0,
          tick_waits_() != 0,
          is_checking_() != 0,
          victim_valid_() != 0,
          static_cast<std::uint32_t>(pool_())};
}

rtl_model::SmControlPins RegisterProbe::sent() const {
  rtl_model::SmControlPins control;
  control.valid = sent_valid_() != 0;
  control.sm = static_cast<std::uint32_t>(sent_sm_());
  control.kind = static_cast<rtl_model::SmControlKind>(sent_kind_());
  control.context = static_cast<std::uint32_t>(sent_context_());
  return control;
}

SmPhase RegisterProbe::phase(std::uint32_t sm) const {
  const rtl_model::SmState state = core_->tables().smst.row(sm).state;
  if (state == rtl_model::SmState::kIdle) return SmPhase::kIdle;
  const bool is_running = state == rtl_model::SmState::kRunning;
  const bool is_filling = restoring_[sm]() != 0 || (in_batch_() != 0 && turn_() == sm);
  if (is_running && active_[sm]() == 0) return SmPhase::kSetUp;
  if (is_running) return is_filling ? SmPhase::kFilling : SmPhase::kActive;
  if (trapped_[sm]() != 0) return SmPhase::kTrapped;
  if (active_[sm]() == 0) return SmPhase::kReservedInSetUp;
  if (is_filling) return SmPhase::kReservedFilling;
  return drains_[sm]() != 0 ? SmPhase::kDraining : SmPhase::kTrapPending;
}

}  // namespace tessera::testbench
