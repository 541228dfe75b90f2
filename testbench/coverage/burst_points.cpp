// SPDX-License-Identifier: Apache-2.0
// Walks over kernels, what ends an assign's burst of SMs, and what a take finds
// (docs/hardware/timing.md 5.3, 5.4, 6.4).
#include <algorithm>

#include "rtl_model/policy/policy_table.h"
#include "rtl_model/tables/searched_sms.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Job = JobEngine::Job;
using Phase = JobEngine::Phase;
using State = Search::State;

// How long walks are, and what they make of kernels with equal keys.
class WalkPoints final : public ICoverGroup {
 public:
  explicit WalkPoints(Coverage& coverage)
      : coverage_(coverage),
        empty_(coverage.add("walk.empty", "a walk over an empty queue")),
        one_step_(coverage.add("walk.one_step", "a walk over a queue of one step")),
        steps_(coverage.add("walk.steps", "a walk of several steps, shorter than the longest")),
        longest_(coverage.add("walk.longest", "a walk of several steps, over a full queue")),
        equal_holders_(coverage.add("victim.equal", "of several holders with the lowest key the first is the victim")),
        not_below_(coverage.add("victim.not_below", "the lowest key of a holder is not below the candidate's")) {}

  void sample(const CycleView& now) override {
    const bool was_walking = now.state_before == State::kWalk;
    const Search& search = now.core.search();
    if (!was_walking && search.state() == State::kWalk) num_cycles_ = 0;
    if (search.state() == State::kWalk) ++num_cycles_;
    if (was_walking && search.state() == State::kDrain) sample_length(now);
    if (search.state() == State::kJudge) sample_victim(now, search.trackers());
  }

 private:
  void sample_length(const CycleView& now) {
    const std::uint64_t longest = std::uint64_t{now.params.search_steps()} * now.params.search_step_cycles;
    const bool is_one_step = num_cycles_ == now.params.search_step_cycles;
    const bool is_empty = now.core.tables().active_queue.size() == 0;
    coverage_.hit_if(empty_, is_one_step && is_empty);
    coverage_.hit_if(one_step_, is_one_step && !is_empty);
    coverage_.hit_if(steps_, !is_one_step && num_cycles_ < longest);
    coverage_.hit_if(longest_, !is_one_step && num_cycles_ == longest);
  }

  void sample_victim(const CycleView& now, const rtl_model::Trackers& trackers) {
    const rtl_model::Candidate candidate = trackers.candidate();
    if (!candidate.kernel.exists() || !candidate.takes_away || !trackers.v().exists()) return;
    coverage_.hit_if(not_below_, !trackers.is_victim(candidate.kernel));
    if (!trackers.is_victim(candidate.kernel) || !trackers.row().has(rtl_model::kLinger)) return;  // ppq
    const rtl_model::Tables& tables = now.core.tables();
    std::uint32_t num_equal = 0;
    for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
      const std::uint32_t ksr = tables.active_queue.at(i);
      const bool is_equal = tables.ksrt.traits(ksr).priority == trackers.v().priority;
      if (tables.ksrt.holds(ksr) && is_equal) ++num_equal;
    }
    coverage_.hit_if(equal_holders_, num_equal > 1);
  }

  Coverage& coverage_;
  Coverage::Id empty_, one_step_, steps_, longest_, equal_holders_, not_below_;
  std::uint64_t num_cycles_ = 0;
};

class BurstPoints final : public ICoverGroup {
 public:
  explicit BurstPoints(Coverage& coverage)
      : coverage_(coverage),
        none_(coverage.add("burst.none", "an assign gives no SM, since a hold-off has begun")),
        one_(coverage.add("burst.one", "an assign gives one SM")),
        several_(coverage.add("burst.several", "an assign gives several SMs")),
        covered_(coverage.add("burst.covered", "it ends, since its kernel has enough")),
        no_idle_(coverage.add("burst.no_idle_sm", "it ends, since there is no idle SM any more")),
        budget_(coverage.add("burst.budget", "it ends, since its kernel has no tokens left")),
        debt_(coverage.add("burst.debt", "it ends after one SM, since its kernel has none")),
        runner_up_(coverage.add("burst.runner_up", "it ends, since the next SM is the runner-up's")),
        runner_up_equal_(coverage.add("burst.runner_up_equal", "the runner-up has as many tokens left as the kernel")),
        runner_up_before_(coverage.add("burst.runner_up_before", "the runner-up is before the kernel in the queue")),
        reset_(coverage.add("burst.reset", "a reset in a burst")),
        write_waits_(coverage.add("burst.write_waits", "a control write waits in a burst")),
        foreign_(coverage.add("take.foreign", "an SM is taken from a kernel of another partition")),
        foreign_is_own_(coverage.add("take.foreign_is_own", "an SM that may be foreign is not")),
        no_foreign_(coverage.add("take.no_foreign", "the foreign SM that was seen is gone")),
        finds_none_(coverage.add("take.finds_none", "the victim has no SM any more that may be taken")) {}

