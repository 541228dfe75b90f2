// SPDX-License-Identifier: Apache-2.0
// The scheduling framework with the timing of the serialised core (docs/hardware/timing.md 5): each decision of the
// search becomes a job of the engine, and an event that arrives meanwhile makes it search again.
#pragma once

#include "tlm/execution_engine/one_job/one_job_driver.h"
#include "tlm/execution_engine/scheduler.h"

namespace tessera::tlm_model {

class OneJobScheduler final : public Scheduler {
 public:
  OneJobScheduler(SmParts& parts, OneJobDriver& driver, TimerLeaves leaves);

  void invoke(Cycle now) override { invoke_at(now * ratio_, now); }
  void invoked_by_driver(Cycle now) override { invoke_at(engine_.invoked_at(), now); }
  void step_due(Cycle now) override;
  // Accepts one command per core cycle, lowest buffer first.
  void offer(const KernelLaunch& launch, Cycle now) override;
  void refill_command_buffers(Cycle) override {}
  void messages_delivered(Cycle now) override;
  void turn_due(Cycle now) override;
  void settled(Cycle) override {}  // every WRITE is looked at

 private:
  enum class State { kIdle, kBegin, kScan, kWalk, kJob };

  void register_written(Deals deals, Cycle now) override;
  void timer_ticked(Cycle) override { has_waiting_tick_ = true; }
  void look_at_turn_after(Cycle now) override { look_at_turn_at(now * ratio_ + 1); }
  Cycle linger_begins(Cycle) const override { return engine_.invoked_at() / ratio_; }

  // All cycles below are core cycles.
  void invoke_at(Cycle core, Cycle now);
  void begin_at(Cycle core);
  void enter(State state, Cycle due);
  void begin(Cycle core);
  void walk_from(Cycle core);
  void scanned(Cycle core);
  void judge(Cycle core);
  void end(Cycle core);
  void offer(const SearchJob& job, Cycle from);
  void job_ended(Cycle last, bool is_done);
  void look_at_turn_at(Cycle core);
  bool is_any_sm_held() const;
  bool has_waiting_command(Cycle core) const;

  OneJobDriver& engine_;
  Cycle ratio_;
  State state_ = State::kIdle;
  Cycle due_ = kNever;
  Cycle turn_at_ = kNever;  // when the turn is looked at next
  Cycle begin_ = 0;
  std::vector<Cycle> accepted_at_;  // by command buffer
  bool is_pending_ = false;
  bool has_waiting_tick_ = false;
};

}  // namespace tessera::tlm_model
