// SPDX-License-Identifier: Apache-2.0
// The decision study beyond [T14]: searches of other lengths, and what they cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/studies.h"
#include "tests/campaign/t14_support.h"

namespace tessera::campaign::t14 {
namespace {

using test::base;
using test::request_for;

// The decision study on spmv, whose kernels take 42 us, and cutcp; each has the high priority once. On the engine whose
// searches are those of the paper: the serialised one's go over kernels, and two of them take two cycles, not thirteen.
struct DecisionOfTwo {
  explicit DecisionOfTwo(const std::vector<std::string>& keep) {
    Plan& plan = plans.emplace_back();
    plan.base = base({"stop.min_runs=1", "gpu.framework.engine=ideal"});
    plan.base.processes = {plan.base.processes.at(3), plan.base.processes.at(8)};
    plan.studies = {decision_study(plan.base), priority_study(plan.base)};
    for (Study& study : plan.studies) {
      std::vector<campaign::Scheme> kept;
      for (const campaign::Scheme& scheme : study.schemes) {
        if (std::find(keep.begin(), keep.end(), scheme.name) != keep.end()) kept.push_back(scheme);
      }
      study.schemes = kept;
    }
    plan.num_processes = {2};
    plan.num_workloads = 2;
    Options options;
    options.num_workers = 2;
    options.is_interrupted = [] { return false; };
    results = std::move(run_campaign(plans, options).front());
  }
  const Measurement& measured(std::string_view study, std::size_t cell, const std::string& scheme) const {
    const Group& group = results.group(std::string(study), 2);
    return group.cells[cell].schemes[group.scheme(scheme)];
  }

  std::vector<Plan> plans;
  Results results;
};

TEST(T14Decision, HasEveryExclusiveSchemeWithEverySearch) {
  const spec::Spec machine = base({"gpu.num_sms=4"});
  const Study study = decision_study(machine);
  EXPECT_EQ(study.schemes.size(), 4 * std::size(kSearches));
  EXPECT_EQ(study.dma_policy, spec::DmaPolicy::kNpq);
  EXPECT_TRUE(study.has_high_priority);
  Plan plan;
  plan.base = machine;
  for (const campaign::Scheme& scheme : study.schemes) {
    const spec::Spec spec = spec_of(plan, study, scheme, {{0, 1}, false});
    EXPECT_EQ(spec.scheduler.search_width, 4U) << "one step";
    EXPECT_EQ(scheme.name.substr(scheme.name.rfind('_')), "_" + std::to_string(spec.gpu.framework.search_entry_cycles));
    EXPECT_EQ(scheme.scheduler.access, spec::Access::kExclusive);
  }
}

TEST(T14Decision, WithThePapersSearchIsThePriorityStudy) {
  const std::vector<std::string> plain{"fcfs", "npq", "ppq_context_switch", "ppq_drain"};
  std::vector<std::string> keep = plain;
  for (const std::string& scheme : plain) keep.push_back(with_search(scheme, kPapersSearch));
  const DecisionOfTwo run(keep);
  EXPECT_THAT(run.results.violations, ::testing::IsEmpty());
  for (const std::string& scheme : plain) {
    for (const std::size_t cell : {0U, 1U}) {
      EXPECT_EQ(run.measured(kPriorityStudy, cell, scheme).ntt,
                run.measured(kDecisionStudy, cell, with_search(scheme, kPapersSearch)).ntt)
          << scheme;
    }
  }
}

TEST(T14Decision, OfManyMicrosecondsCostsShortKernelsMost) {
  std::vector<std::string> keep;
  for (const campaign::Scheme& scheme : decision_study(base()).schemes) keep.push_back(scheme.name);
  const DecisionOfTwo run(keep);
  const auto at = [&](const Figure& figure, const std::string& panel, const std::string& series, const char* cycles) {
    for (const Value& value : figure.values) {
      if (value.panel == panel && value.series == series && value.category == cycles) return value.ours.mean;
    }
    ADD_FAILURE() << "no " << panel << series << cycles;
    return 0.0;
  };
  const Figure gain = decision(run.plans.front(), run.results);
  const Figure cost = decision_cost(run.plans.front(), run.results);
  for (const char* series : {"ppq_context_switch", "ppq_drain"}) {
    // Draining pays less: SMs that go idle during a search are given together by the next one.
    EXPECT_GT(at(gain, "short at 2", series, "13"), 1.25 * at(gain, "short at 2", series, "10000"));
    EXPECT_GT(at(cost, "short at 2", series, "10000"), 1.25 * at(cost, "medium at 2", series, "10000"));
    EXPECT_DOUBLE_EQ(at(cost, "average at 2", series, "13"), 1);
  }
  EXPECT_DOUBLE_EQ(at(gain, "average at 2", "fcfs", "13"), 1);
  EXPECT_EQ(meaning_of(gain, "13"), (std::vector<std::string>{"0.0184", "hardware, a row a cycle, 13 SMs"}));
}

TEST(T14Decision, IsATargetOfItsOwn) {
  EXPECT_FALSE(paper_of("t14").has_averages("t14-decision"));
  Request request = request_for("t14-decision", {"stop.min_runs=1"});
  const Reproduction reproduction = reproduce(request);
  EXPECT_THAT(reproduction.violations, ::testing::IsEmpty());
  ASSERT_EQ(reproduction.figures.size(), 2U);
  for (const Figure& figure : reproduction.figures) {
    EXPECT_EQ(figure.time_base, "kernel_time");
    EXPECT_FALSE(figure.curves.empty());
  }
  // 10 alone; 4 schemes x 5 searches x 2 numbers of processes.
  EXPECT_EQ(reproduction.effort.simulations, 10U + 4 * 5 * 2);
  EXPECT_THAT(reproduction.measurements_csv, ::testing::HasSubstr("decision,8,0,calibration,ppq_drain_10000,7,"));
}

}  // namespace
}  // namespace tessera::campaign::t14
