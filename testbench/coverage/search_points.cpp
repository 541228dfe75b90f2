// SPDX-License-Identifier: Apache-2.0
// The search: how walks, activations and distributions end, and what meets their last cycle.
#include "rtl_model/policy_register.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

class SearchPoints final : public ICoverGroup {
 public:
  explicit SearchPoints(Coverage& coverage) : coverage_(coverage) {}

  void sample(const CycleView& now) override {
    sample_events(now);
    sample_distribution(now);
    sample_ticks(now);
    sample_outcome(now);
  }

 private:
  void sample_events(const CycleView& now) {
    const bool is_walking = now.search.state == SearchState::kWalk;
    const bool is_settling = now.search.state == SearchState::kSettle;
    coverage_.hit_if(check_and_write_, now.search.is_checking && now.has_write());
    coverage_.hit_if(check_and_choice_, now.search.is_checking && now.out.dispatch.valid);
    coverage_.hit_if(event_before_check_, is_settling && now.search.cycle == 0 && now.takes_event());
    coverage_.hit_if(event_as_it_ends_,
                     is_settling && !now.search.is_checking && now.search.cycle != 0 && now.takes_event());
    coverage_.hit_if(pending_first_, is_walking && !now.search.is_second && now.search.is_pending);
    coverage_.hit_if(pending_second_, is_walking && now.search.is_second && now.search.is_pending);
    coverage_.hit_if(decided_and_event_, now.out.events.policy_decided && !is_quiet(now.in));
    if (!now.writes(ControlRegister::kPolicy)) return;
    coverage_.hit_if(policy_in_walk_, is_walking);
    coverage_.hit_if(policy_in_settling_, is_settling);
    coverage_.hit_if(policy_in_activation_, now.search.state == SearchState::kActivate);
    coverage_.hit_if(policy_idle_, now.search.state == SearchState::kIdle);
    coverage_.hit_if(reserved_code_, (now.in.control.data & kPolicyCodeMask) >= kNumPolicyCodes);
  }
  void sample_distribution(const CycleView& now) {
    if (now.search.state != SearchState::kDistribute) return;
    coverage_.hit_if(distribution_none_, now.tables.active_queue.size() == 0);
    coverage_.hit_if(distribution_full_, now.tables.active_queue.is_full());
    coverage_.hit_if(policy_in_distribution_, now.writes(ControlRegister::kPolicy));
    coverage_.hit_if(write_in_distribution_, now.has_write() && !now.writes(ControlRegister::kPolicy));
    coverage_.hit_if(tick_in_distribution_, now.in.slice_tick);
    coverage_.hit_if(handle_in_distribution_, now.in.handle.valid);
    coverage_.hit_if(command_in_distribution_, now.in.command.valid);
  }
  void sample_ticks(const CycleView& now) {
    if (!now.in.slice_tick) return;
    bool is_changing = false;
    for (const SmPhase phase : now.phases)
      is_changing = is_changing || (phase != SmPhase::kIdle && phase != SmPhase::kActive);
    const bool is_time_slice = policy_with_code(now.policy & kPolicyCodeMask).has_timer;
    coverage_.hit_if(tick_stays_, is_time_slice && is_changing);
    coverage_.hit_if(tick_passes_, is_time_slice && !is_changing && now.search.state == SearchState::kIdle);
    coverage_.hit_if(tick_waits_, is_time_slice && !is_changing && now.search.state == SearchState::kWalk);
    coverage_.hit_if(tick_twice_, now.search.tick_waits);
    coverage_.hit_if(tick_other_policy_, !is_time_slice);
  }

  // ---- how the cycle before ended

