// SPDX-License-Identifier: Apache-2.0
// The SM driver of the serialised engine (docs/hardware/timing.md 6): reports from SMs, commands to SMs and the
// policy's moves wait until the engine picks them, and each takes the core's time. A job is one event, except that a
// finished TB whose slot is refilled while nothing else waits does not count as one. With a refill lane reports and
// issues go through that (6.7), and what it cannot do to the engine.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/sm_set.h"
#include "model/policy/policy.h"
#include "tlm/execution_engine/one_job/refill_lane.h"
#include "tlm/execution_engine/one_job/set_up_tags.h"
#include "tlm/execution_engine/one_job/sm_event.h"
#include "tlm/execution_engine/one_job/sm_links.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/sm_exits.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

// A job that the policy requests: a move, the activation of a command, or the eviction of all SMs.
struct SearchJob {
  policy::Decision move;
  CommandBufferId activated = kNoCommandBuffer;
  KsrId claimant = kNoKsr;  // of a take: who is to lose the SM
  std::optional<spec::TechniqueKind> eviction{};

  bool is_activation() const { return activated != kNoCommandBuffer; }
  bool is_move() const { return !is_activation() && !eviction; }
  bool is_assign() const { return move.action == policy::Action::kAssign; }
};

class OneJobDriver final : public ISmDriver {
 public:
  // Leaves in the tree of timers. `engine_leaf`: the last one, since a job is picked last in a cycle; `link_leaf`:
  // right behind those of the SMs, whether a machine has links or not.
  OneJobDriver(SmParts& parts, std::uint32_t engine_leaf, std::uint32_t link_leaf);

  // Offers a job from a cycle of the core's clock on. The two callbacks tell the scheduler when the job is done or
  // rejected, and which command to activate.
  void offer(const SearchJob& job, Cycle from);
  void withdraw_offer();
  // When the search's last job moved its first SM; kNever: it moved none.
  Cycle moved_at() const { return moved_at_; }
  // SMs are being given: they count as used when the job is over.
  bool is_giving() const { return job_ && job_->kind == JobKind::kSearch && moved_at_ != kNever; }
  bool has_just_evicted() const { return search_job_.eviction.has_value(); }
  std::function<void(CommandBufferId, Cycle now)> on_activation;
  std::function<void(Cycle last, bool is_done)> on_job_ended;
  std::function<void(Cycle core)> on_write;  // a job has changed the tables
  // Whether the engine acts in this SM cycle and before core cycle `core`.
  bool acts_before(Cycle core, Cycle now) const;
  // Core cycle in which the policy is invoked, if `wants_policy` is set.
  Cycle invoked_at() const { return invoked_at_; }
  // Token redistribution lasts until core cycle `core`; no event is taken before.
  void deals_until(Cycle core) { deals_until_ = core; }

  void set_scheduler(const spec::SchedulerSpec& scheduler) override { owners_.set_scheduler(scheduler); }
  void decision_began(Cycle) override {}
  void decision_over(Cycle) override {}
  void kernel_activated(KsrId ksr) override {
    taken_tbs_[index(ksr)] = 0;
    activated_ = ksr;
  }
  void assign(SmId sm, KsrId ksr, Cycle now) override;
  void reserve(SmId sm, KsrId next, Cycle now) override;
  void retarget(SmId sm, KsrId next, Cycle now) override;
  void evict(spec::TechniqueKind how, Cycle now) override;
  void run_ends(Cycle before) override;
  void timer_fired(SmId sm, Cycle now) override;
  Cycle next_issue() const override { return kNever; }
  void issue_due(Cycle) override {}
  void engine_due(Cycle now);
  void links_due(Cycle now);
  // Handles with contexts that are on their way to SMs.
  std::uint32_t num_contexts_away(KsrId ksr) const override { return links_.num_contexts_coming(ksr); }
  bool is_any_sm_changing_hands() const override;
  bool is_any_sm_used() const override { return tables_.is_any_sm_used(); }
  const policy::IVictimPort* victim_port() const override { return nullptr; }

 private:
  enum class JobKind : std::uint8_t {
    kSearch,
    kLeave,
    kTrap,
    kSetUp,
    kTbDone,
    kSetUpDone,
    kRestoreDone,
    kPreempted,
    kIssue  // with a lane; else it has no WRITE of its own
  };
  struct Job {
    JobKind kind = JobKind::kSearch;
    SmId sm = kNoSm;
    Cycle write = 0;  // write cycle of the current visit
    bool has_visit_b = false;
    bool is_visit_b = false;
    bool is_rejected = false;
    std::uint32_t tag = 0;  // of the set-up that is answered
    // What the lane has to know: the cycles of its SM, and of ROW and LOAD in the current visit.
    Cycle sm_at = 0;
    Cycle row = 0;
    Cycle load = 0;
    bool is_loaded = false;  // of a job that is looked at in LOAD
    bool has_refilled = false;

