// SPDX-License-Identifier: Apache-2.0
// Running the clocked half ahead.
#include "platform/clocked/clocked_core.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "model/base/overloaded.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"

namespace tessera::platform {
namespace {

record::SmUse limits_of(const spec::GpuSpec& gpu) {
  return {gpu.registers_per_sm, gpu.shared_memory_bytes.back(), gpu.max_threads_per_sm, gpu.max_tbs_per_sm};
}

rtl_model::HostWord host_word(const tlm_model::LoopWord& word, Cycle stamp) {
  using Host = rtl_model::HostWord;
  const auto make = [stamp](Host::Kind kind, ContextId context, std::uint64_t value) {
    return Host{kind, static_cast<std::uint32_t>(index(context)), value, stamp};
  };
  return std::visit(
      Overloaded{
          [&](const tlm_model::Yield& said) { return make(Host::Kind::kYield, said.context, said.launch_number); },
          [&](const tlm_model::IoDone& said) { return make(Host::Kind::kIoDone, said.context, said.tb); },
          [&](const tlm_model::Kill& said) { return make(Host::Kind::kKill, said.context, said.launch_number); }},
      word);
}

tlm_model::LoopRequest request_of(const rtl_model::IoWord& io) {
  return {tlm_model::LoopRequest::Kind::kIo, io.cycle, ContextId(io.context), io.tb, io.step, 0};
}

}  // namespace

// ---- invariants ----------------------------------------------------------------------------------------------

InvariantWatcher::InvariantWatcher(const spec::Spec& spec, const rtl_model::ClockedEngine& engine,
                                   const rtl_model::Recorder& recorder, record::InvariantMonitor& monitor)
    : engine_(engine), recorder_(recorder), scheduler_(spec.scheduler), checks_(engine.params(), monitor) {}

// The recorder shows the coming edge; registers the last one, or (of a core that has taken its inputs) the coming one
// too. What is checked holds at both.
void InvariantWatcher::watch(const rtl_model::ClockCount&) {
  const bool recounts = is_recount_due_;
  is_recount_due_ = recorder_.has_changed_hands();
  is_steady_check_due_ = is_steady_check_due_ || is_recount_due_;
  const bool may_be_steady = is_steady_check_due_ && !is_recount_due_;
  if (!recounts && !may_be_steady) return;
  engine_.scheduler().read_tables(core_);
  if (recounts) checks_.recount(core_);
  if (may_be_steady && core_.is_policy_at_rest) {
    checks_.steady_state(core_, scheduler_);
    is_steady_check_due_ = false;
  }
}

// ---- core ----------------------------------------------------------------------------------------------------

ClockedCore::ClockedCore(const spec::Spec& spec, record::RecordLog& log, Waveform* waveform,
                         const rtl_model::SchedulerFactory& make_scheduler)
    : monitor_(spec.gpu.framework.num_ksrs, limits_of(spec.gpu)),
      params_(spec),
      recorder_(params_, log, spec.checks.enable_invariants ? &monitor_ : nullptr),
      loops_(params_.num_contexts),
      adapter_(spec, params_, launches_, loops_),
      engine_("u_clocked_engine", spec, launches_, loops_, recorder_, adapter_, make_scheduler),
      invariants_(spec, engine_, recorder_, monitor_),
      waveform_(waveform) {
  recorder_.attach(engine_);
  engine_.add_watcher(&recorder_);
  if (spec.checks.enable_invariants) engine_.add_watcher(&invariants_);
  if (waveform_ != nullptr) waveform_->attach(spec, engine_);
}

spec::Cores ClockedCore::which() const { return spec::Cores::kClocked; }

void ClockedCore::send(const tlm_model::EngineMessage& message) {
  if (const auto* const word = std::get_if<tlm_model::LoopWord>(&message.what)) {
    loops_.post(host_word(*word, message.stamp));
    return engine_.word_posted();
  }
  const auto* const write = std::get_if<tlm_model::RegisterWrite>(&message.what);
  if (const auto* const set = std::get_if<tlm_model::SetPolicy>(write)) invariants_.set_scheduler(set->scheduler);
  adapter_.send(message);
  engine_.stimulus_changed();
}

Cycle ClockedCore::next_event() const {
  const Cycle cycle = next_core_cycle();
  return cycle == kNever ? kNever : cycle / params_.clock_ratio;
}

// A waveform shows registers a cycle after they have changed, be that cycle idle or not.
Cycle ClockedCore::next_core_cycle() const {
  return waveform_ == nullptr ? engine_.next_cycle() : std::min(engine_.next_cycle(), waveform_->next_sample());
}

void ClockedCore::run_until(Cycle limit) {
  // Core cycles may be more than kNever SM cycles are.
  const auto core_cycle_of = [&](Cycle sm) {
    return sm == kNever ? std::numeric_limits<Cycle>::max() : sm * params_.clock_ratio;
  };
  Cycle end = core_cycle_of(limit);
  for (Cycle next = next_core_cycle(); next != kNever && next < end; next = next_core_cycle()) {
    engine_.cycle(next);
    if (!recorder_.finished.empty() || !loops_.requests.empty()) {
      collect_done();
      end = std::min(end, core_cycle_of(engine_.clock().sm + 1));
    }
    engine_.run_on(waveform_ == nullptr ? end : std::min(end, waveform_->next_sample()));
  }
}

void ClockedCore::collect_done() {
  // Of those of one cycle, the lowest SM's is the first in memory, and of these the lowest slot's.
  std::sort(loops_.requests.begin(), loops_.requests.end(), [](const auto& a, const auto& b) {
    return std::tie(a.cycle, a.sm, a.slot) < std::tie(b.cycle, b.sm, b.slot);
  });
  for (const rtl_model::IoWord& io : loops_.requests) loop_requests_.push_back(request_of(io));
  loops_.requests.clear();
  for (const rtl_model::FinishedKernel& kernel : recorder_.finished) {
    const rtl_model::Launch& launch = launches_.at(kernel.descriptor);
    if (launch.loops != nullptr) {
      loop_requests_.push_back({tlm_model::LoopRequest::Kind::kKernelLeft,
                                kernel.now,
                                ContextId(launch.context),
                                0,
                                {},
                                loops_.loops_left(launch.context)});
    }
    const CommandAdapter::Place place = adapter_.retire(kernel.descriptor);
    done_.push_back({place.queue, kernel.now, place.node});
  }
  recorder_.finished.clear();
}

void ClockedCore::finish(Cycle end) {
  monitor_.set_now(end);
  recorder_.finish(end);
}

}  // namespace tessera::platform
