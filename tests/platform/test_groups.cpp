// SPDX-License-Identifier: Apache-2.0
// Command groups of host programs: what the default driver, which knows none, makes of them.
// The timeline of a program with groups is held against that of the same steps without.
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::Eq;

constexpr Cycle kFewCycles = 9'000;
constexpr std::uint64_t kCopyBytes = 30'000;

std::vector<spec::HostStep> work_in(std::uint32_t stream) {
  return {copy_async(CopyDirection::kToGpu, kCopyBytes, stream), launch(0, stream),
          loop(3, {launch(1, stream), launch(0, stream)}), copy_async(CopyDirection::kToHost, kCopyBytes, stream)};
}

// Of two processes, whose work is in groups or is not.
spec::Spec with_groups(bool is_grouped) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  for (const Cycle think_time : {1'000, 4'321}) {
    std::vector<spec::HostStep> program{cpu(think_time)};
    for (const std::uint32_t stream : {0, 1}) {
      const std::vector<spec::HostStep> work = work_in(stream);
      if (is_grouped) program.push_back(group(work, stream));
      if (!is_grouped) program.insert(program.end(), work.begin(), work.end());
    }
    add_process(spec, {kernel_of("a", 2, kFewCycles), kernel_of("b", 3, 2 * kFewCycles)}, program);
  }
  return spec;
}

TEST(Group, IsPlayedAsItsStepsOneAfterTheOtherByTheDefaultDriver) {
  const Log grouped = simulate_checked(with_groups(true));
  const Log plain = simulate_checked(with_groups(false));
  ASSERT_EQ(grouped.records.size(), plain.records.size());
  for (std::size_t i = 0; i < plain.records.size(); ++i) {
    ASSERT_THAT(nlohmann::json(grouped.records[i]), Eq(nlohmann::json(plain.records[i]))) << "record " << i;
  }
}

TEST(Group, LetsItsProcessGoOnAtOnce) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("long", 1, 400'000), kernel_of("other", 1, kFewCycles)},
              {group({copy_async(CopyDirection::kToGpu, kCopyBytes), launch(0)}), launch(1, 1)});
  const HostLatencies host(spec);
  EXPECT_EQ(simulate_checked(spec).when(Kind::kKernelArrived, 0, 1), host.copy + 2 * host.launch + host.to_arrival());
}

}  // namespace
}  // namespace tessera::platform::test
