// SPDX-License-Identifier: Apache-2.0
// SMs, their links, networks and the memory channel without a scheduler: a test plays its part on the pins.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/engine/sm_links.h"
#include "rtl_model/sm/sm.h"
#include "rtl_model/sm/sm_networks.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {

// What the SMs tell whoever watches.
class Watcher final : public ISmObserver {
 public:
  struct Issue {
    std::uint32_t slot, tb;
    Cycle start;
  };
  void tb_issued(std::uint32_t, std::uint32_t slot, std::uint32_t tb, Cycle start) override {
    issues.push_back({slot, tb, start});
  }
  void tb_finished(std::uint32_t, std::uint32_t, std::uint32_t tb, Cycle now) override {
    finished.push_back({tb, now});
  }
  void handle_sent(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void told_to_stop(std::uint32_t, bool) override {}
  void tb_flushed(std::uint32_t, std::uint32_t, std::uint32_t tb, Cycle now) override { flushed.push_back({tb, now}); }
  void sm_flushed(std::uint32_t, std::uint32_t, Cycle lost, Cycle) override { lost_cycles += lost; }
  void tb_restarted(std::uint32_t, std::uint32_t, std::uint32_t tb, Cycle start) override {
    restarted.push_back({tb, start});
  }
  void tb_restored(std::uint32_t, std::uint32_t, std::uint32_t, const std::optional<std::string>& mismatch,
                   Cycle) override {
    has_mismatch = has_mismatch || mismatch.has_value();
  }
  void tbs_stopped(std::uint32_t, std::uint32_t count, Cycle now) override {
    num_stopped = count;
    frozen_at = now;
  }
  void save_started(std::uint32_t, std::uint64_t, Cycle now) override { save_start = now; }
  void restore_started(std::uint32_t, std::uint64_t, Cycle now) override { restore_start = now; }
  void restore_done(std::uint32_t, std::uint64_t, Cycle cycles, Cycle) override { restore_cycles = cycles; }
  void loop_resumed(std::uint32_t, std::uint32_t, std::uint32_t, cooperative::Position, std::uint64_t,
                    Cycle now) override {
    resumed.push_back(now);
  }
  void loop_left(std::uint32_t, std::uint32_t, std::uint32_t, cooperative::Position, std::uint64_t,
                 Cycle now) override {
    left.push_back(now);
  }
  void io_requested(std::uint32_t, std::uint32_t, std::uint32_t, const cooperative::Step&, Cycle now) override {
    asked.push_back(now);
  }

  std::vector<Issue> issues;
  std::vector<std::pair<std::uint32_t, Cycle>> finished, flushed, restarted;
  std::vector<Cycle> resumed, left, asked;  // of loops
  Cycle frozen_at = 0, save_start = 0, restore_start = 0, restore_cycles = 0;
  Cycle lost_cycles = 0;
  std::uint32_t num_stopped = 0;
  bool has_mismatch = false;
};

class SmBench {
 public:
  struct Event {
    Cycle at;
    std::uint32_t sm;
    SmEventKind kind;
    bool is_taken;
    std::uint32_t tag = 0;
  };
  struct Handle {
    Cycle at;
    std::uint32_t sm, tb, stack_pointer;
  };

  explicit SmBench(const spec::Spec& spec) : params_(spec), channel_("channel", spec.channel_sharing, spec.gpu) {
    for (std::uint32_t i = 0; i < params_.num_sms; ++i) {
      SmLink* link = links_.has(i) ? &links_.of(i) : nullptr;
      sms_.emplace_back(
          ("sm" + std::to_string(i)).c_str(), i,
          Sm::Surroundings{params_, clock_, link != nullptr ? link->control() : control_,
                           link != nullptr ? link->dispatch() : dispatch_, link != nullptr ? link->grants() : grants_,
                           launches_, channel_, contexts_, loops_, watcher});
      if (link != nullptr) link->connect(sms_.back().outputs());
      networks_.connect(link != nullptr ? link->outputs() : sms_.back().outputs());
    }
    settle();
  }

  // TBs of 64 registers each: 256 bytes, and of threads_per_tb threads. Returns the descriptor.
  std::uint64_t kernel(const std::vector<Cycle>& durations, std::uint32_t idempotent_until_ppm = 0,
                       const workload::TbProgress& progress = {}) {
    durations_.push_back(durations);
    Launch launch;
    launch.num_tbs = static_cast<std::uint32_t>(durations.size());
    launch.regs_per_tb = 64;
    launch.threads_per_tb = threads_per_tb;
    launch.smem_bytes_per_tb = smem_bytes_per_tb;
    launch.idempotent_until_ppm = idempotent_until_ppm;
    launch.durations = workload::TbDurations(durations_.back());
    launch.progress = progress;
    return launches_.add(launch);
  }

