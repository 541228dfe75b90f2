// SPDX-License-Identifier: Apache-2.0
// Debt and the remainder (docs/concepts/readings.md, DSS 10 and 11), worked out by hand: 13 SMs, kernels with ample
// work that arrive one after another, and one that finishes.
#include <gtest/gtest.h>

#include <vector>

#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Debt;
using spec::Remainder;
using spec::TokenScope;
using testing::ElementsAre;

constexpr std::uint32_t kSmsOfTheK20c = 13;

struct Rules {
  Debt debt = Debt::kAlways;
  Remainder remainder = Remainder::kPool;
  TokenScope scope = TokenScope::kKernel;
};

// A machine whose moves take no time: who is reserved for has the SM at once.
class DebtBench {
 public:
  DebtBench(const Rules& rules, std::uint32_t num_processes) {
    PolicyConfig config = test::config(spec::PolicyKind::kDss, kSmsOfTheK20c, num_processes);
    config.scheduler.debt = rules.debt;
    config.scheduler.remainder = rules.remainder;
    config.scheduler.token_scope = rules.scope;
    policy_ = make_policy(config);
  }
  void arrive(std::uint16_t process) {
    kernels_.push_back(tables_.add({process, 0, 1000, 1, policy_->take_tokens(ContextId(process))}));
    settle();
  }
  // The n-th of those that are active, from 0 on.
  void finish(std::size_t nth) {
    const KsrId done = kernels_.at(nth);
    for (std::uint16_t sm = 0; sm < kSmsOfTheK20c; ++sm) {
      if (tables_.sm(SmId(sm)).ksr == done) tables_.release(SmId(sm));
    }
    policy_->return_tokens(tables_, done);
    tables_.deactivate(done);
    kernels_.erase(kernels_.begin() + static_cast<std::ptrdiff_t>(nth));
    settle();
  }
  // SMs of each kernel that is active, in the order of arrival.
  std::vector<std::int32_t> sms() const {
    std::vector<std::int32_t> held;
    for (const KsrId id : kernels_) held.push_back(tables_.ksr(id).sms_held());
    return held;
  }

 private:
  void settle() {
    for (Decision d = policy_->step(tables_); d.action != Action::kNone; d = policy_->step(tables_)) {
      tables_.carry_out(d);
      if (d.action != Action::kAssign) tables_.hand_over(d.sm);
    }
  }

  test::Tables tables_{kSmsOfTheK20c};
  std::unique_ptr<IPolicy> policy_;
  std::vector<KsrId> kernels_;
};

std::vector<std::int32_t> of_arrivals(Debt debt, std::uint32_t num_processes, std::uint16_t num_active) {
  DebtBench bench({debt}, num_processes);
  for (std::uint16_t process = 0; process < num_active; ++process) bench.arrive(process);
  return bench.sms();
}

// ---- all processes have a kernel: tokens cover the machine -----------------------------------------------------

TEST(Debt, MakesNoDifferenceWhereEveryProcessHasAKernel) {
  for (const Debt debt : {Debt::kAlways, Debt::kGap, Debt::kLone, Debt::kNever}) {
    EXPECT_THAT(of_arrivals(debt, 2, 2), ElementsAre(7, 6));
    EXPECT_THAT(of_arrivals(debt, 4, 4), ElementsAre(4, 3, 3, 3));
    EXPECT_THAT(of_arrivals(debt, 6, 6), ElementsAre(3, 2, 2, 2, 2, 2));
    EXPECT_THAT(of_arrivals(debt, 8, 8), ElementsAre(2, 2, 2, 2, 2, 1, 1, 1));
  }
}

// ---- a lone kernel ---------------------------------------------------------------------------------------------

TEST(Debt, ALoneKernelHasTheMachineUnlessDebtIsForbidden) {
  for (const Debt debt : {Debt::kAlways, Debt::kGap, Debt::kLone}) {
    EXPECT_THAT(of_arrivals(debt, 4, 1), ElementsAre(13));
  }
  EXPECT_THAT(of_arrivals(Debt::kNever, 4, 1), ElementsAre(4));
}

// Budgets 4 and 3. The first has 13 SMs, tokens left -9; each SM that moves brings -9 and 3 closer by two, until -3 and
// -3: what was taken in debt is shared in debt. Without debt nothing was taken.
TEST(Debt, OfALoneKernelIsSharedWithTheNext) {
  for (const Debt debt : {Debt::kAlways, Debt::kGap, Debt::kLone}) {
    EXPECT_THAT(of_arrivals(debt, 4, 2), ElementsAre(7, 6));
  }
  EXPECT_THAT(of_arrivals(Debt::kNever, 4, 2), ElementsAre(4, 3));
}

