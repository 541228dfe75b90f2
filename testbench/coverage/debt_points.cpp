// SPDX-License-Identifier: Apache-2.0
// Idle SMs and kernels of dss without tokens left (docs/hardware/timing.md 5.4, debt).
#include "rtl_model/policy/policy_table.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using rtl_model::Debt;
using State = Search::State;

class DebtPoints final : public ICoverGroup {
 public:
  explicit DebtPoints(Coverage& coverage)
      : coverage_(coverage),
        always_(coverage.add("debt.always", "a kernel without tokens left gets an idle SM")),
        gap_(coverage.add("debt.gap", "one gets it, since another has two tokens fewer")),
        nobody_(coverage.add("debt.nobody_holds", "one gets it, since nobody holds an SM")),
        gap_lone_(coverage.add("debt.gap_lone", "one gets it without a gap, since it is lone")),
        lone_(coverage.add("debt.lone", "one gets it under the rule lone")),
        lone_of_process_(coverage.add("debt.lone_process", "one gets it beside others of its process")),
        withheld_(coverage.add("debt.withheld", "an SM stays idle by rule")),
        withheld_of_process_(coverage.add("debt.withheld_process", "one does under budgets of processes")),
        withheld_of_one_process_(coverage.add("debt.withheld_company", "one does from kernels of a single process")),
        withheld_never_(coverage.add("debt.withheld_never", "one does from a lone kernel")),
        given_again_(coverage.add("debt.over", "after that a decision leaves none")) {}

  void sample(const CycleView& now) override {
    const rtl_model::Search& search = now.core.search();
    const bool is_judged = now.state_before == State::kJudge;
    if (is_judged && search.trackers().row().has(rtl_model::kBudgets)) sample_outcome(now, search);
    if (!now.out.events.policy_decided) return;
    coverage_.hit_if(given_again_, was_withheld_ && !now.out.events.withheld);
    was_withheld_ = now.out.events.withheld;
  }

 private:
  void sample_outcome(const CycleView& now, const rtl_model::Search& search) {
    const rtl_model::Trackers& trackers = search.trackers();
    const rtl_model::KernelView kernel = trackers.candidate().kernel;
    if (!kernel.exists() || kernel.tokens_left > 0) return;
    const rtl_model::PolicyRegister& policy = search.policy();
    const bool gets_it = is_offered(search, rtl_model::SearchJobKind::kAssign);
    const bool is_gap = trackers.v().exists() && kernel.tokens_left > trackers.v().tokens_left + 1;
    coverage_.hit_if(always_, gets_it && policy.debt == Debt::kAlways);
    coverage_.hit_if(gap_, gets_it && policy.debt == Debt::kGap && is_gap);
    coverage_.hit_if(nobody_, gets_it && policy.debt == Debt::kGap && !trackers.v().exists());
    coverage_.hit_if(gap_lone_, gets_it && policy.debt == Debt::kGap && trackers.v().exists() && !is_gap);
    coverage_.hit_if(lone_, gets_it && policy.debt == Debt::kLone);
    const bool has_company = now.core.tables().active_queue.size() > 1;
    coverage_.hit_if(lone_of_process_, gets_it && policy.debt == Debt::kLone && has_company);
    const bool is_withheld = now.out.events.withheld;
    coverage_.hit_if(withheld_, is_withheld);
    coverage_.hit_if(withheld_of_process_, is_withheld && policy.by_process);
    coverage_.hit_if(withheld_of_one_process_, is_withheld && !policy.by_process && has_company && is_one_process(now));
    coverage_.hit_if(withheld_never_, is_withheld && trackers.is_lone());
  }

  static bool is_offered(const rtl_model::Search& search, rtl_model::SearchJobKind kind) {
    return search.offered() != nullptr && search.offered()->kind == kind;
  }
  static bool is_one_process(const CycleView& now) {
    const rtl_model::Tables& tables = now.core.tables();
    const auto context = [&](std::uint32_t i) { return tables.ksrt.traits(tables.active_queue.at(i)).context; };
    for (std::uint32_t i = 1; i < tables.active_queue.size(); ++i) {
      if (context(i) != context(0)) return false;
    }
    return true;
  }

  Coverage& coverage_;
  bool was_withheld_ = false;
  Coverage::Id always_, gap_, nobody_, gap_lone_, lone_, lone_of_process_, withheld_, withheld_of_process_,
      withheld_of_one_process_, withheld_never_, given_again_;
};

}  // namespace

std::unique_ptr<ICoverGroup> debt_points(Coverage& coverage) { return std::make_unique<DebtPoints>(coverage); }

}  // namespace tessera::testbench
