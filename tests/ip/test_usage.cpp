// SPDX-License-Identifier: Apache-2.0
// Claims about SM cycles (kSmCycles): the front end answers what the core's pins come to, whenever it is read.
#include <gtest/gtest.h>

#include "model/base/sm_usage.h"
#include "tests/ip/front_end_bench.h"

namespace tessera::ip::test {
namespace {

Sizes widest() {
  Sizes sizes;
  sizes.num_sms = 256;
  sizes.num_contexts = 256;
  return sizes;
}

// A core that takes and frees SMs as fast as one can: visits of a job 4 cycles apart, jobs 7.
class UsageBench : public FrontEndBench {
 public:
  explicit UsageBench(const Sizes& device_sizes)
      : FrontEndBench(device_sizes), expected(device_sizes.num_contexts), free_(device_sizes.num_sms) {
    cycles(sizes.num_contexts + 1);  // rows are cleared
  }

  void count() {
    if (in.usage.valid) expected.freed(ContextId(in.usage.context), in.usage.freed, sm_now_);
    cycle();
    if (in.sm_tick) ++sm_now_;
    in.sm_tick = clock_ratio == 1 || ++in_sm_cycle_ % clock_ratio == clock_ratio - 1;
  }
  void job(unsigned rest) {
    for (unsigned i = 0; i < 3 + rest; ++i) count();  // PICK, FIND, SM
    if (random.one_in(2) || !give_back()) take();
    for (unsigned i = 0; i < 4; ++i) count();
    if (random.one_in(3)) return;
    if (!give_back(1)) take();
    for (unsigned i = 0; i < 4; ++i) count();
  }
  void take() {
    if (free_ == 0) return;
    --free_;
    step(random.in32(0, sizes.num_contexts - 1), -1);
  }
  // One SM, or (a kernel has finished) any number of those that a context holds.
  bool give_back(std::int64_t most = 256) {
    const std::uint32_t first = random.in32(0, sizes.num_contexts - 1);
    for (std::uint32_t i = 0; i < sizes.num_contexts; ++i) {
      const std::uint32_t context = (first + i) % sizes.num_contexts;
      const std::int64_t held = expected.held(ContextId(context));
      if (held == 0) continue;
      const auto freed = static_cast<std::int32_t>(random.one_in(2) ? std::min(held, most) : 1);
      free_ += static_cast<std::uint32_t>(freed);
      step(context, freed);
      return true;
    }
    return false;
  }
  // In cycles in which the core goes on.
  std::uint32_t read_counting(std::uint64_t address) {
    master.read(static_cast<std::uint32_t>(address));
    while (!master.is_idle() && master.violation().empty()) count();
    return take_answer();
  }
  std::uint64_t used(std::uint32_t context) {
    const std::uint64_t lower = read_counting(reg::kSmCycles + 8 * context);
    return lower | std::uint64_t{read_counting(reg::kSmCycles + 8 * context + 4)} << 32;
  }
  Cycle sm_now() const { return sm_now_; }
  void run_to(Cycle sm_cycle) {
    while (sm_now_ < sm_cycle) count();
  }

  SmUsage expected;
  testbench::Random random{7};
  unsigned clock_ratio = 1;

 private:
  std::uint32_t take_answer() { return ip::take(master.was_read).data; }
  void step(std::uint32_t context, std::int32_t freed) { in.usage = {true, context, freed}; }