// ---- one of several finishes -----------------------------------------------------------------------------------

// Its four SMs go to the three others, tokens left 0, in turn; or, since no gap is two wide and nobody is lone, to
// nobody.
TEST(Debt, SmsOfAKernelThatFinishesStayIdleBesideKernelsWithoutAGap) {
  const auto after_one_finished = [](Debt debt) {
    DebtBench bench({debt}, 4);
    for (std::uint16_t process = 0; process < 4; ++process) bench.arrive(process);
    bench.finish(0);
    return bench.sms();
  };
  EXPECT_THAT(after_one_finished(Debt::kAlways), ElementsAre(5, 4, 4));
  EXPECT_THAT(after_one_finished(Debt::kGap), ElementsAre(3, 3, 3));
  EXPECT_THAT(after_one_finished(Debt::kLone), ElementsAre(3, 3, 3));
  EXPECT_THAT(after_one_finished(Debt::kNever), ElementsAre(3, 3, 3));
}

// With 7 and 6 of thirteen, tokens left -3 and -3, one goes: the other is lone.
TEST(Debt, WhoIsLeftAloneTakesTheMachine) {
  const auto after_the_first_finished = [](Debt debt) {
    DebtBench bench({debt}, 4);
    for (std::uint16_t process = 0; process < 2; ++process) bench.arrive(process);
    bench.finish(0);
    return bench.sms();
  };
  for (const Debt debt : {Debt::kAlways, Debt::kGap, Debt::kLone}) {
    EXPECT_THAT(after_the_first_finished(debt), ElementsAre(13));
  }
  EXPECT_THAT(after_the_first_finished(Debt::kNever), ElementsAre(3));
}

// Who is in debt, as long as all are by as much, is not given more.
TEST(Debt, IsNotDeepenedBesideOthersInDebt) {
  DebtBench bench({Debt::kGap, Remainder::kPool}, 4);
  bench.arrive(0);  // 13 SMs: 4 - 13 = -9
  bench.arrive(1);  // 7 and 6: -3, -3
  bench.arrive(2);  // 3 in hand: 5, 4, 4: -1, -1, -1
  EXPECT_THAT(bench.sms(), ElementsAre(5, 4, 4));
  bench.finish(1);  // 4 SMs free; -1 and -1: no gap
  EXPECT_THAT(bench.sms(), ElementsAre(5, 4));
}

// Two kernels of one process share a budget: no other process is active.
TEST(Debt, KernelsOfOneProcessAreLoneWhereItHasTheBudget) {
  DebtBench bench({Debt::kLone, Remainder::kPool, TokenScope::kProcess}, 4);
  bench.arrive(0);
  bench.arrive(0);
  EXPECT_EQ(bench.sms()[0] + bench.sms()[1], 13);
}

// ---- the remainder ---------------------------------------------------------------------------------------------

// Eight processes, one token each and five more. Who has had one of the five comes again without it.
TEST(Remainder, GivenOutOnceIsGoneWithItsKernel) {
  DebtBench bench({Debt::kGap, Remainder::kOnce}, 8);
  for (std::uint16_t process = 0; process < 8; ++process) bench.arrive(process);
  EXPECT_THAT(bench.sms(), ElementsAre(2, 2, 2, 2, 2, 1, 1, 1));
  for (std::uint16_t process = 0; process < 5; ++process) {
    bench.finish(0);
    bench.arrive(process);
  }
  EXPECT_THAT(bench.sms(), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1));  // five SMs are idle by rule
}

TEST(Remainder, OfThePoolGoesToWhoComesNext) {
  DebtBench bench({Debt::kGap, Remainder::kPool}, 8);
  for (std::uint16_t process = 0; process < 8; ++process) bench.arrive(process);
  for (std::uint16_t process = 0; process < 5; ++process) {
    bench.finish(0);
    bench.arrive(process);
  }
  EXPECT_THAT(bench.sms(), ElementsAre(1, 1, 1, 2, 2, 2, 2, 2));
}

TEST(Remainder, AProcessKeepsWhatItWasGivenOnce) {
  DebtBench bench({Debt::kNever, Remainder::kOnce, TokenScope::kProcess}, 4);
  for (std::uint16_t process = 0; process < 4; ++process) bench.arrive(process);
  bench.finish(0);
  bench.arrive(0);
  EXPECT_THAT(bench.sms(), ElementsAre(3, 3, 3, 4));
}

}  // namespace
}  // namespace tessera::policy
