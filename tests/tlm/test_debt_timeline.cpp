// SPDX-License-Identifier: Apache-2.0
// Debt and the remainder (docs/concepts/readings.md, DSS 10 and 11) on 13 SMs, in every model: kernels that arrive one
// after another, and one that finishes. A kernel has one thread block an SM. What each holds was worked out by hand
// from budgets and Algorithm 1, beside each table.
#include <algorithm>

#include "model/spec/names.h"
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::Debt;
using spec::Remainder;
using Sms = std::vector<std::uint32_t>;  // of each launch that is active, in order

constexpr std::uint32_t kSmsOfTheK20c = 13;
constexpr Cycle kArrivals = 3'000;    // between two: more than all moves take
constexpr Cycle kShortTb = 40'000;    // of a kernel that ends: thirteen of them
constexpr Cycle kLongTb = 1'000'000;  // of one that does not
constexpr Cycle kEnded = 450'000;     // kernels of short ones have

spec::Spec sharing_machine(std::uint32_t num_processes, Debt debt, Remainder remainder = Remainder::kPool) {
  spec::Spec spec = one_job_machine(kSmsOfTheK20c, num_processes, spec::PolicyKind::kDss);
  spec.gpu.framework.num_ksrs = 8;
  spec.gpu.framework.num_command_buffers = 8;
  spec.scheduler.debt = debt;
  spec.scheduler.remainder = remainder;
  return spec;
}

Kernel ample(std::uint16_t process, Cycle tb) { return {process, kSmsOfTheK20c, {tb}}; }

// SMs that launches hold after everything that happened before `at`.
Sms sms_at(const OneJobBench& bench, Cycle at, const std::vector<std::uint32_t>& launches) {
  std::vector<std::uint32_t> owners(kSmsOfTheK20c, record::kNoNumber);
  for (const Record& record : bench.all_records()) {
    if (record.cycle >= at) break;
    if (record.kind == Kind::kSmReleased || record.kind == Kind::kPreemptionDone) owners[record.sm] = record::kNoNumber;
    if (record.kind == Kind::kSmSetUp) owners[record.sm] = record.launch;
  }
  Sms held;
  for (const std::uint32_t launch : launches)
    held.push_back(static_cast<std::uint32_t>(std::count(owners.begin(), owners.end(), launch)));
  return held;
}

// SMs that are idle by rule then, as the last record says.
std::uint64_t withheld_at(const OneJobBench& bench, Cycle at) {
  std::uint64_t count = 0;
  for (const Record& record : bench.records(Kind::kSmsWithheld)) {
    if (record.cycle < at) count = record.value;
  }
  return count;
}

struct Expected {
  Debt debt;
  std::vector<Sms> arrivals;  // after each of them
  Sms finish;                 // of the others, when the first has finished
  std::uint64_t withheld;     // SMs then
};