  Cycle sm_now_ = 0;
  unsigned in_sm_cycle_ = 0;
  std::uint32_t free_;
};

void expect_used_as_counted(const Sizes& sizes, unsigned clock_ratio) {
  UsageBench bench(sizes);
  bench.clock_ratio = clock_ratio;
  bench.in.sm_tick = clock_ratio == 1;
  for (unsigned round = 0; round < 60; ++round) {
    for (unsigned i = 0; i < 20; ++i) bench.job(round % 3 == 0 ? 0 : bench.random.in32(0, 9));
    for (std::uint32_t context = 0; context < sizes.num_contexts; context += 1 + sizes.num_contexts / 5) {
      const Cycle before = bench.sm_now();
      const std::uint64_t used = bench.used(context);
      // The snapshot is of a cycle between the read's first and its last.
      EXPECT_GE(used, bench.expected.sm_cycles(ContextId(context), before));
      EXPECT_LE(used, bench.expected.sm_cycles(ContextId(context), bench.sm_now()));
      const auto held = static_cast<std::uint64_t>(bench.expected.held(ContextId(context)));
      if (held == 0) continue;
      EXPECT_EQ((used - bench.expected.sm_cycles(ContextId(context), before)) % held, 0U);
    }
  }
}

TEST(SmCyclesOfTheFrontEnd, AreWhatThePinsComeTo) { expect_used_as_counted({}, 1); }
TEST(SmCyclesOfTheFrontEnd, CountSmCyclesNotTheCores) { expect_used_as_counted({}, 3); }
TEST(SmCyclesOfTheFrontEnd, AreWhatThePinsComeToWith256SmsAndContexts) { expect_used_as_counted(widest(), 1); }

// A read gives way to a step.
TEST(SmCyclesOfTheFrontEnd, AreReadWhileSmsChangeHands) {
  UsageBench bench({});
  for (unsigned i = 0; i < 300; ++i) {
    const std::uint32_t context = bench.random.in32(0, bench.sizes.num_contexts - 1);
    const Cycle before = bench.sm_now();
    const std::uint64_t at_first = bench.expected.sm_cycles(ContextId(context), before);
    bench.master.read(static_cast<std::uint32_t>(reg::kSmCycles + 8 * context));
    while (!bench.master.is_idle() && bench.master.violation().empty()) bench.job(bench.random.in32(0, 9));
    const std::uint64_t used = take(bench.master.was_read).data;
    EXPECT_GE(used, at_first);
    EXPECT_LE(used, bench.expected.sm_cycles(ContextId(context), bench.sm_now()));
  }
}

// The upper half belongs to the lower one that was read before it, of whichever context.
TEST(SmCyclesOfTheFrontEnd, HalvesAreOfOneMomentAcrossACarry) {
  UsageBench bench({});
  bench.in.usage = {true, 1, -5};
  bench.count();
  bench.device->set_sm_time(0xFFFF'FF00U / 5);
  std::uint64_t last = 0;
  for (unsigned i = 0; i < 20; ++i) {
    const std::uint64_t lower = bench.read_counting(reg::kSmCycles + 8);
    for (unsigned wait = bench.random.in32(0, 9); wait > 0; --wait) bench.count();
    const std::uint64_t used = lower | std::uint64_t{bench.read_counting(reg::kSmCycles + 8 + 4)} << 32;
    EXPECT_GT(used, last);
    EXPECT_LT(used - last, i == 0 ? ~std::uint64_t{0} : 1000U);
    last = used;
  }
  EXPECT_EQ(last >> 32, 1U);
}

TEST(SmCyclesOfTheFrontEnd, AreZeroAfterResetAndIgnoreWrites) {
  UsageBench bench({});
  for (std::uint32_t context = 0; context < bench.sizes.num_contexts; ++context) EXPECT_EQ(bench.used(context), 0U);
  EXPECT_EQ(bench.used(bench.sizes.num_contexts), 0U) << "there is no such context";
  bench.in.usage = {true, 2, -1};
  bench.count();
  bench.run_to(500);
  bench.in.usage = {true, 2, 1};
  bench.count();
  const std::uint64_t used = bench.used(2);
  EXPECT_EQ(used, bench.expected.sm_cycles(ContextId(2), bench.sm_now()));
  EXPECT_TRUE(bench.write_register(reg::kSmCycles + 16, ~std::uint64_t{0}));
  EXPECT_EQ(bench.used(2), used);
}

}  // namespace
}  // namespace tessera::ip::test
