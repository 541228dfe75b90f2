// SPDX-License-Identifier: Apache-2.0
// A group that never ends beside a periodic player: no driver contains it, and hardware that preempts does, if the
// driver lets it.
#include "model/workload/kernel_model.h"
#include "tests/platform/containment.h"

namespace tessera::platform::test {
namespace {

constexpr std::uint16_t kEndless = 1;

// What its thread blocks take to leave an SM, and to come back.
Cycle context_switches(const ContainmentBounds& bounds) {
  const tlm_model::test::Latencies latencies(bounds.spec);
  const spec::KernelSpec& kernel = bounds.application(kEndless).kernels.at(0);
  const Cycle moves = bounds.host.clock.cycles_in(workload::projected_save_time(bounds.spec.gpu, kernel));
  return latencies.freeze + latencies.trap + 2 * (moves + latencies.assign() + latencies.start());
}

// Frames that are over before the endless group is there, whatever the frame waits for.
std::uint64_t frames_before(const ContainmentBounds& bounds) {
  const Cycle start = bounds.host.clock.cycles_in(bounds.spec.processes.at(kEndless).start);
  return (start - bounds.frame(0)) / bounds.frame_period() + 1;
}

void expect_hung(const spec::Spec& spec) {
  const ContainmentBounds bounds(spec);
  const Log log = simulate_driver(spec);
  EXPECT_EQ(log.result.stop_reason, "max_time");
  EXPECT_EQ(frames_of_player(log).ended, frames_before(bounds));
  EXPECT_EQ(log.result.processes.at(kEndless).runs, 0U);
  if (spec.driver.kind == spec::DriverKind::kPassThrough) return;
  // The player's next group waits for ever.
  const std::vector<Cycle> endless = log.cycles(Kind::kGroupSubmitted, kEndless);
  ASSERT_EQ(endless.size(), 1U);
  EXPECT_LT(log.cycles(Kind::kGroupSubmitted, kPlayer).back(), endless.front());
  EXPECT_GT(log.cycles(Kind::kGroupArrived, kPlayer).back(), endless.front());
  EXPECT_THAT(log.all(Kind::kGroupDone, kEndless), testing::IsEmpty());
}

// The endless group has to leave for each of the player's, and no frame is late.
void expect_cured(const spec::Spec& spec) {
  const ContainmentBounds bounds(spec);
  const std::uint32_t num_draws = std::get<spec::Loop>(bounds.application(kPlayer).program.at(1)).count;
  const Cycle blocking = num_draws * context_switches(bounds);
  ASSERT_LE(bounds.frame(blocking), bounds.frame_period());
  const Log log = simulate_driver(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(frames_of_player(log).missed, 0U);
  EXPECT_LE(frames_of_player(log).response.max, bounds.frame(blocking));
  EXPECT_GT(log.result.preemptions.at("context_switch").latency.count, 0U);
  EXPECT_EQ(log.result.processes.at(kEndless).runs, 0U);
}

spec::Spec on_preemptive_hardware() {
  spec::Spec spec = containment("endless");
  spec.scheduler = spec.baseline.value();
  return spec;
}

TEST(TimegraphEndless, GroupHangsThePlayerUnderPrt) { expect_hung(containment("endless")); }

TEST(TimegraphEndless, GroupHangsThePlayerUnderPrtWhateverTheHardwareCould) {
  const spec::Spec spec = on_preemptive_hardware();
  ASSERT_EQ(spec.scheduler.policy, spec::PolicyKind::kPpq);
  ASSERT_EQ(spec.scheduler.technique, spec::TechniqueKind::kContextSwitch);
  expect_hung(spec);
}

TEST(TimegraphEndless, GroupHangsThePlayerWithoutTimeGraphWhereNothingPreempts) {
  spec::Spec spec = containment("endless");
  spec.driver = spec::DriverSpec{};
  expect_hung(spec);
}

TEST(TimegraphEndless, GroupIsPreemptedWhereProcessesPassThrough) { expect_cured(baseline_of(containment("endless"))); }

TEST(TimegraphEndless, GroupIsPreemptedUnderADriverThatKnowsOfPreemption) {
  spec::Spec spec = on_preemptive_hardware();
  spec.driver.joins = spec::Joins::kHigherPriority;
  spec.driver.accounting = spec::Accounting::kMeasured;
  expect_cured(spec);
}

}  // namespace
}  // namespace tessera::platform::test
