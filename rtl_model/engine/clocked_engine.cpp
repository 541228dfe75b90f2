// SPDX-License-Identifier: Apache-2.0
// The clocked half: wiring, and a clock that drives all. One process that does: evaluation.cpp.
#include "rtl_model/engine/clocked_engine.h"

#include <string>

#include "model/spec/spec.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::rtl_model {
// The clocked processes of those that are no modules: the cycle count before all, the stimulus with the networks,
// the watchers after the scheduler.
class ClockedEngine::Sequencer final : public ClockedModule {
 public:
  explicit Sequencer(ClockedEngine& engine) : ClockedModule("u_sequencer"), engine_(engine) {
    at_level(SmNetworks::kLevel, [this] {
      engine_.stimulus_.drive(engine_.in_, engine_.out_, engine_.clock_);
      engine_.report_stop();
    });
    at_level(SchedulerModule::kInputsLevel + 1, [this] {
      for (IWatcher* watcher : engine_.watchers_) watcher->watch(engine_.clock_);
    });
  }
  // Runs in the same delta cycle as all other edges; they look at the count only in their combinational part.
  void seq() override {
    engine_.set_cycle(engine_.clock_.core + 1);
    engine_.loops_.take_words(engine_.clock_.sm);
  }
  void list_signals(ISignalSink&) const override {}

 private:
  ClockedEngine& engine_;
};

ClockedEngine::ClockedEngine(const sc_core::sc_module_name& name, const spec::Spec& spec, LaunchTable& launches,
                             LoopMemory& loops, ISmObserver& observer, IStimulus& stimulus,
                             const SchedulerFactory& make_scheduler)
    : sc_module(name),
      params_(spec),
      launches_(launches),
      loops_(loops),
      contexts_(spec.checks.enable_context_check),
      observer_(observer),
      stimulus_(stimulus),
      u_tsr_scheduler_((make_scheduler ? make_scheduler : model_scheduler)(params_, in_, clock_)),
      out_(u_tsr_scheduler_->outputs()),
      u_memory_channel_("u_memory_channel", spec.channel_sharing, spec.gpu),
      u_sm_networks_("u_sm_networks", u_memory_channel_.is_coupled() || params_.clock_ratio > 1, out_.sm_event_ready,
                     in_.sm_event, in_.handle, grants_),
      u_slice_timer_("u_slice_timer", clock_,
                     {[this] { return stimulus_.slice_period(out_.turn); }, params_.switch_cycles.in_slice,
                      in_.switch_over, out_.slice_timer_enable, in_.slice_tick}),
      u_linger_timer_("u_linger_timer", params_.linger_cycles, clock_, out_.linger_start, in_.linger_over),
      u_switch_timer_("u_switch_timer", params_.switch_cycles, clock_, out_.switch_start, out_.switch_runs,
                      in_.switch_over),
      u_usage_counter_("u_usage_counter", params_.num_contexts, clock_, out_.usage),
      u_links_(params_, {clock_, out_.sm_control, out_.dispatch, grants_}),
      due_(params_.num_sms) {
  make_sms();
  boot();
  u_tsr_scheduler_->comb_outputs();  // as after reset
  set_cycle(0);
}

// An SM that has links has the core and the networks at their other end.
void ClockedEngine::make_sms() {
  for (std::uint32_t i = 0; i < params_.num_sms; ++i) {
    const std::string name = "u_sm_" + std::to_string(i);
    const auto make = [&](const SmControlPins& control, const DispatchPins& dispatch, const SmGrants& grants) {
      const Sm::Surroundings surroundings{params_,           clock_,    control, dispatch, grants, launches_,
                                          u_memory_channel_, contexts_, loops_,  observer_};
      u_sms_.push_back(std::make_unique<Sm>(name.c_str(), i, surroundings));
    };
    if (!u_links_.has(i)) {
      make(out_.sm_control, out_.dispatch, grants_);
      u_sm_networks_.connect(u_sms_[i]->outputs());
      continue;
    }
    SmLink& link = u_links_.of(i);
    make(link.control(), link.dispatch(), link.grants());
    link.connect(u_sms_[i]->outputs());
    u_sm_networks_.connect(link.outputs());
  }
}

