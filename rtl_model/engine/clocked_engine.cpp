// SPDX-License-Identifier: Apache-2.0
// The clocked half: wiring, and the evaluation of one cycle.
#include "rtl_model/engine/clocked_engine.h"

#include <algorithm>
#include <string>

#include "model/spec/spec.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::rtl_model {
// The clocked processes of those that are no modules: the cycle count before all, the stimulus with the networks,
// the watchers after the scheduler.
class ClockedEngine::Sequencer final : public ClockedModule {
 public:
  explicit Sequencer(ClockedEngine& engine) : ClockedModule("u_sequencer"), engine_(engine) {
    at_level(SmNetworks::kLevel - 1, [this] { engine_.u_sm_networks_.look_at_all(); });
    at_level(SmNetworks::kLevel, [this] { engine_.stimulus_.drive(engine_.in_, engine_.out_, engine_.clock_); });
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
      stimulus_(stimulus),
      u_tsr_scheduler_((make_scheduler ? make_scheduler : model_scheduler)(params_, in_, clock_)),
      out_(u_tsr_scheduler_->outputs()),
      u_memory_channel_("u_memory_channel", spec.channel_sharing, spec.gpu),
      u_sm_networks_("u_sm_networks", u_memory_channel_.is_coupled() || params_.clock_ratio > 1, out_.sm_event_ready,
                     in_.sm_event, in_.handle, grants_),
      u_slice_timer_("u_slice_timer", in_.slice_period, clock_, out_.slice_timer_enable, in_.slice_tick),
      u_linger_timer_("u_linger_timer", params_.linger_cycles, clock_, out_.linger_start, in_.linger_over),
      u_usage_counter_("u_usage_counter", params_.num_contexts, clock_, out_.usage),
      due_(params_.num_sms) {
  const Sm::Surroundings surroundings{params_,           clock_,    out_.sm_control, out_.dispatch, grants_, launches_,
                                      u_memory_channel_, contexts_, loops_,          observer};
  for (std::uint32_t i = 0; i < params_.num_sms; ++i) {
    u_sms_.push_back(std::make_unique<Sm>(("u_sm_" + std::to_string(i)).c_str(), i, surroundings));
    u_sm_networks_.connect(*u_sms_.back());
  }
  in_.slice_period = params_.slice_cycles;
  boot();
  u_tsr_scheduler_->comb_outputs();  // as after reset
  set_cycle(0);
}

// Before the first cycle of the run the OS writes the budgets that contexts have, and the core comes to rest.
void ClockedEngine::boot() {
  const auto core_cycle = [this](const ControlPins& write) {
    u_tsr_scheduler_->comb_outputs();
    in_.control = write;
    in_.control.valid = write.valid && out_.control_ready;
    u_tsr_scheduler_->comb_inputs();
    u_tsr_scheduler_->seq_all();
    return in_.control.valid;
  };
  for (std::uint32_t context = 0; context < params_.num_contexts; ++context) {
    const std::optional<std::uint32_t>& budget = params_.budgets[context];
    while (budget && !core_cycle({true, ControlRegister::kTokens, context, *budget})) {
    }
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

// ---- one process drives all ----------------------------------------------------------------------------------

void ClockedEngine::cycle(Cycle core_cycle) {
  ++num_cycles_;
  set_cycle(core_cycle);
  // 1. What depends on registers alone.
  touched_.clear();
  if (loops_.next_word() <= clock_.sm) take_words();
  settle_sms();
  u_slice_timer_.comb();
  u_linger_timer_.comb();
  if (!is_core_idle_) u_tsr_scheduler_->comb_outputs();
  u_usage_counter_.comb();
  // 2. Inputs of the scheduler.
  drive_inputs();
  u_sm_networks_.comb();
  for (const std::uint32_t sm : {grants_.event_sm, grants_.handle_sm}) {
    if (sm != kNone && !touched_.has(sm)) evaluate(sm);
  }
  if (out_.sm_control.valid && !touched_.has(out_.sm_control.sm)) evaluate(out_.sm_control.sm);
  if (out_.dispatch.valid) {
    if (!touched_.has(out_.dispatch.sm)) evaluate(out_.dispatch.sm);
    u_sms_[out_.dispatch.sm]->comb_dispatch();
  }
  // 3. What follows from them.
  is_core_active_ = !is_core_idle_ || in_.any();
  if (is_core_active_) u_tsr_scheduler_->comb_inputs();
  show_watchers();
  // 4. The edge.
  clock_edge();
  schedule();
}

void ClockedEngine::drive_inputs() {
  const bool must_fall = in_.command.valid || in_.control.valid;
  if (stimulus_due_ > clock_.sm && !must_fall) return;
  stimulus_.drive(in_, out_, clock_);
  stimulus_due_ = stimulus_.next_activity(out_);
}

void ClockedEngine::show_watchers() {
  const bool is_eventful =
      in_.command.valid || in_.control.valid || (is_core_active_ && u_tsr_scheduler_->has_events_d());
  if (watches_every_cycle_ || is_eventful || was_eventful_) {
    for (IWatcher* watcher : watchers_) watcher->watch(clock_);
  }
  was_eventful_ = is_eventful;
}

void ClockedEngine::add_watcher(IWatcher* watcher) {
  watchers_.push_back(watcher);
  watches_every_cycle_ = watches_every_cycle_ || watcher->wants_every_cycle();
}

void ClockedEngine::stimulus_changed() {
  stimulus_due_ = stimulus_.next_activity(out_);
  schedule();
}

// Who has loops looks whether they are for one of them.
void ClockedEngine::take_words() {
  loops_.take_words(clock_.sm);
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    if (u_sms_[sm]->has_loops()) evaluate(sm);
  }
}

void ClockedEngine::settle_sms() {
  hot_.for_each([this](std::uint32_t sm) {
    if (!touched_.has(sm)) evaluate(sm);
  });
  while (due_.min_time() <= clock_.sm) {
    const std::uint32_t sm = EventTree::leaf_of(due_.min());
    due_.clear(sm);
    if (!touched_.has(sm)) evaluate(sm);
  }
}

void ClockedEngine::evaluate(std::uint32_t sm) {
  u_sms_[sm]->comb();
  u_sm_networks_.note(sm);
  touched_.set(sm);
}

void ClockedEngine::clock_edge() {
  touched_.for_each([this](std::uint32_t sm) { u_sms_[sm]->seq(); });
  if (is_core_active_) u_tsr_scheduler_->seq_all();
  u_sm_networks_.seq();
  u_slice_timer_.seq();
  u_linger_timer_.seq();
  const bool moves_ends = u_memory_channel_.has_requests() && u_memory_channel_.is_coupled();
  u_memory_channel_.seq();
  if (moves_ends) touched_ = touched_ | u_memory_channel_.moving();
  touched_.for_each([this](std::uint32_t sm) { note_next(sm); });
  // A core that comes to rest shows its outputs at rest.
  if (is_core_active_) {
    is_core_idle_ = u_tsr_scheduler_->is_idle();
    if (is_core_idle_) u_tsr_scheduler_->comb_outputs();
    // A command buffer has become free: a command may wait for it.
    if (u_tsr_scheduler_->events_d().activated) stimulus_due_ = 0;
  }
}

// An output that was taken falls in the next cycle; nobody sees that unless every cycle is watched.
void ClockedEngine::note_next(std::uint32_t index) {
  Sm& sm = *u_sms_[index];
  const bool merely_waits = sm.merely_waits();
  const Cycle next = merely_waits ? sm.next_change() : sm.next_activity();
  const bool falls = sm.outputs().event_valid || sm.outputs().handle_valid;
  const bool is_hot = next <= clock_.sm || (falls && watches_every_cycle_);
  if (falls && !is_hot && !merely_waits) {
    sm.rest();
    u_sm_networks_.note(index);
  }
  hot_.set(index, is_hot);
  const Cycle due = is_hot ? kNever : next;
  if (due_.time(index) != due) due_.set(index, due);
}

void ClockedEngine::schedule() {
  const bool is_busy = !is_core_idle_ || hot_.any() || are_networks_busy();
  const Cycle next = num_cycles_ == 0 ? 0 : clock_.core + 1;
  next_cycle_ = is_busy ? next : next_of_others();
  if (next_cycle_ != kNever) next_cycle_ = std::max(next_cycle_, next);
}

// Pins that were valid fall in the next cycle; nobody sees that either.
bool ClockedEngine::are_networks_busy() const {
  return u_sm_networks_.has_request() || (watches_every_cycle_ && u_sm_networks_.was_busy());
}

// The core cycle in which an SM, the timer or the stimulus does something by itself.
Cycle ClockedEngine::next_of_others() const {
  const Cycle timers = std::min(u_slice_timer_.next_activity(), u_linger_timer_.next_activity());
  const Cycle sm_cycle = std::min({due_.min_time(), timers, stimulus_due_, loops_.next_word()});
  return sm_cycle == kNever ? kNever : sm_cycle * params_.clock_ratio;
}

void ClockedEngine::run_on(Cycle limit) {
  if (watches_every_cycle_ || was_eventful_ || is_core_idle_ || hot_.any() || u_sm_networks_.has_handle()) return;
  const Cycle first = clock_.core + 1;
  Cycle end = std::min(limit, next_of_others());
  if (params_.has_rounds()) end = std::min(end, (first / params_.clock_ratio + 1) * params_.clock_ratio - 1);
  if (end <= first) return;
  const Cycle cycles = u_tsr_scheduler_->run_quietly(end - first, u_sm_networks_.has_event());
  if (cycles == 0) return;
  u_sm_networks_.wait();
  num_cycles_ += cycles;
  set_cycle(clock_.core + cycles);
  is_core_idle_ = u_tsr_scheduler_->is_idle();
  if (is_core_idle_) u_tsr_scheduler_->comb_outputs();
  schedule();
}

// ---- a clock drives all --------------------------------------------------------------------------------------

void ClockedEngine::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  u_sequencer_ = std::make_unique<Sequencer>(*this);
  auto& signal = const_cast<sc_core::sc_signal_in_if<bool>&>(clock);
  u_tsr_scheduler_->bind_clock(clock);
  for (ClockedModule* module :
       std::initializer_list<ClockedModule*>{&u_memory_channel_, &u_sm_networks_, &u_slice_timer_, &u_linger_timer_,
                                             &u_usage_counter_, u_sequencer_.get()}) {
    module->clk_i(signal);
  }
  for (const auto& sm : u_sms_) sm->clk_i(signal);
}

void ClockedEngine::list_signals(ISignalSink& signals) const {
  u_tsr_scheduler_->list_signals(signals);
  list_surroundings(signals);
}

void ClockedEngine::list_surroundings(ISignalSink& signals) const {
  u_sm_networks_.list_signals(signals);
  u_slice_timer_.list_signals(signals);
  u_linger_timer_.list_signals(signals);
  u_memory_channel_.list_signals(signals);
  for (const auto& sm : u_sms_) sm->list_signals(signals);
}

}  // namespace tessera::rtl_model