  // Of one context: loops of `num_tbs` thread blocks.
  std::uint64_t loops(std::uint32_t num_tbs, const LoopDescriptor& descriptor) {
    Launch launch;
    launch.num_tbs = num_tbs;
    launch.regs_per_tb = 64;
    launch.loops = std::make_shared<LoopDescriptor>(descriptor);
    loops_.launch(0, descriptor, num_tbs);
    return launches_.add(launch);
  }
  LoopMemory& loop_memory() { return loops_; }

  // On the pins in this cycle.
  void set_up(std::uint32_t sm, std::uint64_t descriptor, std::uint32_t tag = 0) {
    control_ = {true, sm, SmControlKind::kSetup, 0, 0, descriptor, tag};
  }
  void trap(std::uint32_t sm) { control_ = {true, sm, SmControlKind::kTrap, 0, 0, 0}; }
  void flush(std::uint32_t sm) { control_ = {true, sm, SmControlKind::kFlush, 0, 0, 0}; }
  void dispatch(std::uint32_t sm, std::uint32_t tb) { dispatch_ = {true, sm, false, false, tb, 0}; }
  void restore(std::uint32_t sm, const Handle& handle, bool last) {
    dispatch_ = {true, sm, true, last, handle.tb, handle.stack_pointer};
  }

  void tick() {
    for_each_link([](SmLink& link) { link.comb_up(); });
    networks_.look_at_all();
    networks_.comb();
    for_each_link([](SmLink& link) { link.comb_down(); });
    if (event_.valid) events.push_back({clock_.core, event_.sm, event_.kind, is_ready, event_.tag});
    if (handle_.valid) handles.push_back({clock_.core, handle_.sm, handle_.tb, handle_.stack_pointer});
    for (Sm& sm : sms_) sm.comb_dispatch();
    for (Sm& sm : sms_) sm.seq();
    for_each_link([](SmLink& link) { link.seq(); });
    networks_.seq();
    channel_.seq();
    control_.valid = dispatch_.valid = false;
    ++clock_.core;
    clock_.sm = clock_.core / params_.clock_ratio;
    clock_.is_sm_edge = clock_.core % params_.clock_ratio == 0;
    loops_.take_words(clock_.sm);
    settle();
  }
  void run_to(Cycle cycle) {
    while (clock_.core < cycle) tick();
  }
  // From the set-up in cycle 1 until every SM runs; TBs are sent from cycle 50 on.
  void bring_up(std::uint64_t descriptor) {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
      run_to(1 + sm);
      set_up(sm, descriptor);
    }
    run_to(50);
    events.clear();
  }

  const SmOutputs& out(std::uint32_t sm = 0) const { return sms_[sm].outputs(); }
  Cycle now() const { return clock_.core; }
  // The first cycle in which the pins show it; kNever.
  Cycle first(SmEventKind kind, std::uint32_t sm = 0) const {
    for (const Event& event : events) {
      if (event.kind == kind && event.sm == sm) return event.at;
    }
    return kNever;
  }
  // Cycles in which it is taken.
  std::vector<Cycle> taken(SmEventKind kind, std::uint32_t sm = 0) const {
    std::vector<Cycle> cycles;
    for (const Event& event : events) {
      if (event.kind == kind && event.sm == sm && event.is_taken) cycles.push_back(event.at);
    }
    return cycles;
  }

  std::uint32_t threads_per_tb = 32, smem_bytes_per_tb = 0;  // of kernels to come
  bool is_ready = true;                                      // the scheduler takes events
  std::vector<Event> events;
  std::vector<Handle> handles;
  Watcher watcher;

 private:
  template <typename Do>
  void for_each_link(Do what) {
    links_.linked().for_each([&](std::uint32_t sm) { what(links_.of(sm)); });
  }
  void settle() {
    for (Sm& sm : sms_) sm.comb();
  }

  Params params_;
  ClockCount clock_;
  SmControlPins control_;
  DispatchPins dispatch_;
  SmEventPins event_;
  HandlePins handle_;
  SmGrants grants_;
  SmLinks links_{params_, {clock_, control_, dispatch_, grants_}};
  LaunchTable launches_;
  MemoryChannel channel_;
  ContextStore contexts_{true};
  LoopMemory loops_{1};
  std::deque<std::vector<Cycle>> durations_;
  std::deque<Sm> sms_;
  SmNetworks networks_{"networks", channel_.is_coupled(), is_ready, event_, handle_, grants_};
};

}  // namespace tessera::rtl_model::test
