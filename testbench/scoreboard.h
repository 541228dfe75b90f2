// SPDX-License-Identifier: Apache-2.0
// What the pins alone say of a core, whichever it is: where every thread block is, who owns which SM; and whether the
// core has kept its promises (docs/hardware/timing.md section 3; docs/concepts/readings.md, Invariants). It looks at no
// register.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"
#include "testbench/turn_rules.h"

namespace tessera::testbench {

class Scoreboard {
 public:
  struct Kernel {
    bool is_active = false;
    rtl_model::CommandPins command;
    std::uint32_t next_tb = 0;  // the next that is sent for the first time
    std::uint32_t num_finished = 0;
    std::uint32_t num_counted = 0;  // handles whose SM reported `preempted`, and that were not sent again
    std::deque<rtl_model::HandlePins> handles;
  };
  enum class Owning : std::uint8_t { kIdle, kRunning, kReserved };
  enum class SetUp : std::uint8_t { kNotSent, kSent, kDone };  // of the last set-up command
  struct Sm {
    Owning owning = Owning::kIdle;
    std::uint32_t ksr = rtl_model::kNone;
    std::uint32_t next = rtl_model::kNone;
    bool wants_set_up = false;  // it has changed hands since the last one was on the pins
    SetUp set_up = SetUp::kNotSent;
    std::uint32_t tag = 0;               // of that command
    std::uint32_t unanswered = 0;        // set-ups that may still be answered
    std::uint32_t answered_at_once = 0;  // by the last answer
    bool is_trapped = false;
    bool is_restoring = false;  // the last handle of a batch was sent
    bool is_in_batch = false;
    std::uint32_t num_resident = 0;
    std::uint32_t num_saved = 0;     // handles of the save under way
    std::uint32_t num_reported = 0;  // that do not count yet: their `preempted` was taken, and is in the lane
  };

  explicit Scoreboard(const rtl_model::Params& params);

  // A cycle, its inputs and its outputs. Nothing is looked at any more after the first violation.
  void cycle(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out);
  // The rule that was broken first, and by whom; empty: none.
  const std::string& violation() const { return violation_; }

  const Sm& sm(std::uint32_t sm) const { return sms_[sm]; }
  const Kernel& kernel(std::uint32_t ksr) const { return kernels_[ksr]; }
  // Of the kernel whose last TB was taken in the last cycle.
  std::optional<std::uint32_t> finishing_context() const {
    if (finishing_ksr_ == rtl_model::kNone) return {};
    return kernels_[finishing_ksr_].command.context;
  }
  // The kernel goes on as if so many of its TBs had been issued and finished; none was yet.
  void start_late(std::uint32_t ksr, std::uint32_t num_tbs);
  bool has_work() const { return num_active_ != 0 || num_waiting_ != 0; }  // accepted, and not done
  bool withholds_sms() const { return withholds_sms_; }                    // by rule, as the last decision said
  bool are_all_without_sms() const;                                        // active kernels: their partitions have none

 private:
  // What the outputs say about the last edge.
  void see_kernel_done(const rtl_model::KernelDonePins& done);
  void see_activation(const rtl_model::EventPins& events);
  void see_move(const rtl_model::EventPins& events);
  void see_preempted(const rtl_model::EventPins& events);
  void see_released(const rtl_model::EventPins& events);
  void see_eviction();
  TurnRules::Contexts contexts() const;
  bool are_all_idle() const;
  void require(const char* broken_rule) { expect(broken_rule == nullptr, broken_rule); }
  void see_invocation(const rtl_model::EventPins& events);
  void expect_rest(const rtl_model::SchedulerOutputs& out);
  void count_handles(Sm& sm, std::uint32_t num_handles);
  // What they command.
  void see_control(const rtl_model::SmControlPins& control);
  void see_set_up(const rtl_model::SmControlPins& control);
  void see_trap(std::uint32_t sm);
  void see_dispatch(const rtl_model::DispatchPins& dispatch);
  void see_fresh_tb(const rtl_model::DispatchPins& dispatch, Kernel& kernel);
  void see_handle_sent(const rtl_model::DispatchPins& dispatch, Kernel& kernel);
  // What goes in.
  void take_command(const rtl_model::CommandPins& command);
  void see_page_tables();
  void take_control(const rtl_model::ControlPins& control, bool is_ready);
  void take_policy(std::uint64_t data);
  void take_handle(const rtl_model::HandlePins& handle);
  void take_event(const rtl_model::SmEventPins& event, const rtl_model::SmControlPins& control);
  void set_up_done(const rtl_model::SmEventPins& event, const rtl_model::SmControlPins& control);
  void tb_done(std::uint32_t sm);
  void preempted(std::uint32_t sm);

  void expect(bool holds, const char* rule, std::uint32_t sm_or_ksr = rtl_model::kNone);

  std::uint32_t ptbq_depth_;
  unsigned tag_width_;
  bool has_refill_lane_;  // events wait in it
  std::string violation_;
  TurnRules turn_;
  std::vector<Kernel> kernels_;
  std::vector<Sm> sms_;
  std::vector<std::optional<rtl_model::CommandPins>> waiting_;  // by command buffer
  rtl_model::SmSet free_buffers_;
  std::vector<std::uint64_t> page_tables_;                // by context, without
  static constexpr std::size_t kPageTableDelay = 2;       // in cycles
  std::deque<rtl_model::ControlPins> page_table_writes_;  // those that a set-up on the pins has not seen
  std::uint32_t policies_;                                // that are there
  std::uint32_t policy_;                                  // its code
  std::vector<std::uint32_t> partitions_;                 // by SM
  std::uint32_t num_active_ = 0;
  std::uint32_t num_waiting_ = 0;
  std::deque<std::uint32_t> finished_ksrs_;         // their last TBs were taken, in this order
  std::uint32_t finishing_ksr_ = rtl_model::kNone;  // in the last cycle
  std::uint32_t batch_sm_ = rtl_model::kNone;       // is being sent handles
  bool is_deciding_ = false;
  bool withholds_sms_ = false;
  bool has_just_assigned_ = false;  // an SM, in the cycle before
  bool was_at_rest_ = false;        // in the last cycle: idle, and no input
  rtl_model::SchedulerOutputs last_;
};

}  // namespace tessera::testbench
