// SPDX-License-Identifier: Apache-2.0
// Dynamic spatial sharing in time ([T14] 3.4): who ends up with how many SMs, and from whom they came.
// The moves are worked out by hand from docs/concepts/readings.md; each line of a list is one step of Algorithm 1.
#include <tuple>

#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

spec::Spec dss_machine(std::uint32_t num_sms, std::uint32_t num_processes) {
  spec::Spec spec = tiny_machine(num_sms, num_processes);
  spec.scheduler.policy = spec::PolicyKind::kDss;
  return spec;
}

using Move = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;  // launch that loses, that gains, SM

std::vector<Move> moves(const CoreBench& bench) {
  std::vector<Move> found;
  for (const Record& r : bench.records(Kind::kPreemptionRequested)) {
    found.emplace_back(r.launch, static_cast<std::uint32_t>(r.value), r.sm);
  }
  return found;
}

constexpr Cycle kApart = 10'000;  // between arrivals: longer than any decision and preemption here

// Kernels 0, 1, ... of one process each, with more work than anyone can do.
void launch_one_after_another(CoreBench& bench, std::uint16_t num_kernels) {
  for (std::uint16_t p = 0; p < num_kernels; ++p) bench.launch(1 + p * kApart, {p, 1000, {1'000'000}, 1});
}

struct Sharing {
  std::uint16_t num_processes;
  std::vector<Move> moves;
  std::vector<std::uint32_t> sms;
};
void PrintTo(const Sharing& sharing, std::ostream* out) { *out << testing::PrintToString(sharing.sms); }

class CoreDssSteadyState : public testing::TestWithParam<Sharing> {};

TEST_P(CoreDssSteadyState, ThirteenSmsAreSharedAsTheTokensSay) {
  CoreBench bench(dss_machine(13, GetParam().num_processes));
  launch_one_after_another(bench, GetParam().num_processes);
  bench.run_and_stop(1 + GetParam().num_processes * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAreArray(GetParam().sms));
  EXPECT_THAT(moves(bench), ElementsAreArray(GetParam().moves));
}

// Token counts after each move are noted as {0, 1, ...}. Kernel 0 starts with all 13 SMs.
INSTANTIATE_TEST_SUITE_P(
    DesignSection4, CoreDssSteadyState,
    testing::Values(
        // Tokens 7, 6. {-6, 6} -> {0, 0}.
        Sharing{2, {{0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, 5}}, {7, 6}},
        Sharing{4,
                {// Tokens 4, 3, 3, 3. Kernel 1, {-9, 3} -> {-3, -3}: kernel 1 is in debt as well, no move pays.
                 {0, 1, 0},
                 {0, 1, 1},
                 {0, 1, 2},
                 {0, 1, 3},
                 {0, 1, 4},
                 {0, 1, 5},
                 // Kernel 2, {-3, -3, 3} -> {-1, -1, -1}: at a tie the earlier kernel gives.
                 {0, 2, 6},
                 {1, 2, 0},
                 {0, 2, 7},
                 {1, 2, 1},
                 // Kernel 3, {-1, -1, -1, 3} -> {0, 0, 0, 0}.
                 {0, 3, 8},
                 {1, 3, 2},
                 {2, 3, 0}},
                {4, 3, 3, 3}},
        Sharing{6,
                {// Tokens 3, 2, 2, 2, 2, 2. Kernel 1, {-10, 2} -> {-4, -4}.
                 {0, 1, 0},
                 {0, 1, 1},
                 {0, 1, 2},
                 {0, 1, 3},
                 {0, 1, 4},
                 {0, 1, 5},
                 // Kernel 2, {-4, -4, 2} -> {-2, -2, -2}.
                 {0, 2, 6},
                 {1, 2, 0},
                 {0, 2, 7},
                 {1, 2, 1},
                 // Kernel 3, {-2, -2, -2, 2} -> {-1, -1, -1, -1}.
                 {0, 3, 8},
                 {1, 3, 2},
                 {2, 3, 0},
                 // Kernel 4, {-1, -1, -1, -1, 2} -> {0, 0, -1, -1, 0}.
                 {0, 4, 9},
                 {1, 4, 3},
                 // Kernel 5, {0, 0, -1, -1, 0, 2} -> all 0.
                 {2, 5, 1},
                 {3, 5, 0}},
                {3, 2, 2, 2, 2, 2}},
        Sharing{8,
                {// Tokens 2 for the first five, 1 for the others. Kernel 1, {-11, 2} -> {-5, -4}.
                 {0, 1, 0},
                 {0, 1, 1},
                 {0, 1, 2},
                 {0, 1, 3},
                 {0, 1, 4},
                 {0, 1, 5},
                 // Kernel 2, {-5, -4, 2} -> {-2, -3, -2}.
                 {0, 2, 6},
                 {0, 2, 7},
                 {1, 2, 0},
                 {0, 2, 8},
                 // Kernel 3, {-2, -3, -2, 2} -> {-1, -1, -2, -1}.
                 {1, 3, 1},
                 {0, 3, 9},
                 {1, 3, 2},
                 // Kernel 4, {-1, -1, -2, -1, 2} -> {0, -1, -1, -1, 0}.
                 {2, 4, 0},
                 {0, 4, 10},
                 // Kernels 5, 6 and 7 have one token and take one SM each.
                 {1, 5, 3},
                 {2, 6, 6},
                 {3, 7, 1}},
                {2, 2, 2, 2, 2, 1, 1, 1}}),
    [](const auto& test) { return std::to_string(test.param.num_processes) + "Processes"; });

