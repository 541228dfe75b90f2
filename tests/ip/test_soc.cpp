// SPDX-License-Identifier: Apache-2.0
// A driver boots the IP, launches kernels through the command port, takes the interrupt and reads which are done; the
// bus, the SMs and the kernels are different in every run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "model/spec/policies.h"
#include "model/spec/scheduler_spec.h"
#include "tessera/register_map.h"
#include "tests/ip/soc.h"

namespace tessera::ip::test {
namespace {

namespace reg = tlm_model::reg;

using rtl_model::TurnCause;
using testbench::Random;

constexpr unsigned kNumKernels = 60;
constexpr std::uint64_t kNumRuns = 6;
constexpr auto kContextSwitch = static_cast<std::uint32_t>(spec::SliceEnd::kContextSwitch);

class Driver {
 public:
  Driver(Soc& soc, std::uint32_t policy, std::uint64_t seed) : soc_(soc), policy_(policy), random_(seed) {}

  void boot() {
    EXPECT_EQ(read(reg::kId), reg::kIdValue);
    EXPECT_EQ(read(reg::kCapabilities), Soc::kSizes.num_sms | std::uint64_t{Soc::kSizes.num_contexts} << 40);
    write(reg::kPolicy, policy_);
    for (std::uint32_t context = 0; context < Soc::kSizes.num_contexts; ++context) {
      const std::uint64_t registers = reg::kContexts + context * reg::kContextStride;
      write(registers + reg::kPriority, random_.in32(0, 3));
      if (random_.one_in(2)) write(registers + reg::kTokens, random_.in32(0, 4));
      write(registers + reg::kPageTable, static_cast<std::uint32_t>(Soc::page_table(context)));
      write(registers + reg::kPageTable + 4, static_cast<std::uint32_t>(Soc::page_table(context) >> 32));
      write(registers + reg::kDeadline, random_.in32(0, 200'000));
    }
    write(reg::kInterruptEnable, reg::kInterruptCompletion);
    write(reg::kControl, 1);
  }

  // Turns are kept from now on, by the IP's timers or the SoC's.
  void keep_turns(bool of_gpu, bool has_timers) {
    keeps_turns_ = true;
    std::optional<TurnLedger::Timers> timers;
    if (has_timers) {
      const std::uint64_t common = random_.in32(60, 200);
      timers = TurnLedger::Timers{{}, random_.in32(0, 200), random_.in32(0, 200), random_.in32(0, 50)};
      write(reg::kTimeSlice, static_cast<std::uint32_t>(common));
      write(reg::kSwitchCost, static_cast<std::uint32_t>(timers->preempted));
      write(reg::kSwitchCost + 4, static_cast<std::uint32_t>(timers->dry));
      write(reg::kSwitchTimer, static_cast<std::uint32_t>(timers->in_slice));
      write(reg::kSwitchTimer + 4, 1);
      for (std::uint32_t context = 0; context < Soc::kSizes.num_contexts; ++context) {
        const std::uint32_t own = random_.one_in(2) ? 0 : random_.in32(60, 400);
        write(reg::kOwnSlice + 8 * context, own);
        timers->slices.push_back(own != 0 ? own : common);
      }
    }
    for (std::uint32_t context = 0; context < Soc::kSizes.num_contexts; ++context)
      write(reg::kSliceEnd + 8 * context, random_.one_in(2) ? kContextSwitch : random_.in32(0, 3));
    soc_.turns.begin(of_gpu, std::move(timers));
    write(reg::kPolicy,
          policy_ | 1U << reg::PolicyFields::kTurnShift | (of_gpu ? 1U << reg::PolicyFields::kSwitchScopeShift : 0));
  }

  // Launches, and serves the interrupt in between, until every kernel was reported.
  void run() {
    while (is_fine() && (launched_ < kNumKernels || reported_.size() < launched_)) {
      if (random_.one_in(8)) soc_.master.set_pace(any_pace(random_));
      if (soc_.irq() && random_.one_in(2)) {
        serve();
      } else if (launched_ < kNumKernels && random_.one_in(20)) {
        launch_some();
      } else if (keeps_turns_ && random_.one_in(500)) {
        take_off_the_run_list(any_context());
      } else if (launched_ < kNumKernels && random_.one_in(300)) {
        write(reg::kContexts + any_context() * reg::kContextStride + reg::kPriority, random_.in32(0, 3));
      } else {
        soc_.cycle();
      }
    }
  }

  void check() {
    for (Cycle i = 0; i <= Soc::kLongestLinger; ++i) soc_.cycle();  // its end invokes the policy once more
    EXPECT_EQ(soc_.violation(), "");
    EXPECT_EQ(reported_, soc_.ledger.done()) << "each kernel once, in the order in which they were done";
    EXPECT_EQ(reported_.size(), kNumKernels);
    EXPECT_FALSE(soc_.irq());
    EXPECT_EQ(read(reg::kStatus), 0U);
    EXPECT_EQ(read(reg::kError), 0U);
    EXPECT_EQ(counter(reg::Counter::kKernelsDone), kNumKernels);
    EXPECT_EQ(counter(reg::Counter::kActivated), kNumKernels);
    EXPECT_EQ(counter(reg::Counter::kTurnsPassed), soc_.turns.num_passed());
    EXPECT_EQ(counter(reg::Counter::kTurnsBegan), soc_.turns.num_began());
    EXPECT_EQ(counter(reg::Counter::kFreshTbs), soc_.ledger.num_fresh());
    EXPECT_EQ(counter(reg::Counter::kRestoredTbs), soc_.ledger.num_restored());
    std::uint64_t used = 0;
    for (std::uint32_t context = 0; context < Soc::kSizes.num_contexts; ++context) {
      EXPECT_EQ(soc_.usage.held(ContextId(context)), 0);
      EXPECT_EQ(read(reg::kSmCycles + 8 * context), soc_.usage.sm_cycles(ContextId(context), 0)) << context;
      used += soc_.usage.sm_cycles(ContextId(context), 0);
    }
    EXPECT_GT(used, 0U);
    EXPECT_EQ(counter(reg::Counter::kPolicyInvoked), counter(reg::Counter::kPolicyDecided));
    EXPECT_GT(counter(reg::Counter::kDecisionCycles), counter(reg::Counter::kPolicyDecided));
  }

  std::uint64_t counter(reg::Counter which) { return read(reg::kCounters + 8 * static_cast<std::uint64_t>(which)); }
  std::uint64_t num_refused() const { return num_refused_; }

 private:
  std::uint32_t any_context() { return random_.in32(0, Soc::kSizes.num_contexts - 1); }
  bool is_fine() const { return soc_.violation().empty(); }
  void finish() {
    while (!soc_.master.is_idle() && is_fine()) soc_.cycle();
  }
  bool write(std::uint64_t address, std::uint32_t data) {
    soc_.master.write(static_cast<std::uint32_t>(address), data);
    finish();
    return !take(soc_.master.written).is_error;
  }
  std::uint32_t read_half(std::uint64_t address) {
    soc_.master.read(static_cast<std::uint32_t>(address));
    finish();
    return take(soc_.master.was_read).data;
  }
  std::uint64_t read(std::uint64_t address) {
    const std::uint64_t lower = read_half(address);
    return lower | std::uint64_t{read_half(address + 4)} << 32;
  }
  // One, or several of which all but the first wait in the driver, which says so.
  void launch_some() {
    const std::uint32_t context = any_context();
    unsigned left = keeps_turns_ ? std::min(random_.in32(1, 4), kNumKernels - launched_) : 1;
    if (left == 1) {
      launch(context);
      return;
    }
    write(reg::kWaiting + 8 * context, 1);
    soc_.turns.set_waiting(context, true);
    while (left > 0 && is_fine()) {
      if (launch(context)) --left;
      if (soc_.irq()) serve();
      for (std::uint32_t i = random_.in32(0, 200); i > 0; --i) soc_.cycle();
    }
    soc_.turns.set_waiting(context, false);
    write(reg::kWaiting + 8 * context, 0);
  }
  void take_off_the_run_list(std::uint32_t context) {
    soc_.turns.set_listed(context, false);
    write(reg::kListed + 8 * context, 0);
    for (std::uint32_t i = random_.in32(0, 500); i > 0; --i) soc_.cycle();
    write(reg::kListed + 8 * context, 1);
    soc_.turns.set_listed(context, true);
  }
  // Four writes on their way at once, and the doorbell; refused if another launch still waits.
  bool launch(std::uint32_t context) {
    const std::uint32_t num_tbs = random_.in32(1, 40);
    const std::uint32_t tbs_per_sm = random_.in32(1, Soc::kSizes.max_tbs_per_sm);
    const std::uint64_t descriptor = 0xAB'0000'0000 + launched_ * 64;
    std::uint32_t doorbell = context << reg::DoorbellFields::kContextShift;
    if (random_.one_in(4)) {
      doorbell |= 1U << reg::DoorbellFields::kOwnPriorityShift | random_.in32(0, 15)
                                                                     << reg::DoorbellFields::kPriorityShift;
    }
    if (random_.one_in(2) && (read_half(reg::kLaunchStatus) & 1) != 0) return false;  // or without a look
    const auto post = [this](std::uint64_t address, std::uint64_t data) {
      soc_.master.write(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(data));
    };
    post(reg::kLaunchGrid, num_tbs);
    post(reg::kLaunchGrid + 4, tbs_per_sm);
    post(reg::kLaunchDescriptor, descriptor);
    post(reg::kLaunchDescriptor + 4, descriptor >> 32);
    finish();
    bool is_refused = false;
    for (const Answer& answer : soc_.master.written) is_refused = is_refused || answer.is_error;
    soc_.master.written.clear();
    if (is_refused) {
      ++num_refused_;
      EXPECT_EQ(read(reg::kError), static_cast<std::uint64_t>(reg::ErrorCode::kPortFull));
      write(reg::kError, 0);
      return false;
    }
    soc_.ledger.launch(descriptor, context, num_tbs, tbs_per_sm);
    EXPECT_TRUE(write(reg::kLaunchDoorbell, doorbell));
    soc_.turns.launch(descriptor, context);
    ++launched_;
    return true;
  }

  // The upper half says whether the lower one is a kernel's.
  void serve() {
    for (;;) {
      const std::uint32_t upper = read_half(reg::kKernelDone + 4);
      if (upper >> 31 == 0 || !is_fine()) return;
      const std::uint64_t lower = read_half(reg::kKernelDone);
      reported_.push_back((std::uint64_t{upper} << 32 | lower) & 0xFF'FFFF'FFFF);
      write(reg::kKernelDone, 0);
    }
  }

  Soc& soc_;
  std::uint32_t policy_;
  Random random_;
  bool keeps_turns_ = false;
  unsigned launched_ = 0;
  std::uint64_t num_refused_ = 0;
  std::vector<std::uint64_t> reported_;
};

void run_policy(const spec::PolicyInfo& policy) {
  std::uint64_t num_restored = 0;
  std::uint64_t num_refused = 0;
  for (std::uint64_t seed = 1; seed <= kNumRuns && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Soc soc(seed);
    const auto technique = static_cast<std::uint32_t>(seed % 3);
    Driver driver(soc, policy.code | technique << reg::PolicyFields::kTechniqueShift, seed);
    driver.boot();
    driver.run();
    driver.check();
    num_restored += soc.ledger.num_restored();
    num_refused += driver.num_refused();
  }
  EXPECT_EQ(num_restored > 0, policy.has(spec::kPreempts));
  EXPECT_GT(num_refused, 0U) << "no launch met another one that waited";
}

TEST(SmallSoc, RunsEveryThreadBlockOnceAndReportsEveryKernelOnceUnderEachPolicy) {
  for (const spec::PolicyInfo& policy : spec::kPolicies) {
    if ((Soc::kSizes.policies >> policy.code & 1) == 0) continue;
    SCOPED_TRACE(policy.name);
    run_policy(policy);
  }
}

class KeptTurns : public ::testing::TestWithParam<std::tuple<bool, bool>> {};
INSTANTIATE_TEST_SUITE_P(OfSmsAndOfTheGpuByTheTimersOfTheIpAndOfTheSoc, KeptTurns,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST_P(KeptTurns, OfASmallSocRunEveryThreadBlockOnceReportEveryKernelOnceAndPassForTheirCauses) {
  const auto [of_gpu, has_timers] = GetParam();
  std::uint64_t num_restored = 0, num_switches = 0;
  std::array<std::uint64_t, 3> passed{};
  for (std::uint64_t seed = 1; seed <= kNumRuns && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Soc soc(seed, !has_timers);
    const auto technique = static_cast<std::uint32_t>(seed % 3);
    Driver driver(soc, spec::info(spec::PolicyKind::kTimeSlice).code | technique << reg::PolicyFields::kTechniqueShift,
                  seed);
    driver.boot();
    driver.keep_turns(of_gpu, has_timers);
    driver.run();
    driver.check();
    num_restored += soc.ledger.num_restored();
    num_switches += soc.turns.num_switches();
    for (const auto cause : {TurnCause::kDry, TurnCause::kSliceOver, TurnCause::kUnlisted})
      passed[static_cast<std::size_t>(cause)] += soc.turns.num_passed(cause);
  }
  EXPECT_GT(num_restored, 0U);
  EXPECT_GT(num_switches, 50U);
  for (const std::uint64_t count : passed) EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace tessera::ip::test
