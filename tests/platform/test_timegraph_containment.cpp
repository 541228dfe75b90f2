// SPDX-License-Identifier: Apache-2.0
// What TimeGraph contains: bombs of PRT and HT, clones in one reserve, groups that cannot be predicted. Bounds are
// those of the readings, computed from the Spec; without TimeGraph the same player loses its frames.
#include "model/spec/application_spec.h"
#include "tests/platform/containment.h"

namespace tessera::platform::test {
namespace {

constexpr std::size_t kBomb = 1;  // and those that follow

// No frame is late, and a bomb was in the way of some.
void expect_frames_kept(const ContainmentBounds& bounds, const Log& log, Cycle blocking) {
  ASSERT_LE(bounds.frame(blocking), bounds.frame_period());  // else nothing is promised
  const record::FrameResult& frames = frames_of_player(log);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(frames.ended, bounds.spec.stop.min_runs);
  EXPECT_EQ(frames.missed, 0U);
  EXPECT_LE(frames.response.max, bounds.frame(blocking));
  EXPECT_GT(log.result.driver.processes.at(kPlayer).wait.max, bounds.longest(kPlayer));
}

// Channels 1 to 4: in a turn of the player at most so many groups start, however short; then each bomb has one of its
// own.
void expect_frames_lost(const spec::Spec& spec, const Log& log) {
  const ContainmentBounds bounds(spec);
  const spec::KernelSpec& draw = bounds.application(kPlayer).kernels.at(0);
  const std::uint32_t num_draws = std::get<spec::Loop>(bounds.application(kPlayer).program.at(1)).count;
  const Cycle mean = bounds.host.clock.cycles_in(draw.kernel_time.value());
  const Cycle shortest = mean - mul_div_ceil(mean, draw.kernel_time_spread_ppm, 1'000'000);
  const Cycle num_in_a_turn = bounds.quantum() / shortest + 1;
  const Cycle num_turns = (num_draws + num_in_a_turn - 1) / num_in_a_turn;
  const Cycle bombs = (spec.processes.size() - kBomb) *
                      bounds.host.clock.cycles_in(bounds.application(kBomb).kernels.at(0).kernel_time.value());
  const Cycle on_cpu =
      bounds.host.clock.cycles_in(std::get<spec::CpuPhase>(bounds.application(kPlayer).program.at(0)).time);
  const Cycle frame = on_cpu + num_draws * shortest + (num_turns - 1) * bombs;
  const Cycle period = bounds.frame_period();
  ASSERT_GT(frame, period);
  // So each is late, and the next ones are skipped.
  const record::FrameResult& frames = frames_of_player(log);
  EXPECT_GE(frames.missed, frames.ended + frames.skipped);
  const Cycle periods_a_frame = (frame + period - 1) / period;
  EXPECT_LE(frames.ended, log.result.cycles / (periods_a_frame * period) + 1);
}

// ---- PRT and HT ----------------------------------------------------------------------------------------------------

// "A PRT bomb delays the top task by one group and one bubble; PE caps its rate, overshoot one group."
TEST(TimegraphContainment, APrtBombStaysInItsReserveAndThePlayerKeepsItsFrames) {
  const spec::Spec spec = containment("prt_bomb");
  const ContainmentBounds bounds(spec);
  const Log log = simulate_driver(spec);
  expect_contained(bounds, log, 0, bounds.longest(kBomb));
  expect_frames_kept(bounds, log, bounds.longest(kBomb));
}

TEST(TimegraphContainment, WithoutTimeGraphThatBombTakesFrames) {
  const spec::Spec spec = baseline_of(containment("prt_bomb"));
  expect_frames_lost(spec, simulate_driver(spec));
}

// Of a chain nothing is charged before it is submitted: it goes beyond the reserve by what is online (reading 22).
std::uint64_t chain_of_bomb(const spec::Spec& spec) {
  const ContainmentBounds bounds(spec);
  return std::min<std::uint64_t>(spec.driver.max_online,
                                 spec::launches_per_run(bounds.application(kBomb)).at(0));  // then it synchronises
}

TEST(TimegraphContainment, AnHtBombStaysInItsReserveAndThePlayerKeepsItsFramesAtTwoGroupsOnline) {
  const spec::Spec spec = containment("ht_bomb");
  const ContainmentBounds bounds(spec);
  const std::uint64_t chain = chain_of_bomb(spec);
  ASSERT_EQ(chain, 2U);
  const Log log = simulate_driver(spec);
  expect_contained(bounds, log, 0, bounds.longest(kBomb), chain);
  expect_frames_kept(bounds, log, chain * bounds.longest(kBomb));
}

TEST(TimegraphContainment, WithoutTimeGraphThatHtBombTakesFrames) {
  const spec::Spec spec = baseline_of(containment("ht_bomb"));
  expect_frames_lost(spec, simulate_driver(spec));
}

// "HT chains are unbounded, so an HT bomb blocks for a whole ring."
TEST(TimegraphContainment, AnUnboundedHtChainIsChargedToTheReserveAndTakesFramesAllTheSame) {
  spec::Spec spec = containment("ht_bomb");
  spec.driver.max_online = spec::DriverSpec{}.max_online;
  const ContainmentBounds bounds(spec);
  const std::uint64_t chain = chain_of_bomb(spec);
  const Log log = simulate_driver(spec);
  expect_contained(bounds, log, 0, bounds.longest(kBomb), chain);
  EXPECT_GT(log.result.driver.reserves.at(0).worst_debt, bounds.longest(kBomb));  // one group is no bound of it
  // The first chain is there before the first frame, and is longer than its period.
  ASSERT_GT(chain * bounds.host.clock.cycles_in(bounds.application(kBomb).kernels.at(0).kernel_time.value()),
            2 * bounds.frame_period());
  EXPECT_GE(frames_of_player(log).missed, 2U);
}

// ---- clones --------------------------------------------------------------------------------------------------------

// "Shared caps five clones."
TEST(TimegraphContainment, FiveClonesInOneSharedReserveTakeWhatOneMay) {
  const spec::Spec spec = containment("five_clones");
  const ContainmentBounds bounds(spec);
  const Log log = simulate_driver(spec);
  ASSERT_EQ(bounds.plan.reserves.at(0).name, "@bombs");
  expect_contained(bounds, log, 0, bounds.longest(kBomb));
  expect_frames_kept(bounds, log, bounds.longest(kBomb));  // one group at a time, whoever's: the sixth's too
  // First come, first served among equals, each with one waiting group: nobody is two groups ahead.
  std::map<std::uint16_t, std::uint64_t> groups;
  for (const ChargedGroup& group : groups_of_reserve(spec, log, 0)) ++groups[group.process];
  ASSERT_EQ(groups.size(), 5U);
  const auto by_number = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [least, most] = std::minmax_element(groups.begin(), groups.end(), by_number);
  EXPECT_LE(most->second, least->second + 1);
}

// Reading 15: not an error, but Background and the lowest priority.
TEST(TimegraphContainment, ASixthReserveBeyondTheLimitIsRefused) {
  const spec::Spec spec = containment("five_clones");
  const command_scheduling::TaskTable plan = command_scheduling::make_task_table(spec);
  std::size_t num_refused = 0;
  for (const command_scheduling::PlannedTask& task : plan.tasks) num_refused += task.was_refused ? 1 : 0;
  EXPECT_EQ(num_refused, 1U);
  const command_scheduling::PlannedTask& sixth = plan.tasks.back();
  EXPECT_TRUE(sixth.was_refused);
  EXPECT_EQ(sixth.parameters.priority, 0U);
  EXPECT_EQ(plan.reserves.at(static_cast<std::size_t>(sixth.parameters.reserve.value())).name, "background");
  // With room for two it has its own.
  spec::Spec roomy = spec;
  roomy.driver.limit_percent *= 2;
  EXPECT_FALSE(command_scheduling::make_task_table(roomy).tasks.back().was_refused);
}

TEST(TimegraphContainment, WithoutTimeGraphSixBombsTakeNearlyAllFrames) {
  const spec::Spec spec = baseline_of(containment("five_clones"));
  expect_frames_lost(spec, simulate_driver(spec));
}

// ---- what cannot be predicted --------------------------------------------------------------------------------------

constexpr std::size_t kPlayersReserve = 0;
constexpr std::size_t kBombsReserve = 1;

// Its longest kernel comes when the history has forgotten it, so it is taken for one of the others.
void expect_underpredicted(const ContainmentBounds& bounds, const Log& log) {
  const Cycle long_kernel = bounds.host.clock.cycles_in(bounds.application(kBomb).kernels.back().kernel_time.value());
  std::size_t num_long = 0;
  for (const ChargedGroup& group : groups_of_reserve(bounds.spec, log, kBombsReserve)) {
    if (group.charged < long_kernel) continue;
    ++num_long;
    EXPECT_LT(group.predicted, long_kernel / 2);
  }
  EXPECT_GT(num_long, 5U);
  EXPECT_GT(log.result.driver.reserves.at(kBombsReserve).overruns, 0U);
}

TEST(TimegraphContainment, UnderAprioriEnforcementGroupsThatNobodyForeseesOverrunByOneAtMost) {
  const spec::Spec spec = baseline_of(containment("fresh_keys"));
  const ContainmentBounds bounds(spec);
  const Log log = simulate_driver(spec);
  expect_underpredicted(bounds, log);
  expect_contained(bounds, log, kBombsReserve, bounds.longest(kBomb));
  expect_frames_kept(bounds, log, bounds.longest(kBomb));  // the player's history is its own
}

// Reading 13: "a bomb poisons others' misses and can flush the table".
TEST(TimegraphContainment, InAHistoryForAllThoseGroupsMakeThePlayerWaitForAPeriod) {
  const spec::Spec spec = containment("fresh_keys");
  const ContainmentBounds bounds(spec);
  const Log log = simulate_driver(spec);
  expect_underpredicted(bounds, log);
  expect_contained(bounds, log, kBombsReserve, bounds.longest(kBomb));
  // Taken for the bomb's longest, a group of the player costs more than its capacity; its own never do.
  Cycle worst_predicted = 0;
  for (const ChargedGroup& group : groups_of_reserve(spec, log, kPlayersReserve)) {
    worst_predicted = std::max(worst_predicted, group.predicted);
    EXPECT_LE(group.charged, bounds.longest(kPlayer));
  }
  EXPECT_GT(worst_predicted, bounds.reserve(kPlayersReserve).capacity);
  EXPECT_GT(log.result.driver.processes.at(kPlayer).suspensions, 0U);
  EXPECT_GT(frames_of_player(log).missed, 0U);
}

TEST(TimegraphContainment, UnderPosteriorEnforcementTheyAreBoundedAsAllOthersAndKnownToNobody) {
  spec::Spec spec = containment("fresh_keys");
  spec.driver.entries.at(kBomb).reservation = spec::Reservation::kPosterior;
  const ContainmentBounds bounds(spec);
  ASSERT_FALSE(bounds.reserve(kBombsReserve).enforces_apriori);
  const Log log = simulate_driver(spec);
  expect_contained(bounds, log, kBombsReserve, bounds.longest(kBomb));
  for (const ChargedGroup& group : groups_of_reserve(spec, log, kBombsReserve)) EXPECT_EQ(group.predicted, 0U);
  expect_frames_kept(bounds, log, bounds.longest(kBomb));
}

}  // namespace
}  // namespace tessera::platform::test
