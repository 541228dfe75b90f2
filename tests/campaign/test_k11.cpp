// SPDX-License-Identifier: Apache-2.0
// [K11]: timelines of the core, what scenarios make of the experiment, and frame rates from frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/k11/cast.h"
#include "campaign/k11/figures.h"
#include "campaign/k11/timeline.h"
#include "campaign/papers.h"

namespace tessera::campaign::k11 {
namespace {

spec::Spec k11_base() { return load_paper(TESSERA_SOURCE_DIR "/configs/papers/k11.yaml", {}); }

Request k11_request(const std::string& target) {
  Request request;
  request.target = target;
  request.load = [](const std::vector<std::string>& overrides) {
    return load_paper(TESSERA_SOURCE_DIR "/configs/papers/k11.yaml", overrides);
  };
  request.options.is_interrupted = [] { return false; };
  return request;
}

TEST(K11Timelines, OfFigures5And6ComeOutEventForEvent) {
  for (const char* target : {"k11-fig5", "k11-fig6"}) {
    const Reproduction reproduction = reproduce(k11_request(target));
    ASSERT_EQ(reproduction.figures.size(), 1U);
    EXPECT_FALSE(reproduction.figures.front().orderings.empty());
    for (const Ordering& ordering : reproduction.figures.front().orderings) {
      EXPECT_TRUE(ordering.holds) << ordering.claim << ": " << ordering.evidence;
    }
  }
}

TEST(K11Timelines, AreTextInOrderOfSubmission) {
  using From = TimelineStep::From;
  const std::vector<TimelineTask> one{{"T", {command_scheduling::Dispatch::kPrt, 0}, {{From::kTime, 2, 5}}}};
  EXPECT_EQ(spans_text(run_timeline(one, 0, 10)), "T 2-7");
  EXPECT_EQ(budgets_text(run_timeline(one, 0, 10, {{4, 10, 0, false}})), "-1 at 7, 3 at 10");
}

TEST(K11Scenarios, UnderNouveauHoldNothingBack) {
  const spec::Spec spec = spec_of(k11_base(), vanilla({game("openarena"), x_server()}), kPicosecondsPerSecond);
  EXPECT_EQ(spec.driver.kind, spec::DriverKind::kPassThrough);
  EXPECT_EQ(spec.processes.size(), 2U);
  EXPECT_EQ(spec.stop.max_time, kPicosecondsPerSecond);
}

TEST(K11Scenarios, UnderTimeGraphHaveAnEntryATask) {
  const auto tasks = with({game("padman")}, bombs(2, shared(pe(2500, 25000))));
  const spec::Spec spec = spec_of(k11_base(), timegraph(tasks), kPicosecondsPerSecond);
  ASSERT_EQ(spec.driver.entries.size(), 3U);
  EXPECT_EQ(spec.driver.entries[0].dispatch, spec::GroupDispatch::kHt);
  EXPECT_EQ(spec.driver.entries[2].name, "clearspd-2");
  EXPECT_EQ(spec.driver.entries[2].shared_reserve, "shared");
  EXPECT_EQ(spec.driver.entries[2].capacity, 2'500'000'000U);
  EXPECT_EQ(spec.processes[1].application, spec.processes[2].application);
}

TEST(K11Scenarios, OfDifferentSpecificationsHaveDifferentNames) {
  EXPECT_NE(timegraph({bomb(pe(2500, 25000))}).name, timegraph({bomb(ae(2500, 25000))}).name);
  EXPECT_NE(timegraph({bomb(pe(2500, 25000))}).name, timegraph({bomb(shared(pe(2500, 25000)))}).name);
  EXPECT_NE(timegraph({bomb()}).name, vanilla({bomb()}).name);
}

TEST(K11Rates, OfManyFramesAreReadBetweenTheFirstAndTheLast) {
  Outcome outcome;
  outcome.time_s = 1;
  outcome.tasks.resize(1);
  for (int i = 1; i <= 50; ++i) outcome.tasks[0].frames.push_back(0.0199 * i);
  EXPECT_NEAR(outcome.rate(), 1 / 0.0199, 1e-6);
}

TEST(K11Rates, OfFewFramesAreThoseOverTheTime) {
  Outcome outcome;
  outcome.time_s = 1;
  outcome.tasks.resize(1);
  EXPECT_EQ(outcome.rate(), 0);
  outcome.tasks[0].frames = {0.05, 0.5, 0.6};  // the first is of the warm-up
  EXPECT_DOUBLE_EQ(outcome.rate(), 2 / 0.9);
  EXPECT_EQ(outcome.rates(0, 0.5), (std::vector<double>{2, 4}));
}

TEST(K11Targets, BelongToItsPaper) {
  for (const Target& target : paper_of("k11").targets)
    EXPECT_STREQ(paper_of(target.name).config, "papers/k11.yaml") << target.name;
}

}  // namespace
}  // namespace tessera::campaign::k11
