// SPDX-License-Identifier: Apache-2.0
// States of the search, what follows them, and what comes to it in each (docs/hardware/timing.md 5).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "model/spec/names.h"
#include "rtl_model/policy/policy_table.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using State = Search::State;
using rtl_model::ControlRegister;

constexpr std::array kStates = {"idle", "begin", "scan", "activate", "walk", "drain", "judge", "move", "deal", "evict"};
constexpr std::size_t kNumStates = kStates.size();
constexpr std::size_t kNumCodes = spec::kNumPolicyCodes;

// From state to state, but for control writes.
constexpr std::array<std::pair<State, State>, 17> kSteps = {{{State::kIdle, State::kBegin},
                                                             {State::kBegin, State::kScan},
                                                             {State::kBegin, State::kWalk},
                                                             {State::kScan, State::kActivate},
                                                             {State::kScan, State::kWalk},
                                                             {State::kActivate, State::kBegin},
                                                             {State::kWalk, State::kDrain},
                                                             {State::kDrain, State::kJudge},
                                                             {State::kJudge, State::kMove},
                                                             {State::kJudge, State::kBegin},
                                                             {State::kJudge, State::kIdle},
                                                             {State::kMove, State::kBegin},
                                                             {State::kBegin, State::kEvict},
                                                             {State::kEvict, State::kBegin},
                                                             {State::kDeal, State::kBegin},
                                                             {State::kIdle, State::kDeal},
                                                             {State::kWalk, State::kDeal}}};

std::size_t index_of(State state) { return static_cast<std::size_t>(state); }

class SearchPoints final : public ICoverGroup {
 public:
  explicit SearchPoints(Coverage& coverage) : coverage_(coverage) {
    for (const auto& [from, to] : kSteps) {
      const std::string names[] = {kStates[index_of(from)], kStates[index_of(to)]};
      steps_.push_back(coverage.add("search." + names[0] + "_" + names[1], names[1] + " follows " + names[0]));
    }
    for (std::size_t i = 0; i < kNumStates; ++i) {
      const std::string state = kStates[i];
      reset_in_[i] = coverage.add("reset." + state, "reset while the search is in " + state);
      command_in_[i] = coverage.add("command." + state, "a command in " + state);
      tick_in_[i] = coverage.add("tick." + state, "a slice tick in " + state);
      engine_in_[i] = coverage.add("invoked." + state, "an SM goes free, or a kernel finishes, in " + state);
      if (!takes_writes(i)) {
        held_in_[i] = coverage.add("write.held_in_" + state, "a write waits in " + state);
        continue;
      }
      page_table_in_[i] = coverage.add("write.page_table_" + state, "a page table is written in " + state);
      policy_in_[i] = coverage.add("write.policy_" + state, "the policy is written in " + state);
      priority_in_[i] = coverage.add("write.priority_" + state, "a priority is written in " + state);
      tokens_in_[i] = coverage.add("write.tokens_" + state, "tokens are written in " + state);
      partition_in_[i] = coverage.add("write.partition_" + state, "an SM's partition is written in " + state);
    }
    for (const rtl_model::PolicyRow& row : rtl_model::kPolicyRows) {
      const std::size_t i = spec::info(row.kind).code;
      const std::string policy(spec::to_string(row.kind));
      assigns_[i] = coverage.add("outcome." + policy + "_assign", policy + " assigns SMs");
      activates_[i] = coverage.add("outcome." + policy + "_activate", policy + " lets a kernel in");
      waits_[i] = coverage.add("outcome." + policy + "_waits", policy + " ends its search with a command that waits");
      if (row.takes_away == rtl_model::Condition::kNever) continue;
      takes_[i] = coverage.add("outcome." + policy + "_reserve", policy + " takes an SM away");
      retargets_[i] = coverage.add("outcome." + policy + "_retarget", policy + " takes a reserved SM");
      if (row.takes_away == rtl_model::Condition::kRicherByTwo) continue;  // than V, which is the victim then
      finds_none_[i] = coverage.add("outcome." + policy + "_no_victim", policy + " finds nobody to take an SM from");
    }
    dropped_ = coverage.add("search.outcome_dropped", "a write in JUDGE drops an outcome");
    invoked_at_end_ = coverage.add("search.invoked_in_its_last_cycle", "an invocation in the JUDGE that would end it");
    for (const char* count : {"no_kernel", "one_kernel", "kernels"}) {
      deals_.push_back(coverage.add(std::string("deal.") + count, std::string("a deal to ") + count));
    }
    deal_of_nobody_ =
        coverage.add("deal.context_without_kernels", "tokens of a context without kernels, beside others");
  }