// Before the first cycle of the run the OS writes the budgets that contexts have, and how their slices end; and the
// core comes to rest.
void ClockedEngine::boot() {
  const auto core_cycle = [this](const ControlPins& write) {
    u_tsr_scheduler_->comb_outputs();
    in_.control = write;
    in_.control.valid = write.valid && out_.control_ready;
    u_tsr_scheduler_->comb_inputs();
    u_tsr_scheduler_->seq_all();
    return in_.control.valid;
  };
  const auto write = [&](ControlRegister reg, std::uint32_t context, std::uint64_t data) {
    while (!core_cycle({true, reg, context, data})) {
    }
  };
  for (std::uint32_t context = 0; context < params_.num_contexts; ++context) {
    if (params_.budgets[context]) write(ControlRegister::kTokens, context, *params_.budgets[context]);
    const spec::SliceEnd slice_end = params_.slice_ends[context];
    const bool is_written = params_.has_kept_turn && slice_end != spec::SliceEnd::kTechnique;
    if (is_written) write(ControlRegister::kSliceEnd, context, static_cast<std::uint64_t>(slice_end));
  }
  do {
    core_cycle({});
  } while (!u_tsr_scheduler_->is_idle());
}

ClockedEngine::~ClockedEngine() = default;

void ClockedEngine::set_cycle(Cycle core_cycle) {
  clock_.core = core_cycle;
  clock_.sm = params_.clock_ratio == 1 ? core_cycle : core_cycle / params_.clock_ratio;
  clock_.is_sm_edge = clock_.sm * params_.clock_ratio == core_cycle;
  in_.sm_tick = (clock_.sm + 1) * params_.clock_ratio == core_cycle + 1;
}

void ClockedEngine::add_watcher(IWatcher* watcher) {
  watchers_.push_back(watcher);
  watches_every_cycle_ = watches_every_cycle_ || watcher->wants_every_cycle();
}

void ClockedEngine::report_stop() {
  const SmControlPins& control = out_.sm_control;
  if (!control.valid || control.kind == SmControlKind::kSetup) return;
  observer_.told_to_stop(control.sm, control.kind == SmControlKind::kFlush);
}

// ---- a clock drives all --------------------------------------------------------------------------------------

void ClockedEngine::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  u_sequencer_ = std::make_unique<Sequencer>(*this);
  auto& signal = const_cast<sc_core::sc_signal_in_if<bool>&>(clock);
  u_tsr_scheduler_->bind_clock(clock);
  for (ClockedModule* module :
       std::initializer_list<ClockedModule*>{&u_memory_channel_, &u_sm_networks_, &u_slice_timer_, &u_linger_timer_,
                                             &u_switch_timer_, &u_usage_counter_, u_sequencer_.get()}) {
    module->clk_i(signal);
  }
  for (const auto& sm : u_sms_) sm->clk_i(signal);
  u_links_.linked().for_each([&](std::uint32_t sm) { u_links_.of(sm).clk_i(signal); });
}

void ClockedEngine::list_signals(ISignalSink& signals) const {
  u_tsr_scheduler_->list_signals(signals);
  list_surroundings(signals);
}

void ClockedEngine::list_surroundings(ISignalSink& signals) const {
  u_sm_networks_.list_signals(signals);
  u_slice_timer_.list_signals(signals);
  u_linger_timer_.list_signals(signals);
  if (params_.has_kept_turn) u_switch_timer_.list_signals(signals);
  u_memory_channel_.list_signals(signals);
  for (const auto& sm : u_sms_) sm->list_signals(signals);
  u_links_.linked().for_each([&](std::uint32_t sm) { u_links_.of(sm).list_signals(signals); });
}

}  // namespace tessera::rtl_model
