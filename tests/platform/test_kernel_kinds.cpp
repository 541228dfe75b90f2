// SPDX-License-Identifier: Apache-2.0
// Which kernels memory limits ([Z21] Definition 1): by hand-made times, and measured on the tiny machine.
#include "model/spec/application_spec.h"
#include "platform/kernel_kinds.h"
#include "tests/platform/machine_bench.h"
#include "tests/tlm/loaded_machine.h"

namespace tessera::platform::test {
namespace {

using spec::KernelKind;

constexpr std::uint32_t kSms = 8;

// 840 us on one SM, and no less than on `limit` of them.
TimesOverSms times_up_to(std::uint32_t limit) {
  TimesOverSms times;
  for (std::uint32_t m = 1; m <= kSms; ++m) times.push_back(840'000 / std::min(m, limit));
  return times;
}

TEST(KernelKinds, MemoryIsWhatTheLastSmsDoNotImproveButWouldWithoutIt) {
  EXPECT_EQ(kind_of(times_up_to(4), times_up_to(kSms)), KernelKind::kMemory);
  EXPECT_EQ(kind_of(times_up_to(kSms), times_up_to(kSms)), KernelKind::kCompute);
}

TEST(KernelKinds, AKernelWhoseGridEndsTheGainIsNotOfMemory) {
  EXPECT_EQ(kind_of(times_up_to(4), times_up_to(4)), KernelKind::kCompute);
}

// From 6 to 8 SMs a third is to be gained: 840 / 7 to 840 / 6 is a sixth of the former, as good as half.
TEST(KernelKinds, HalfOfTheGainIsTheLimit) {
  TimesOverSms times = times_up_to(kSms);
  times[5] = times[7] + times[7] / 6 + 100;
  EXPECT_EQ(kind_of(times, times_up_to(kSms)), KernelKind::kCompute);
  times[5] = times[7] + times[7] / 6 - 100;
  EXPECT_EQ(kind_of(times, times_up_to(kSms)), KernelKind::kMemory);
}

// Eight SMs that ask for 10 bytes a cycle each, of a memory that has 40.
spec::Spec readers() {
  spec::Spec spec = tlm_model::test::with_loaded_memory(tiny_platform(kSms), tlm_model::test::memory_with_roof(40));
  add_process(spec,
              {kernel_of("reads", 24 * 35, 100), kernel_of("computes", 24 * 35, 2000), kernel_of("small", 2, 100)},
              {launch(0), launch(1), launch(2), synchronise()});
  for (const std::size_t i : {0, 2}) {
    spec.applications[0].kernels[i].dram_bytes_per_tb = 20'000;
    spec.applications[0].kernels[i].bytes_in_flight_per_tb = tlm_model::test::kSmBytes;
  }
  return spec;
}

TEST(KernelKinds, AreMeasuredOnEachNumberOfSms) {
  const std::vector<KindOfKernel> kinds = measure_kinds(readers(), 2, [] { return false; }, {});
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].kernel, "reads");
  EXPECT_EQ(kinds[0].kind, KernelKind::kMemory);
  EXPECT_EQ(kinds[0].levels_off, 4U) << "that have all of the 40";
  EXPECT_EQ(kinds[1].kind, KernelKind::kCompute);
  EXPECT_EQ(kinds[1].levels_off, kSms);
  EXPECT_EQ(kinds[1].times, kinds[1].without_memory);
  EXPECT_EQ(kinds[2].kind, KernelKind::kCompute);
  EXPECT_EQ(kinds[2].levels_off, 2U) << "thread blocks";
}

}  // namespace
}  // namespace tessera::platform::test