  void sample_outcome(const CycleView& now) {
    const SearchView& before = now.before.search;
    const bool is_begin = before.state == SearchState::kBegin;
    const bool was_activating = before.state == SearchState::kActivate ||
                                (is_begin && (now.out.events.activated || now.search.state == SearchState::kActivate));
    const bool was_walking =
        before.state == SearchState::kWalk || before.state == SearchState::kSettle || (is_begin && !was_activating);
    if (was_activating && before.step + 1 == now.params.activation_cycles) return sample_activation(now);
    if (was_walking && is_last_of_walk(now.params, before))
      before.is_second ? sample_second_walk(now) : sample_first_walk(now);
  }
  static bool is_last_of_walk(const Params& params, const SearchView& search) {
    if (params.is_pipelined) {
      return search.state == SearchState::kSettle && search.cycle + 1 == params.outcome_cycles();
    }
    return search.step + 1 == params.search_steps && search.cycle + 1 == params.search_step_cycles;
  }
  bool was_written(const CycleView& now) const {
    return now.before.in.control.valid && now.before.in.control.reg != ControlRegister::kPageTable;
  }
  void sample_activation(const CycleView& now) {
    if (was_written(now)) return coverage_.hit(write_drops_activation_);
    if (now.out.events.activated) return;
    coverage_.hit(now.out.kernel_done.valid ? activation_delayed_ : activation_overtaken_);
  }
  void sample_first_walk(const CycleView& now) {
    coverage_.hit_if(tick_in_last_cycle_, now.before.in.slice_tick);
    coverage_.hit_if(event_in_last_cycle_, now.before.in.sm_event.valid && now.before.out.sm_event_ready);
    if (was_written(now)) return sample_dropped(now, write_drops_first_);
    if (now.out.events.moved) return sample_move(now);
    if (now.search.is_second && now.search.state == SearchState::kWalk) return coverage_.hit(first_to_second_);
    if (now.out.events.policy_decided) return coverage_.hit(first_ends_);
    // Back to begin, and no event that would have been a reason: the candidate was not good any more.
    const bool had_event = now.before.search.is_pending || !is_quiet(now.before.in) || now.out.events.any();
    coverage_.hit(had_event ? first_again_ : first_stale_);
  }
  void sample_second_walk(const CycleView& now) {
    if (was_written(now)) return sample_dropped(now, write_drops_second_);
    if (now.out.events.moved) return sample_move(now);
    if (now.out.events.policy_decided) return coverage_.hit(second_ends_);
    coverage_.hit(now.search.has_victim ? second_stale_ : second_again_);
  }
  void sample_dropped(const CycleView& now, Coverage::Id walk) {
    coverage_.hit(walk);
    // The SMs waited, and not for an internal event, which would have been carried out instead: for the move.
    const bool has_waited = !now.before.out.sm_event_ready && !now.out.events.preempted && !now.out.events.released;
    coverage_.hit_if(write_drops_move_, has_waited && !now.params.is_breadth_first);
  }
  void sample_move(const CycleView& now) {
    const SchedulerInputs& in = now.before.in;
    coverage_.hit_if(move_and_event_, in.sm_event.valid);
    coverage_.hit_if(move_and_handle_, in.handle.valid);
    coverage_.hit_if(move_and_command_, in.command.valid);
    coverage_.hit_if(move_and_tick_, in.slice_tick);
    coverage_.hit_if(move_and_page_table_, in.control.valid);
  }