    bool is_command() const { return kind == JobKind::kTrap || kind == JobKind::kSetUp; }
    bool may_issue() const { return kind == JobKind::kTbDone || kind == JobKind::kIssue; }
  };
  struct SmJobs {
    std::uint8_t events = 0;       // that the network shows
    std::uint64_t done_slots = 0;  // of a wired SM: slots whose TBs have finished, unknown to the engine so far
  };
  // Of a wired SM: a set-up is on the pins, and what it makes stale is shown for that cycle.
  struct Stale {
    SmId sm = kNoSm;
    std::uint32_t tag = 0;
    Cycle until = 0;
  };

  // Reports from SMs.
  template <bool kContended, bool kHasLane>
  struct RefillAtRest;  // a rule of SmArray::run_ends()
  template <bool kHasLane>
  void run_ends_by_rule(Cycle before);
  bool is_at_rest(Cycle now) const;
  Cycle refill_at_rest(const KernelRun& kernel, Cycle now);
  bool is_refilled(SmId id) const;
  bool may_refill(SmId id) const;
  Cycle refill(SmId id, Cycle pick);
  void show(SmId id, SmEvent event, Cycle now);
  void raise(SmId id, SmEvent event, Cycle core);
  void withdraw(SmId id, std::uint8_t events);
  void give_back(SmId id, Cycle core);
  std::uint64_t free_slots(SmId id) const;
  Place next_place(SmId id) const;

  // SMs behind links: one_job_links.cpp.
  bool is_linked(SmId id) const { return has_links_ && links_.has(id); }
  void schedule_links();
  void send(SmId id, const SmCommand& command, Cycle on_pins);
  void act_at_sm(SmId id, Cycle core);
  void arrive(SmId id, const SmCommand& command, Cycle core);
  void tb_is_taken(SmId id, std::uint32_t slot, Cycle core);
  void show_saved(SmId id, Cycle now);
  SmLinks::Report take_from_link(SmId id, Cycle core);

  // The refill lane: one_job_lane.cpp.
  enum class Judgement : std::uint8_t { kRefill, kCounted, kActive, kIssue, kNothing, kNotSimple };
  bool lane_is_at_rest(SmId id, KsrId owner, Cycle now) const;
  Cycle refill_by_lane(const KernelRun& kernel, KsrId owner, Cycle now);
  Cycle next_in_lane() const;
  std::uint32_t asking_sm(Cycle core) const { return may_any_ask_ && hungry_.any() ? hungry_sm(core) : kNone; }
  Cycle next_entry() const;
  void lane_due(Cycle core);
  void enter(Cycle core);
  void enter_event(Cycle core);
  bool is_quiet_until(Cycle core) const;
  void look_at_r(Cycle core);
  Judgement judge(const RefillLane::Entry& entry, Cycle core) const;
  Judgement judge_tb_done(SmId id, Cycle core) const;
  bool stays_in_r(SmId id) const;
  void go(const RefillLane::Entry& entry, Judgement as, Cycle core);
  void leave_r(Cycle core);
  void look_at_r_again(Cycle core);
  bool stalls_r(SmId id, KsrId ksr, Cycle core) const;
  KsrId visited(const Job& job) const;
  void row_waits_for_lane(Job& job) const;
  void begin_visit_b(Job& job, Cycle core);
  void tables_were_written(const Job& job, KsrId row, Cycle core);
  bool is_entry_offered(Cycle core) const { return offered_entry_from_ <= core && deals_until_ <= core; }
  void start_entry(Cycle core);
  void load(Job& job);
  void drop_stale(Cycle core);

  // PICK.
  void pick(Cycle core);
  Cycle next_pick() const;
  Cycle next_of_engine() const;
  void act(Job& job, Cycle core);
  Cycle next_action() const;
  void schedule();
  std::uint32_t leaving_sm() const;
  bool is_served(std::uint32_t sm, Cycle core) const;
  std::uint32_t hungry_sm(Cycle core) const;
  Cycle hungry_from(Cycle core) const;
  bool leaves(std::uint32_t sm) const;
  SmId take_event();
  SmLinks::Report take_report(SmId id, Cycle core);
  SmLinks::Report take_wired_report(SmId id);
  void event_was_taken(Cycle core);
  void start_event(Cycle core);
  void start_report(SmId id, const SmLinks::Report& report, Cycle core);
  void start_set_up_done(SmId id, std::uint32_t tag, Cycle core);
  bool is_current(SmId id, std::uint32_t tag) const;
  void start_tb_done(SmId id, Cycle core);
  void start_counted(SmId id, Cycle core);
  void start_search_job(Cycle core);
  void start(JobKind kind, SmId id, Cycle core, bool has_visit_b);
  void issue(SmId id, Cycle core);
  Cycle issue_tbs(SmId id, Cycle core);
  Cycle issue_fresh_tbs(SmId id, Cycle core);
  bool is_batch_over(SmId id, KsrId owner) const;
  Cycle issue_handles(SmId id, Cycle core);
  void send_fresh(SmId id, KsrId owner, Cycle on_pins);
  void send_handle(SmId id, KsrId owner, Cycle on_pins);
  void handles_were_sent(SmId id, Cycle core);
  Cycle handle_start(Cycle core) const;
  bool carries(const TbCounts& tbs) const;
  Cycle start_of(Cycle on_pins) const;
  bool is_rejected(const SearchJob& job) const;
  bool looks_in_load(const Job& job) const;
  void find_victim_sm();
  bool is_falsely_foreign(const SearchJob& job) const;
  void give_idle_sms(Job& job);
  void begin_next_set_up();
  void clear_foreign();
  Cycle eviction_cycles() const;
  bool is_out_of_place(const Job& job) const;