  void sample(const CycleView& now) override {
    const State state = now.core.search().state();
    const std::size_t at = index_of(state);
    const bool was_restarted = wrote_;
    wrote_ = now.restarts();
    sample_step(now, state, was_restarted);
    // What comes in it.
    coverage_.hit_if(command_in_[at], now.in.command.valid);
    coverage_.hit_if(tick_in_[at], now.in.slice_tick);
    coverage_.hit_if(engine_in_[at], now.core.engine().has_invoked());
    if (!takes_writes(at)) return coverage_.hit_if(held_in_[at], now.in.control.valid);
    coverage_.hit_if(page_table_in_[at], now.takes(ControlRegister::kPageTable));
    coverage_.hit_if(policy_in_[at], now.takes(ControlRegister::kPolicy));
    coverage_.hit_if(priority_in_[at], now.takes(ControlRegister::kPriority));
    coverage_.hit_if(tokens_in_[at], now.takes(ControlRegister::kTokens));
    coverage_.hit_if(partition_in_[at], now.takes(ControlRegister::kPartition));
    const bool is_judged = state == State::kJudge;
    coverage_.hit_if(dropped_, is_judged && now.restarts() && finds_something(now));
    coverage_.hit_if(invoked_at_end_, is_judged && now.core.engine().has_invoked());
  }

  void sample_reset(const rtl_model::TsrScheduler& core) override {
    coverage_.hit(reset_in_[index_of(core.search().state())]);
  }

 private:
  static bool takes_writes(std::size_t state) {
    return state != index_of(State::kActivate) && state != index_of(State::kMove) && state != index_of(State::kDeal) &&
           state != index_of(State::kEvict);
  }
  static bool finds_something(const CycleView& now) {
    const rtl_model::Trackers& trackers = now.core.search().trackers();
    return trackers.candidate().kernel.exists();
  }

  void sample_step(const CycleView& now, State state, bool was_restarted) {
    const State before = now.state_before;
    if (was_restarted && state == State::kDeal) num_dealt_ = 0;
    if (state == State::kDeal && now.ends(JobEngine::Job::kDeal)) ++num_dealt_;
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      const auto& [from, to] = kSteps[i];
      const bool is_of_write = to == State::kDeal;
      coverage_.hit_if(steps_[i], before == from && state == to && was_restarted == is_of_write);
    }
    if (before == State::kDeal && state == State::kBegin) {
      if (now.ends(JobEngine::Job::kDeal)) ++num_dealt_;
      coverage_.hit(deals_[std::min<std::size_t>(num_dealt_, 2)]);
      coverage_.hit_if(deal_of_nobody_, num_dealt_ == 0 && now.core.tables().active_queue.size() > 0);
    }
    if (before == State::kJudge && !was_restarted) sample_outcome(now, state);
    coverage_.hit_if(activates_[policy(now)], before == State::kScan && state == State::kActivate);
    if (!now.out.events.moved || before != State::kMove) return;
    coverage_.hit_if(takes_[policy(now)], now.out.events.move == rtl_model::MoveKind::kReserve);
    coverage_.hit_if(retargets_[policy(now)], now.out.events.move == rtl_model::MoveKind::kRetarget);
  }

  void sample_outcome(const CycleView& now, State state) {
    const std::size_t of = policy(now);
    const rtl_model::Search& search = now.core.search();
    if (state == State::kIdle) coverage_.hit_if(waits_[of], now.core.tables().command_buffers.num_waiting() > 0);
    if (state != State::kMove) {
      const rtl_model::Candidate candidate = search.trackers().candidate();
      return coverage_.hit_if(finds_none_[of], candidate.kernel.exists() && candidate.takes_away);
    }
    if (search.offered() != nullptr && search.offered()->kind == rtl_model::SearchJobKind::kAssign)
      coverage_.hit(assigns_[of]);
  }

  static std::size_t policy(const CycleView& now) { return now.core.search().policy().code; }

  Coverage& coverage_;
  std::vector<Coverage::Id> steps_, deals_;
  std::array<Coverage::Id, kNumStates> reset_in_{}, command_in_{}, tick_in_{}, engine_in_{}, page_table_in_{},
      held_in_{}, policy_in_{}, priority_in_{}, tokens_in_{}, partition_in_{};
  std::array<Coverage::Id, kNumCodes> assigns_{}, activates_{}, waits_{}, takes_{}, retargets_{}, finds_none_{};
  Coverage::Id dropped_, invoked_at_end_, deal_of_nobody_;
  bool wrote_ = false;
  std::size_t num_dealt_ = 0;
};

}  // namespace

std::unique_ptr<ICoverGroup> search_points(Coverage& coverage) { return std::make_unique<SearchPoints>(coverage); }

}  // namespace tessera::testbench
