// SPDX-License-Identifier: Apache-2.0
// Is every decision of a log what the experiment's policy decides, on the tables as the log shows them, and in the time
// that the Spec gives it? Judges a log by itself, step by step: what went before, right or wrong, is taken as it is.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/policy/kept_turn.h"
#include "model/policy/policy.h"
#include "model/record/record.h"
#include "model/spec/spec.h"
#include "verification/agreement/event_port.h"
#include "verification/agreement/step_times.h"
#include "verification/log_check/log_checker.h"

namespace tessera::verification {

// A step is an activation, a move, or the end of a decision, which says that nothing is left to do.
struct DecisionReport {
  std::uint64_t steps = 0;
  std::uint64_t disturbed = 0;  // an event fell into the step, or so shortly before that a core may not have seen it
  std::uint64_t overtaken = 0;  // of these: no state of the tables within the step gives what was decided
  std::map<std::string, std::uint64_t> moves;  // "sm_set_up", "preemption_requested 0 for 2": processes
  std::uint64_t num_faults = 0;
  std::vector<std::string> faults;  // the first few: nothing fell into the step, and it is wrong
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DecisionReport, steps, disturbed, overtaken, moves, num_faults, faults)

// The policy is model/policy's: for the transaction-level log this is a check of the log, for a clocked one, whose
// core was written apart, of the core. Where one kernel is launched with several priorities nothing is judged: a log
// does not say which. Follows the log a little behind, since a TB stands in the tables before it runs.
class DecisionAudit final : public record::ISink {
 public:
  // `judge`: another policy than the one that the Spec names.
  DecisionAudit(const spec::Spec& spec, CoreKind core, std::unique_ptr<policy::IPolicy> judge = nullptr);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;
  void finish(Cycle end) override;
  const DecisionReport& report() const { return report_; }
  // When the policy's timer ticked while it decided: no record says so.
  const std::vector<Cycle>& inner_ticks() const { return inner_ticks_; }

 private:
  struct Launch {
    std::uint16_t process = record::kNoIndex;
    std::uint16_t kernel = record::kNoIndex;
    KsrId ksr = kNoKsr;  // while active
  };
  // TBs that an SM gets, or its hand-over, later than the cycle that is being looked at.
  struct Coming {
    record::Kind kind = record::Kind::kTbIssued;
    Cycle cycle = 0;
    std::uint32_t launch = record::kNoNumber;
    std::uint32_t num_tbs = 0;
    bool is_counted = false;
  };
  struct Sm {
    std::deque<Coming> coming;
    Cycle preempted_at = kNever;
    Cycle set_up_until = 0;
    std::deque<Cycle> answers;  // to its last set-ups: when the core will have heard them
    bool is_restoring = false;
    std::uint32_t num_flushed = 0;  // TBs whose handles it has still to give back
  };
  using Batch = std::vector<record::Record>;  // of one cycle

  // From the log to the tables.
  void queue(const record::Record& record);
  void process(const Batch& batch);
  bool is_released_by_policy(const Batch& batch, const record::Record& released) const;
  bool is_hand_over(const record::Record& set_up) const;
  void note_disturbances(const Batch& batch);
  void visit_event(const record::Record& record);
  static bool is_entry(record::Kind kind);  // TBs come to an SM
  void flushed_tbs_return(const record::Record& preempted);
  void tbs_entered(const record::Record& record);
  void read_handles(Cycle now);
  bool is_issuing(Cycle now) const;
  static bool starts_reading(const Sm& sm);
  void count_tbs(policy::SchedulingTables& tables, SmId sm, const Coming& entry) const;
  void set_up(const record::Record& record);
  void note_missing_answers(const record::Record& released);
  void release(const record::Record& record);
  void hand_over(const record::Record& record);
  void kernel_finished(const record::Record& record);
  void look_ahead(const record::Record& record);
  std::uint32_t num_tbs_of(const record::Record& record) const;
  const KernelFacts& facts_of(const Launch& launch) const { return facts_.kernels[launch.process][launch.kernel]; }

  // The timer of a policy that wants one.
  void run_timer(Cycle until);
  void update_timer(Cycle now);
  // Lingers: their timer, which no record tells of.
  void run_linger(Cycle until);
  void update_linger(Cycle now);
  bool starts_restore(const Sm& sm, Cycle now) const;
  bool is_any_sm_changing_hands(Cycle now) const;

  // Steps.
  void end_unrecorded_search(Cycle until);
  struct Step {
    record::Record record;
    policy::Decision decision;  // of a move
    CommandBufferId activated = kNoCommandBuffer;
  };
  bool is_disturbance(const record::Record& record) const;
  Step step_of(const record::Record& record) const;
  void visit_step(const record::Record& record);
  void count_move(const Step& step);
  void judge(const Step& step);
  bool is_of_assign(const Step& step) const;
  bool is_in_time(const Step& step) const;
  bool is_right(const Step& step, const policy::SchedulingTables& tables);
  bool is_right_ahead(const Step& step);
  bool is_right_in_another_turn(const Step& step);
  bool is_right_for_another_owner(const Step& step);
  void carry_out(const Step& step);
  void activate(const Step& step);
  void reserve(const Step& step);
  void count_coming(SmId sm);

  // A kept turn (docs/hardware/timing.md 3.12): its records say whose it is, and evictions follow from it.
  static bool is_eviction(const record::Record& record);
  void turn_changed(const record::Record& record);
  void evict(const record::Record& requested);
  void check_eviction(const Batch& batch);
  spec::TechniqueKind technique_of_eviction() const;
  void fault(const record::Record& record, const std::string& what);

  void find_priorities();
  CommandBufferId buffer_of(std::uint16_t process) const;
  policy::CommandEntry command_of(const record::Record& arrived) const;

  const spec::Spec& spec_;
  LogFacts facts_;
  bool is_breadth_first_;
  StepTimes times_;
  bool is_one_job_;
  LinkDelays links_;
  Cycle look_ahead_;
  policy::SchedulingTables tables_;
  bool is_turn_kept_;
  policy::SeenTurn turn_;  // a kept one
  bool is_turn_on_its_way_ = true;
  std::unique_ptr<policy::IPolicy> policy_;
  std::vector<std::vector<std::uint32_t>> priorities_;  // [process][kernel]
  std::vector<Launch> launches_;                        // by LaunchId
  std::vector<Sm> sms_;
  std::deque<Batch> batches_;  // by cycle
  EventPort port_;
  Cycle timer_ = kNever;
  Cycle linger_over_ = kNever;
  std::vector<Cycle> inner_ticks_;

  std::deque<Cycle> invocations_;               // of decisions that go on
  std::deque<Cycle> activations_;               // that are to come
  bool has_searched_ = false;                   // before the next one
  bool has_arrivals_ = false;                   // before the first, the OS writes registers, which a log does not show
  Cycle span_begin_ = 0;                        // of the step under way
  KsrId assigned_ = kNoKsr;                     // the kernel to which the step before it gave an SM
  Cycle decided_from_ = 0;                      // the step, or the assign that it belongs to
  bool is_assign_excused_ = false;              // something fell into the decision of that, or it was one of before
  std::vector<policy::SchedulingTables> seen_;  // what the tables were before each disturbance of the span
  Cycle last_disturbance_ = 0;
  bool is_turn_in_doubt_ = false;
  bool has_passed_turn_ = false;  // in this decision, otherwise than the log of its timer says
  bool is_lost_ = false;
  DecisionReport report_;
};

}  // namespace tessera::verification