  // WRITE.
  void write(Job& job);
  void write_visit_a(const Job& job, Cycle now);
  void end_visits(const Job& job, Cycle now);
  void write_search_job(Cycle now);
  void write_trap(SmId id, Cycle core);
  void write_set_up(SmId id, Cycle core);
  void write_tb_done(SmId id, Cycle now);
  void write_set_up_done(SmId id, std::uint32_t tag, Cycle now);
  void can_be_set_up(SmId id);
  void write_restore_done(SmId id);
  void write_preempted(SmId id, Cycle now);
  void finish(KsrId ksr, Cycle now);
  void drop_set_ups(KsrId ksr);
  void hand_to_next(SmId id, Cycle now);
  void own(SmId id, KsrId ksr);
  void release(SmId id, Cycle now);
  void forget(SmId id);
  void update(SmId id);
  // The policy sees the write one cycle later.
  void invoke_after_write() { invoked_at_ = job_->write + 1; }

  bool is_running(SmId id) const { return tables_.sm(id).status == policy::SmStatus::kRunning; }
  bool is_issuable(KsrId ksr) const { return ksr != kNoKsr && tables_.ksr(ksr).issuable_tbs() > 0; }
  Cycle sm_cycle(Cycle core) const { return ratio_ == 1 ? core : core / ratio_; }
  Cycle core_cycle(Cycle now) const { return now * ratio_; }
  static std::uint32_t index_of(SmId id) { return static_cast<std::uint32_t>(index(id)); }

  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  EventTree& timers_;
  SmArray& array_;
  SmOwners& owners_;
  TbSupply& supply_;
  SmExits exits_;
  SmLinks links_;
  SetUpTags tags_;
  std::uint32_t engine_leaf_;
  std::uint32_t link_leaf_;
  Cycle ratio_;
  bool is_breadth_first_;
  bool issues_in_rounds_;
  bool has_carries_;
  bool has_links_;

  std::vector<SmJobs> jobs_;
  std::vector<std::uint32_t> taken_tbs_;     // by KSR: finished TBs that the engine knows of
  std::vector<std::uint32_t> saved_per_sm_;  // by KSR: the most that one SM had of the TBs in its ring
  SmSet active_, drains_, trapped_, restoring_;
  SmSet traps_, set_ups_;    // commands still to be sent
  SmSet hungry_, empty_;     // active: with a free slot, and without a TB
  SmSet has_event_, batch_;  // the event network's registers
  Cycle batch_formed_at_ = kNever;
  Cycle event_since_ = kNever;
  std::vector<Cycle> served_at_;  // in rounds: when the SM was last served

  std::optional<SearchJob> offered_;
  Cycle offered_from_ = 0;
  SearchJob search_job_;
  Cycle moved_at_ = kNever;
  std::vector<SmId> given_;    // by that job, one a cycle from then on
  std::size_t num_begun_ = 0;  // of these
  bool was_set_up_ = false;    // the last job
  std::optional<Job> job_;
  bool leaves_ = false;            // the job's SM leaves its kernel
  std::uint64_t saved_bytes_ = 0;  // of that SM
  KsrId returned_to_ = kNoKsr;     // the kernel whose TBs wait again once the SM has left it
  Cycle free_at_ = 0;              // the engine is in PICK from this core cycle on
  Cycle control_at_ = kNever;      // core cycle in which a command to an SM is on the pins
  Cycle deals_until_ = 0;
  bool issues_first_ = false;
  std::uint32_t last_issue_sm_;
  Cycle invoked_at_ = 0;

  std::optional<RefillLane> lane_;
  Cycle look_at_r_at_ = 0;             // while the lane is not empty: when R is looked at next
  Cycle offered_entry_from_ = kNever;  // R offers its entry to the engine
  Cycle table_written_at_ = 0;         // the engine's last WRITE
  bool may_any_ask_ = true;            // false: none has, and nothing has changed since
  KsrId activated_ = kNoKsr;           // the kernel that was activated last
  Stale stale_;
};

}  // namespace tessera::tlm_model