TEST(CoreDss, ASingleKernelGoesIntoDebtRatherThanLeaveSmsIdle) {
  CoreBench bench(dss_machine(13, 2));
  const Latencies& t = bench.latencies();
  launch_one_after_another(bench, 1);
  bench.run_and_stop(kApart);
  for (std::uint16_t sm = 0; sm < 13; ++sm) {
    // One search gives them all: the 7 that it has tokens for, and the others.
    EXPECT_THAT(bench.sm(Kind::kSmSetUp, sm), ElementsAre(1 + t.activation + t.search));
  }
  EXPECT_EQ(bench.core().tables().ksr(KsrId{0}).token_count(), 7 - 13);
}

TEST(CoreDss, EachMoveTakesASearch) {
  CoreBench bench(dss_machine(13, 2));
  const Latencies& t = bench.latencies();
  launch_one_after_another(bench, 2);
  bench.run_and_stop(2 * kApart);
  std::vector<Cycle> requests;
  for (const Record& r : bench.records(Kind::kPreemptionRequested)) requests.push_back(r.cycle);
  const Cycle activated = 1 + kApart + t.activation;
  EXPECT_THAT(requests, ElementsAre(activated + t.search, activated + 2 * t.search, activated + 3 * t.search,
                                    activated + 4 * t.search, activated + 5 * t.search, activated + 6 * t.search));
}

TEST(CoreDss, TheSmsOfAFinishedKernelGoToThoseThatAreLeft) {
  CoreBench bench(dss_machine(13, 2));
  bench.launch(1, {0, 1000, {1'000'000}, 1});
  const auto guest = bench.launch(1 + kApart, {1, 6, {5'000}, 1});
  bench.run_and_stop(3 * kApart);
  EXPECT_EQ(bench.kernel(Kind::kKernelFinished, guest).size(), 1U);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(13, 0));
  EXPECT_EQ(bench.core().tables().ksr(KsrId{0}).token_count(), 7 - 13);
}

// Kernel 1 has two TBs and reserves two SMs; the first one free runs both, one after the other.
TEST(CoreDss, AnSmThatIsHandedOverToAKernelWithNothingToIssueGoesIdle) {
  spec::Spec spec = dss_machine(4, 2);
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const auto victim = bench.launch(1, {0, 6, {500, 800, 5000, 5000, 50, 50}, 1});
  const auto guest = bench.launch(201, {1, 2, {200}, 1});
  bench.run();
  const Cycle start = 1 + t.assign() + t.start();
  const Cycle guest_start = start + 500 + t.start();
  const Cycle second_free = start + 1 + 800;
  EXPECT_THAT(moves(bench), ElementsAre(Move(victim, guest, 0), Move(victim, guest, 1)));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, guest, 1), ElementsAre(guest_start + 200 + t.issue));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 1), ElementsAre(second_free));
  EXPECT_EQ(first_of(bench.sm(Kind::kSmReleased, 1)), second_free);
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 4), ElementsAre(second_free + t.search + t.start()));
}

// ---- what the OS writes ----------------------------------------------------------------------------------------