  void reset() override { runner_up_is_before_ = false; }

  void sample(const CycleView& now) override {
    const JobEngine& engine = now.core.engine();
    const Search& search = now.core.search();
    if (search.state() == State::kJudge) see_runner_up(now, search.trackers());
    if (engine.phase() == Phase::kBurst && engine.job() == Job::kAssign) {
      ksr_ = engine.ksr();
      if (search.offered() != nullptr) limit_ = search.offered()->limit;
      coverage_.hit_if(write_waits_, now.in.control.valid);
    }
    if (now.ends(Job::kAssign) && !now.job.is_rejected) sample_end(now);
    if (now.ends(Job::kReserve) || now.ends(Job::kRetarget)) sample_take(now);
  }

  void sample_reset(const rtl_model::TsrScheduler& core) override {
    coverage_.hit_if(reset_, core.engine().phase() == Phase::kBurst && core.engine().job() == Job::kAssign);
  }

 private:
  void see_runner_up(const CycleView& now, const rtl_model::Trackers& trackers) {
    const rtl_model::KernelView& a = trackers.a();
    const rtl_model::KernelView& r = trackers.runner_up();
    is_of_runner_up_ = trackers.is_runner_up_next();
    in_debt_ = a.exists() && a.tokens_left <= 0;
    runner_up_is_equal_ = is_of_runner_up_ && r.tokens_left == a.tokens_left;
    runner_up_is_before_ = false;
    if (!is_of_runner_up_) return;
    const rtl_model::Tables& tables = now.core.tables();
    for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
      if (tables.active_queue.at(i) == a.ksr) break;
      runner_up_is_before_ = runner_up_is_before_ || tables.active_queue.at(i) == r.ksr;
    }
  }

  void sample_end(const CycleView& now) {
    const unsigned num_given = now.job.num_given;
    if (num_given == 0) return coverage_.hit(none_);
    coverage_.hit(num_given == 1 ? one_ : several_);
    const rtl_model::Tables& tables = now.core.tables();
    const rtl_model::KsrRow& row = tables.ksrt.row(ksr_);
    const std::uint64_t waiting = std::uint64_t{row.remaining} + row.preempted;
    const bool is_covered =
        now.params.is_breadth_first ? waiting <= row.owned + row.reserved : waiting <= std::uint64_t{row.covered};
    if (is_covered) return coverage_.hit(covered_);
    const bool in_partitions = now.core.search().trackers().row().has(rtl_model::kPartitions);
    const rtl_model::SearchedSms sms(tables, in_partitions);
    const bool has_idle = sms.idle_for(tables.ksrt.traits(ksr_).priority).any();
    if (!has_idle) return coverage_.hit(no_idle_);
    if (limit_ == rtl_model::kNone || num_given != limit_) return;
    coverage_.hit(is_of_runner_up_ ? runner_up_ : in_debt_ ? debt_ : budget_);
    coverage_.hit_if(runner_up_equal_, runner_up_is_equal_);
    coverage_.hit_if(runner_up_before_, runner_up_is_before_);
  }

  void sample_take(const CycleView& now) {
    const JobView& job = now.job;
    if (job.finds_no_sm) return coverage_.hit(job.is_of_foreign ? no_foreign_ : finds_none_);
    if (!job.is_of_foreign) return;
    coverage_.hit_if(foreign_, !job.is_rejected);
    coverage_.hit_if(foreign_is_own_, job.is_rejected && job.is_own);
  }

  Coverage& coverage_;
  Coverage::Id none_, one_, several_, covered_, no_idle_, budget_, debt_, runner_up_, runner_up_equal_,
      runner_up_before_, reset_, write_waits_, foreign_, foreign_is_own_, no_foreign_, finds_none_;
  std::uint32_t ksr_ = rtl_model::kNone, limit_ = rtl_model::kNone;  // of the assign
  bool is_of_runner_up_ = false, in_debt_ = false, runner_up_is_equal_ = false, runner_up_is_before_ = false;
};

}  // namespace

std::unique_ptr<ICoverGroup> walk_points(Coverage& coverage) { return std::make_unique<WalkPoints>(coverage); }
std::unique_ptr<ICoverGroup> burst_points(Coverage& coverage) { return std::make_unique<BurstPoints>(coverage); }

}  // namespace tessera::testbench
