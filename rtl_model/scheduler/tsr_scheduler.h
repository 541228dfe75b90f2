// SPDX-License-Identifier: Apache-2.0
// The serialised scheduling framework ([T14] 3.3), which does one job at a time, perhaps with a refill lane beside the
// jobs, behind its pins: docs/hardware/timing.md, cycle by cycle.
#pragma once

#include <optional>

#include "model/base/time.h"
#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/job_engine/job_engine.h"
#include "rtl_model/lane/refill_lane.h"
#include "rtl_model/policy/search.h"
#include "rtl_model/policy/turn.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class TsrScheduler {
 public:
  explicit TsrScheduler(const CoreParams& params);
  // Not copyable, since its parts refer to each other.
  TsrScheduler(const TsrScheduler&) = delete;
  TsrScheduler& operator=(const TsrScheduler&) = delete;

  // Outputs of this cycle; functions of registers.
  const SchedulerOutputs& outputs() const { return out_; }
  // Applies the inputs of this cycle and the edge that ends it.
  void step(const SchedulerInputs& in) {
    check(in);
    advance(in);
  }
  // Runs cycles without inputs, at most `limit`, up to the first with anything visible outside: a pin, an event of its
  // edge, or (if an SM's event waits) that it would be taken. Returns the number of cycles.
  Cycle run_quietly(Cycle limit, bool event_waits);

  const CoreParams& params() const { return params_; }
  const Tables& tables() const { return tables_; }
  const Turn& turn() const { return u_turn_; }
  const Search& search() const { return u_search_; }
  const JobEngine& engine() const { return u_engine_; }
  const RefillLane* lane() const { return u_lane_ ? &*u_lane_ : nullptr; }
  void start_late(std::uint32_t ksr, std::uint32_t num_tbs) { tables_.ksrt.start_late(ksr, num_tbs); }
  // Registers, with their names in docs/hardware/timing.md.
  void list_signals(ISignalSink& signals) const;

 private:
  void check(const SchedulerInputs& in) const;
  void advance(const SchedulerInputs& in);
  bool is_quiet(bool event_waits) const;
  bool shows_tb() const { return u_lane_ && u_lane_->dispatch().valid; }
  bool is_lane_at_rest() const { return !u_lane_ || u_lane_->rests(); }
  void look_at_lane(JobEngine::Inputs& job);
  Cycle run_engine(Cycle limit);
  Cycle run_all();
  bool is_event_ready() const;
  bool restarts_search(ControlRegister reg) const;
  void write_control(const ControlPins& write);
  void step_turn(const SchedulerInputs& in, const ControlPins* write, EventPins& events);
  void drive_outputs(const EventPins& events);
  const DispatchPins& dispatch() const;
  bool is_idle() const;

  const CoreParams params_;
  Tables tables_;
  Turn u_turn_;
  Search u_search_;
  JobEngine u_engine_;
  std::optional<RefillLane> u_lane_;
  SchedulerOutputs out_;
  bool has_pins_ = false;  // a pin of the engine or of events is valid, or one for the timers has changed
};

}  // namespace tessera::rtl_model