  Coverage& coverage_;
  const Coverage::Id check_and_write_ =
      coverage_.add("check.write", "a control write while a pipelined search is checking");
  const Coverage::Id check_and_choice_ =
      coverage_.add("check.dispatch", "a TB is sent while a pipelined search is checking");
  const Coverage::Id event_before_check_ =
      coverage_.add("check.event_before", "an SM event in the cycle before a pipelined search is checking");
  const Coverage::Id event_as_it_ends_ =
      coverage_.add("check.event_after", "an SM event in the last cycle of a pipelined walk, which has no move");
  const Coverage::Id pending_first_ = coverage_.add("search.pending_in_first_walk", "an event while kernels pass");
  const Coverage::Id pending_second_ = coverage_.add("search.pending_in_second_walk", "an event while victims pass");
  const Coverage::Id decided_and_event_ =
      coverage_.add("search.input_as_it_rests", "an input in the first cycle after a decision");
  const Coverage::Id first_ends_ = coverage_.add("search.first_walk_ends", "there is no candidate for an SM");
  const Coverage::Id first_again_ = coverage_.add("search.first_walk_again", "an event makes another walk follow");
  const Coverage::Id first_stale_ =
      coverage_.add("search.first_candidate_stale", "the candidate for an idle SM is not good any more");
  const Coverage::Id first_to_second_ = coverage_.add("search.looks_for_victim", "no idle SM: a second walk");
  const Coverage::Id second_ends_ = coverage_.add("search.second_walk_ends", "there is no victim");
  const Coverage::Id second_again_ =
      coverage_.add("search.second_walk_again", "there is no victim, and an event makes another walk follow");
  const Coverage::Id second_stale_ = coverage_.add("search.victim_or_candidate_stale",
                                                   "the victim has changed, or the candidate: the decision repeats");
  const Coverage::Id activation_delayed_ =
      coverage_.add("activation.delayed_by_finish", "a kernel finishes in the last cycle of an activation");
  const Coverage::Id activation_overtaken_ =
      coverage_.add("activation.overtaken", "in the last cycle of an activation no command may be activated any more");
  const Coverage::Id write_drops_activation_ =
      coverage_.add("write.drops_activation", "a control write in the last cycle of an activation");
  const Coverage::Id write_drops_first_ =
      coverage_.add("write.drops_first_walk", "a control write in the last cycle of a first walk");
  const Coverage::Id write_drops_second_ =
      coverage_.add("write.drops_second_walk", "a control write in the last cycle of a second walk");
  const Coverage::Id write_drops_move_ = coverage_.add("write.drops_move", "a control write in the cycle of a move");
  const Coverage::Id policy_in_walk_ = coverage_.add("write.policy_in_walk", "another policy while one decides");
  const Coverage::Id policy_in_settling_ =
      coverage_.add("write.policy_in_settling", "another policy after the last rows of a pipelined walk");
  const Coverage::Id policy_in_activation_ =
      coverage_.add("write.policy_in_activation", "another policy in an activation");
  const Coverage::Id policy_in_distribution_ =
      coverage_.add("write.policy_in_distribution", "another policy while tokens are distributed");
  const Coverage::Id policy_idle_ = coverage_.add("write.policy_at_rest", "another policy while the search is idle");
  const Coverage::Id reserved_code_ = coverage_.add("write.reserved_policy_code", "a policy code that no policy has");
  const Coverage::Id write_in_distribution_ =
      coverage_.add("write.in_distribution", "a priority or tokens write while tokens are distributed");
  const Coverage::Id distribution_none_ =
      coverage_.add("distribution.no_kernel", "a distribution with no kernel active");
  const Coverage::Id distribution_full_ =
      coverage_.add("distribution.full_queue", "a distribution to a full active queue");
  const Coverage::Id handle_in_distribution_ = coverage_.add("distribution.handle", "a handle during a distribution");
  const Coverage::Id command_in_distribution_ =
      coverage_.add("distribution.command", "a command during a distribution");
  const Coverage::Id tick_in_distribution_ = coverage_.add("tick.in_distribution", "a tick during a distribution");
  const Coverage::Id tick_passes_ =
      coverage_.add("tick.passes_at_rest", "a tick passes the turn while the search is idle");
  const Coverage::Id tick_waits_ = coverage_.add("tick.waits", "a tick during a walk");
  const Coverage::Id tick_twice_ = coverage_.add("tick.twice_before_begin", "a tick while one waits");
  const Coverage::Id tick_stays_ = coverage_.add("tick.while_hands_change", "a tick that does not pass the turn");
  const Coverage::Id tick_in_last_cycle_ =
      coverage_.add("tick.in_last_cycle", "a tick in the last cycle of a first walk");
  const Coverage::Id tick_other_policy_ =
      coverage_.add("tick.other_policy", "a tick while the policy is not time_slice");
  const Coverage::Id event_in_last_cycle_ =
      coverage_.add("search.event_in_last_cycle", "an SM event is taken in the last cycle of a first walk");
  const Coverage::Id move_and_event_ = coverage_.add("meeting.move_and_event", "an SM event waits for a move");
  const Coverage::Id move_and_handle_ = coverage_.add("meeting.move_and_handle", "a handle in the cycle of a move");
  const Coverage::Id move_and_command_ = coverage_.add("meeting.move_and_command", "a command in the cycle of a move");
  const Coverage::Id move_and_tick_ = coverage_.add("meeting.move_and_tick", "a tick in the cycle of a move");
  const Coverage::Id move_and_page_table_ =
      coverage_.add("meeting.move_and_page_table", "a page-table write in the cycle of a move: both");
};

}  // namespace

std::unique_ptr<ICoverGroup> search_points(Coverage& coverage) { return std::make_unique<SearchPoints>(coverage); }

}  // namespace tessera::testbench
