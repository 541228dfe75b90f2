// SPDX-License-Identifier: Apache-2.0
// The engine (docs/hardware/timing.md 6): one job at a time, on one open row of the KSRT. A job goes through its
// phases, one cycle each; its visits to rows, A and B, read the counters in LOAD, step them in CALC and BURST, and
// write them back in WRITE, in which all other tables change too. With a refill lane (6.7) it gets events and issues
// from there.
#pragma once

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/job_engine/search_job.h"
#include "rtl_model/lane/lane_entry.h"
#include "rtl_model/policy/policy_register.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class JobEngine {
 public:
  enum class Phase : std::uint8_t { kPick, kFind, kSm, kRow, kLoad, kCalc, kBurst, kWrite };
  enum class Job : std::uint8_t {
    kActivate,
    kDeal,
    kAssign,
    kReserve,
    kRetarget,
    kLeave,
    kTrap,
    kSetUp,
    kTbDone,
    kSetUpDone,
    kRestoreDone,
    kPreempted,
    kIssue,
    kEvict,
  };

  struct Inputs {
    const SearchJob* offered = nullptr;
    SmEventPins sm_event;              // valid: the event is taken; not with a refill lane
    const LaneEntry* entry = nullptr;  // that the lane offers
    bool waits_for_lane = false;       // the lane still counts TBs of the row
    bool is_dealing = false;
    PolicyRegister policy;
    bool eviction_drains = false;
  };

  JobEngine(const CoreParams& params, Tables& tables);

  // Functions of registers, in PICK.
  bool is_in_pick() const { return phase_ == Phase::kPick; }
  bool is_event_ready(bool is_offered, bool is_dealing) const;
  bool has_something_to_pick() const { return has_other_than_issue() || has_issue_; }
  bool has_invoked() const { return has_invoked_q_; }          // the policy, by the last cycle's WRITE
  bool has_picked_entry() const { return has_picked_entry_; }  // in this cycle, after step()
  // After the step() in which the search's job has ended: a take whose victim had no SM to take.
  bool has_found_no_sm() const { return is_take() && sm_ == kNone && has_victim(); }
  const SmControlPins& sm_control() const { return sm_control_; }
  const DispatchPins& dispatch() const { return dispatch_; }
  const KernelDonePins& kernel_done() const { return kernel_done_; }
  const UsagePins& usage() const { return usage_; }
  // Whether the job may show on pins of the next cycle other than a command's: in WRITE, and of an assign in BURST.
  bool may_show_event() const {
    if (phase_ == Phase::kBurst) return job_ == Job::kAssign;
    const bool is_told =
        job_ == Job::kActivate || job_ == Job::kEvict || is_move() || leaving_ != Leaving::kStays || finishes_;
    return phase_ == Phase::kWrite && is_told;
  }
  bool has_pins() const { return sm_control_.valid || dispatch_.valid || kernel_done_.valid || usage_.valid; }

  // Performs one cycle. `events` appear on the next cycle's pins. Returns whether the search's job has ended in it.
  bool step(const Inputs& inputs, EventPins& events);
  // Runs cycles without inputs or visible outputs while the search is idle, at most `limit`. Returns their number.
  std::uint64_t run(std::uint64_t limit, const PolicyRegister& policy);
  // The edge, after all changes of the cycle. `sm_tick` clears the served flags of all SMs.
  void seq(bool sm_tick);

  // For comparing registers.
  Phase phase() const { return phase_; }
  Job job() const { return job_; }
  std::uint32_t sm() const { return sm_; }
  std::uint32_t ksr() const { return ksr_; }  // of the visit, from ROW on
  bool is_visit_b() const { return is_visit_b_; }
  bool issues_first() const { return issues_first_; }
  std::uint32_t last_issue_sm() const { return last_issue_sm_; }

 private:
  enum class Leaving : std::uint8_t { kStays, kHandsOver, kReleases };

  // Phases: engine.cpp.
  bool has_other_than_issue() const { return leaving_sm_ != kNone || trap_sm_ != kNone || set_up_sm_ != kNone; }
  void look_for_jobs();
  void pick(const Inputs& inputs);
  void start(Job job, std::uint32_t sm = kNone);
  void start(const SearchJob& job);
  void start_event(const SmEventPins& event);
  void start_entry(const LaneEntry& entry);
  void find(const PolicyRegister& policy);
  void read_sm();
  void find_holder();
  void find_victim(const PolicyRegister& policy);
  void load(const PolicyRegister& policy);
  bool is_rejected() const;
  void calc();
  void write(const Inputs& inputs, EventPins& events);
  void write_row(bool by_process);
  void write_job(const Inputs& inputs, EventPins& events);
  bool has_visit_b() const;
  void open_visit(std::uint32_t ksr, bool is_b);
  void end_job() {
    phase_ = Phase::kPick;
    is_pick_stale_ = true;
  }
  bool is_event() const { return job_ >= Job::kTbDone && job_ <= Job::kPreempted; }
  bool is_move() const { return job_ >= Job::kAssign && job_ <= Job::kRetarget; }
  bool is_take() const { return job_ == Job::kReserve || job_ == Job::kRetarget; }
  bool has_victim() const { return search_job_.victim != kNone; }  // else the SM is a foreign one
  bool is_of_search() const { return job_ <= Job::kRetarget || job_ == Job::kEvict; }
  // It changes no counter that the lane counts, and does not wait for it.
  bool is_beside_lane() const { return job_ == Job::kTrap || job_ == Job::kSetUp; }
  bool has_row() const { return ksr_ != kNone; }
  bool is_issuable() const { return has_row() && row_.is_issuable(); }  // the open row's kernel
  // Steps the open row's counters of SMs and the corresponding tokens.
  void step_sms(std::int32_t owned, std::int32_t reserved, std::int32_t covered);
  std::int32_t tbs_per_sm() const { return static_cast<std::int32_t>(std::uint32_t{row_.tbs_per_sm}); }
  // F of docs/hardware/timing.md 4.2; the open row is the owner's.
  std::int32_t free_slots() const { return tbs_per_sm() - static_cast<std::int32_t>(running_); }
  std::uint32_t tokens_row(bool by_process) const;
  // Marks a change for the kernel of the open row.
  void touch_partition() {
    if (has_row()) tables_.partitions.touch(tables_.ksrt.traits(ksr_).partition);
  }
  void show_usage(std::int32_t freed) { usage_ = {true, tables_.ksrt.traits(ksr_).context, freed}; }

  // Moves and evictions: moves.cpp.
  bool is_move_rejected() const;
  bool is_foreign_no_more() const;
  void calc_move();
  bool burst_assign(const PolicyRegister& policy, EventPins& events);
  bool needs_another_sm() const;
  void show_move(MoveKind kind, std::uint32_t sm, EventPins& events) const;
  void write_move(const PolicyRegister& policy, EventPins& events);
  void write_activation(bool by_process, EventPins& events);
  bool has_more_to_evict() const { return job_ == Job::kEvict && tables_.ksrt.holding().any(); }  // after write_row
  void calc_eviction();
  void write_eviction(bool drains, EventPins& events);

  // Events of SMs, and SMs that leave: sm_events.cpp.
  void calc_leaving();
  void calc_tb_done();
  void calc_set_up_done();
  // Not of a set-up that is superseded, or will be by one that is still to be sent.
  bool is_answer_current() const {
    return tables_.set_up_tags.is_current(sm_, answered_tag_) && !tables_.smst.flags.set_up_pending.has(sm_);
  }
  void calc_preempted();
  void leave();
  void calc_hand_over();
  void write_sm_event(const PolicyRegister& policy);
  void write_tb_done(const PolicyRegister& policy);
  void write_set_up_done();
  void write_restore_done();
  void write_preempted();
  void write_leaving(const PolicyRegister& policy, EventPins& events);
  void finish(const PolicyRegister& policy);
  void leave_sms(const PolicyRegister& policy, const SmSet& sms);
  void own(std::uint32_t sm);  // makes the open row's kernel the owner of the SM

  // Commands to SMs: sm_commands.cpp.
  bool is_trap_rejected() const;
  void calc_trap();
  void calc_set_up();
  void write_trap();
  void write_set_up();
  void calc_issue();
  bool burst();
  void burst_handle();
  void burst_fresh();
  void show_fresh();
  void write_issue();

  const CoreParams& params_;
  Tables& tables_;

  // Jobs to pick from, computed from the registers of a cycle.
  bool is_pick_stale_ = true;
  std::uint32_t leaving_sm_ = kNone, trap_sm_ = kNone, set_up_sm_ = kNone;
  bool has_issue_ = false;
  bool has_picked_entry_ = false;

  Phase phase_ = Phase::kPick;
  Job job_ = Job::kIssue;
  SearchJob search_job_;
  std::uint32_t sm_ = kNone;
  bool issues_first_ = false;
  std::uint32_t last_issue_sm_;

  // The SM's row as read; running_ is stepped by the job.
  SmRow smst_row_;
  std::uint32_t running_ = 0;

  std::uint32_t answered_tag_ = 0;  // set-up done

  // The visit.
  bool is_visit_b_ = false;
  std::uint32_t ksr_ = kNone;
  KsrRow row_;
  std::int32_t tokens_step_ = 0;
  bool is_rejected_ = false;
  Leaving leaving_ = Leaving::kStays;
  bool finishes_ = false;
  bool cancels_ = false;
  std::uint64_t page_table_ = 0;

  // BURST.
  bool issues_handles_ = false;
  bool issues_fresh_ = false;
  bool is_burst_over_ = false;
  bool carries_ = false;            // the next cycle is for the carry
  bool comes_back_spread_ = false;  // a batch gives an SM no more than one had
  std::uint32_t given_sms_ = 0;     // assign

  bool has_invoked_d_ = false, has_invoked_q_ = false;
  SmControlPins sm_control_;
  DispatchPins dispatch_;
  KernelDonePins kernel_done_;
  UsagePins usage_;
};

}  // namespace tessera::rtl_model