void expect_shares(std::uint32_t num_processes, const std::vector<Expected>& table) {
  for (const Expected& expected : table) {
    SCOPED_TRACE(spec::to_string(expected.debt));
    OneJobBench bench(sharing_machine(num_processes, expected.debt));
    std::vector<std::uint32_t> launches;
    for (std::uint16_t process = 0; process < num_processes; ++process)
      launches.push_back(bench.launch(1 + process * kArrivals, ample(process, process == 0 ? kShortTb : kLongTb)));
    bench.run_and_stop(kEnded);
    for (std::size_t i = 0; i < expected.arrivals.size(); ++i) {
      const std::vector<std::uint32_t> active(launches.begin(), launches.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      EXPECT_EQ(sms_at(bench, (i + 1) * kArrivals, active), expected.arrivals[i]) << "after arrival " << i + 1;
    }
    EXPECT_EQ(bench.kernel(Kind::kKernelFinished, launches[0]).size(), 1U);
    EXPECT_EQ(sms_at(bench, kEnded, {launches.begin() + 1, launches.end()}), expected.finish);
    EXPECT_EQ(withheld_at(bench, kEnded), expected.withheld);
    EXPECT_TRUE(expected.debt != Debt::kAlways || bench.records(Kind::kSmsWithheld).empty());
  }
}

// Budgets 7 and 6. The lone first kernel takes 13: tokens left -6, and the second's 6 move until 0 and 0. When it has
// finished the second is lone.
TEST(DebtTimeline, OfTwoProcesses) {
  const std::vector<Sms> lone_has_all = {{13}, {7, 6}};
  expect_shares(2, {{Debt::kAlways, lone_has_all, {13}, 0},
                    {Debt::kGap, lone_has_all, {13}, 0},
                    {Debt::kLone, lone_has_all, {13}, 0},
                    {Debt::kNever, {{7}, {7, 6}}, {6}, 7}});
}

// Budgets 4, 3, 3, 3. The first kernel takes 13: -9. The second's 3 move six times: -3, -3. The third's 3 take two from
// the first, two from the second: -1, -1, -1; the fourth's one from each: 0, 0, 0, 0. The four SMs of the first go to
// the others in turn; or, no gap being two wide and nobody lone, to nobody.
TEST(DebtTimeline, OfFourProcesses) {
  const std::vector<Sms> lone_has_all = {{13}, {7, 6}, {5, 4, 4}, {4, 3, 3, 3}};
  expect_shares(4, {{Debt::kAlways, lone_has_all, {5, 4, 4}, 0},
                    {Debt::kGap, lone_has_all, {3, 3, 3}, 4},
                    {Debt::kLone, lone_has_all, {3, 3, 3}, 4},
                    {Debt::kNever, {{4}, {4, 3}, {4, 3, 3}, {4, 3, 3, 3}}, {3, 3, 3}, 4}});
}

// Budgets 3, 2, 2, 2, 2, 2. In debt, tokens left: -10; -4, -4; -2, -2, -2; -1 four times. The fifth's 2 take an SM from
// the first and one from the second, which are at 0 then, as it is: 0 is not two above the others' -1. The sixth's take
// those two. All budgets are met.
TEST(DebtTimeline, OfSixProcesses) {
  const Sms all = {3, 2, 2, 2, 2, 2};
  const std::vector<Sms> lone_has_all = {{13}, {7, 6}, {5, 4, 4}, {4, 3, 3, 3}, {3, 2, 3, 3, 2}, all};
  const std::vector<Sms> own = {{3}, {3, 2}, {3, 2, 2}, {3, 2, 2, 2}, {3, 2, 2, 2, 2}, all};
  const Sms rest = {2, 2, 2, 2, 2};
  expect_shares(6, {{Debt::kAlways, lone_has_all, {3, 3, 3, 2, 2}, 0},
                    {Debt::kGap, lone_has_all, rest, 3},
                    {Debt::kLone, lone_has_all, rest, 3},
                    {Debt::kNever, own, rest, 3}});
}

// Budgets five times 2 and three times 1. In debt, tokens left: -11; -5, -4; -2, -3, -2; -1, -1, -2, -1; 0, -1, -1, -1,
// 0; and each of the last three takes one from the first that is at -1.
TEST(DebtTimeline, OfEightProcesses) {
  const Sms all = {2, 2, 2, 2, 2, 1, 1, 1};
  const std::vector<Sms> lone_has_all = {
      {13}, {7, 6}, {4, 5, 4}, {3, 3, 4, 3}, {2, 3, 3, 3, 2}, {2, 2, 3, 3, 2, 1}, {2, 2, 2, 3, 2, 1, 1}, all};
  std::vector<Sms> own;
  for (std::ptrdiff_t active = 1; active <= 8; ++active) own.emplace_back(all.begin(), all.begin() + active);
  const Sms rest = {2, 2, 2, 2, 1, 1, 1};
  expect_shares(8, {{Debt::kAlways, lone_has_all, {3, 3, 2, 2, 1, 1, 1}, 0},
                    {Debt::kGap, lone_has_all, rest, 2},
                    {Debt::kLone, lone_has_all, rest, 2},
                    {Debt::kNever, own, rest, 2}});
}

// The five kernels with a token of the remainder finish, and their processes launch again. Out of the pool the tokens
// come back; given out once they are gone, and five SMs stay idle.
TEST(DebtTimeline, OfEightProcessesThatComeAgain) {
  const auto sms_of_the_second_round = [](Remainder remainder, std::uint64_t withheld) {
    OneJobBench bench(sharing_machine(8, Debt::kGap, remainder));
    std::vector<std::uint32_t> launches;
    for (std::uint16_t process = 0; process < 8; ++process)
      launches.push_back(bench.launch(1 + process * kArrivals, ample(process, process < 5 ? kShortTb : kLongTb)));
    for (std::uint16_t process = 0; process < 5; ++process)
      launches.push_back(bench.launch(kEnded + process * kArrivals, ample(process, kLongTb)));
    const Cycle end = kEnded + 5 * kArrivals;
    bench.run_and_stop(end);
    EXPECT_EQ(withheld_at(bench, end), withheld);
    return sms_at(bench, end, {launches.begin() + 5, launches.end()});
  };
  EXPECT_EQ(sms_of_the_second_round(Remainder::kPool, 0), (Sms{1, 1, 1, 2, 2, 2, 2, 2}));
  EXPECT_EQ(sms_of_the_second_round(Remainder::kOnce, 5), (Sms{1, 1, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace tessera::tlm_model::test
