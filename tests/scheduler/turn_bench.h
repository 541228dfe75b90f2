// SPDX-License-Identifier: Apache-2.0
// A core with a kept turn (docs/hardware/timing.md 3.12), and what stands around it.
#pragma once

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {

inline constexpr std::uint32_t kKeptBySm = kSliced | 1U << 14, kKeptByGpu = kKeptBySm | 1U << 15;

inline constexpr Cycle kEventToWrite = 6;  // of an event without visit B, from its PICK

inline CoreParams keeping(std::uint32_t num_sms, std::uint32_t policy = kKeptByGpu, std::uint32_t num_ksrs = 3) {
  CoreParams params = machine(num_sms, policy);
  params.num_ksrs = num_ksrs;
  params.num_command_buffers = 4;
  params.has_kept_turn = true;
  return params;
}

class TurnBench : public CoreBench {
 public:
  explicit TurnBench(const CoreParams& params) : CoreBench(params) {
    for (std::uint32_t context = 0; context < params.num_contexts; ++context) listed_.set(context);
    in.set_lists(waiting_, listed_);
  }

  // From this cycle on.
  void wait(std::uint32_t context, bool is_waiting = true) {
    waiting_.set(context, is_waiting);
    in.set_lists(waiting_, listed_);
  }
  void list(std::uint32_t context, bool is_listed) {
    listed_.set(context, is_listed);
    in.set_lists(waiting_, listed_);
  }
  // One kernel of a TB, by itself in its buffer.
  void launch_one(std::uint32_t buffer, std::uint32_t context) { launch(buffer, context, 0, 1, 1); }
  void tick_slice() {
    in.slice_tick = true;
    tick();
  }
  void end_switch() {
    in.switch_over = true;
    tick();
  }
  // The SM's TB is saved. Returns the cycle in which the SM says so.
  Cycle save(std::uint32_t sm) {
    handle(sm, 0);
    tick();
    return take(sm, SmEventKind::kPreempted);
  }
  Turn::State state() const { return core.turn().registers().state; }

 private:
  SmSet waiting_, listed_;
};

inline bool has_passed(const SchedulerOutputs& out) { return out.events.turn_passed; }
inline bool has_begun(const SchedulerOutputs& out) { return out.events.turn_began; }
inline bool has_evicted(const SchedulerOutputs& out) { return out.events.evicted; }
inline bool starts_switch(const SchedulerOutputs& out) { return out.switch_start; }
inline bool is_timed(const SchedulerOutputs& out) { return out.slice_timer_enable; }

}  // namespace tessera::rtl_model::test