// Tokens 2 and 1: kernel 0 gives SM 0 and keeps SMs 1 and 2.
TEST(CoreDss, TokensWrittenWhileKernelsRunMoveSms) {
  CoreBench bench(dss_machine(3, 2));
  const Latencies& t = bench.latencies();
  launch_one_after_another(bench, 2);
  bench.run_before(2 * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(2, 1));
  // Kernel 1 with 3 tokens, {0, 2} -> {1, 1}: one move.
  const Cycle raised = 2 * kApart + 1;
  bench.set_tokens(raised, 1, 3);
  bench.run_before(3 * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(1, 2));
  // And with 1 again, {1, -1} -> {0, 0}.
  bench.set_tokens(3 * kApart + 1, 1, 1);
  bench.run_and_stop(4 * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(2, 1));
  EXPECT_THAT(moves(bench), ElementsAre(Move(0, 1, 0), Move(0, 1, 1), Move(1, 0, 0)));
  EXPECT_EQ(bench.records(Kind::kPreemptionRequested)[1].cycle, raised + t.search);
}

TEST(CoreDss, TokensWrittenBeforeALaunchHoldForIt) {
  CoreBench bench(dss_machine(3, 2));
  bench.set_tokens(1, 1, 3);
  bench.launch(2, {0, 1000, {1'000'000}, 1});
  bench.launch(kApart, {1, 1000, {1'000'000}, 1});
  bench.run_and_stop(3 * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(1, 2));  // tokens 2 and 3, {-1, 3} -> {1, 1}
}

TEST(CoreDss, TokensOfTheSpecOverrideEqualSharing) {
  spec::Spec spec = dss_machine(4, 2);
  spec.processes[0].tokens = 1;
  spec.processes[1].tokens = 3;
  CoreBench bench(spec);
  launch_one_after_another(bench, 2);
  bench.run_and_stop(3 * kApart);
  EXPECT_THAT(bench.sms_owned(), ElementsAre(1, 3));
}

// ---- whose tokens ----------------------------------------------------------------------------------------------

// Two kernels of process 0, then one of process 1; 4 SMs, 2 tokens for each process or for each kernel.
std::vector<std::uint32_t> sms_by_scope(spec::TokenScope scope) {
  spec::Spec spec = dss_machine(4, 2);
  spec.scheduler.token_scope = scope;
  CoreBench bench(spec);
  bench.launch(1, {0, 1000, {1'000'000}, 1});
  bench.launch(1 + kApart, {0, 1000, {1'000'000}, 1});
  bench.launch(1 + 2 * kApart, {1, 1000, {1'000'000}, 1});
  bench.run_and_stop(4 * kApart);
  return bench.sms_owned();
}

TEST(CoreDss, KernelScopeGivesAProcessTheTokensOfAllItsKernels) {
  // {-2, 2} -> {0, 0}; then {0, 0, 2} -> {1, 0, 1}.
  EXPECT_THAT(sms_by_scope(spec::TokenScope::kKernel), ElementsAre(1, 2, 1));
}

TEST(CoreDss, ProcessScopeSharesOneBudgetAmongTheKernelsOfAProcess) {
  // Process 0 at -2 whatever kernel holds its SMs; then {-2, 2} -> {0, 0} by process.
  EXPECT_THAT(sms_by_scope(spec::TokenScope::kProcess), ElementsAre(2, 0, 2));
}

// 5 SMs, 2 processes: one remainder token, and the process that enters first holds it.
TEST(CoreDss, ProcessesGetTheirRemainderTokensAlsoWhenThePolicyComesLater) {
  for (const bool is_switched_to : {false, true}) {
    spec::Spec spec = dss_machine(5, 2);
    spec.scheduler.token_scope = spec::TokenScope::kProcess;
    const spec::SchedulerSpec dss = spec.scheduler;
    if (is_switched_to) spec.scheduler.policy = spec::PolicyKind::kPpq;
    CoreBench bench(spec);
    bench.launch(1, {0, 1000, {1'000'000}, 1});
    bench.launch(101, {0, 1000, {1'000'000}, 1});
    bench.launch(201, {1, 1000, {1'000'000}, 1});
    if (is_switched_to) bench.set_policy(kApart, dss);
    bench.run_and_stop(3 * kApart);
    std::vector<std::int32_t> tokens;
    for (const KsrId id : bench.core().tables().active_queue()) {
      tokens.push_back(bench.core().tables().ksr(id).tokens);
    }
    EXPECT_THAT(tokens, ElementsAre(3, 3, 2)) << is_switched_to;  // both kernels of process 0 show its budget
    EXPECT_THAT(bench.sms_owned(), ElementsAre(3, 0, 2)) << is_switched_to;
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
