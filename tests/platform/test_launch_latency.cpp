// SPDX-License-Identifier: Apache-2.0
// The latency chains of one launch and of one copy, from the API call to the process that waited for it, cycle by
// cycle from the Spec.
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::ElementsAre;

constexpr Cycle kTbCycles = 40'000;
constexpr std::uint64_t kOddBytes = 123'457;

TEST(LaunchLatency, IsTheSumOfItsStations) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kTbCycles)}, {cpu(100), launch(0)});
  const HostLatencies host(spec);
  const tlm_model::test::Latencies engine(spec);
  const Log log = simulate_checked(spec);
  const Cycle called = 100 + host.launch;
  const Cycle arrived = called + host.to_arrival();
  EXPECT_THAT(log.cycles(Kind::kKernelArrived), ElementsAre(arrived));
  EXPECT_THAT(log.cycles(Kind::kKernelActivated), ElementsAre(arrived + engine.activation));
  EXPECT_THAT(log.cycles(Kind::kSmSetUp), ElementsAre(arrived + engine.assign()));
  EXPECT_THAT(log.cycles(Kind::kTbIssued), ElementsAre(arrived + engine.assign() + engine.start()));
  const Cycle finished = arrived + engine.assign() + engine.start() + kTbCycles;
  EXPECT_THAT(log.cycles(Kind::kKernelFinished), ElementsAre(finished));
  EXPECT_THAT(log.cycles(Kind::kRunEnded), ElementsAre(finished + host.to_process()));
}

TEST(LaunchLatency, AKernelThatIsShorterThanTheWayOfItsFenceIsHeardOfWhenTheFenceCame) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, 1)}, {launch(0), cpu(20'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle fence_rung = host.launch + 20'000 + host.synchronise;
  EXPECT_LT(log.cycles(Kind::kKernelFinished).at(0), fence_rung);
  // Doorbell, read of the fence, and then as after any command.
  EXPECT_THAT(log.cycles(Kind::kRunEnded), ElementsAre(fence_rung + host.link + 2 * host.link + host.to_process()));
}

TEST(LaunchLatency, SynchroniseOfAnIdleDeviceCostsItsCallOnly) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {}, {synchronise(), synchronise(3)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.cycles(Kind::kRunEnded), ElementsAre(3 * host.synchronise));  // the run's own end is the third
}

TEST(LaunchLatency, TheNextCommandOfAStreamIsLookedAtOnlyWhenItsPredecessorIsDone) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kTbCycles)}, {launch(0), launch(0), launch(0)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(arrived.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i) EXPECT_EQ(arrived[i], finished[i - 1] + host.dispatch + 1);
}

TEST(LaunchLatency, EveryCallCostsItsCpuTime) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kTbCycles)}, {launch(0, 0), launch(0, 1), launch(0, 2), launch(0, 3)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle first = host.launch + host.to_arrival();
  EXPECT_THAT(log.cycles(Kind::kKernelArrived),
              ElementsAre(first, first + host.launch, first + 2 * host.launch, first + 3 * host.launch));
}

TEST(CopyLatency, OfALoneCopyIsTheLinksLatencyAndItsBytes) {
  for (const CopyDirection direction : {CopyDirection::kToGpu, CopyDirection::kToHost}) {
    spec::Spec spec = tiny_platform();
    add_process(spec, {}, {copy(direction, kOddBytes)});
    const HostLatencies host(spec);
    const Log log = simulate_checked(spec);
    const Cycle started = host.copy + host.to_transfer();
    const Cycle ended = started + host.link + (kOddBytes + 1) / 2;  // two bytes a cycle
    EXPECT_THAT(log.cycles(Kind::kDmaStarted), ElementsAre(started));
    EXPECT_THAT(log.cycles(Kind::kDmaEnded), ElementsAre(ended));
    EXPECT_EQ(log.all(Kind::kDmaStarted).at(0).bytes, kOddBytes);
    EXPECT_EQ(log.all(Kind::kDmaStarted).at(0).value, direction == CopyDirection::kToHost ? 1U : 0U);
    // The copy blocked its process; the end of the run finds nothing left to wait for.
    EXPECT_THAT(log.cycles(Kind::kRunEnded), ElementsAre(ended + host.to_process() + host.synchronise));
  }
}

TEST(CopyLatency, AtTheK20csLinkIsEightGigabytesASecond) {
  spec::Spec spec = tiny_platform();
  spec.gpu.clock_hz = 706'000'000;
  spec.gpu.pcie = {500'000'000, 32, 4096, 500'000};  // [T14] Table 2
  constexpr std::uint64_t kCopied = 80'000'000;      // 10 ms at 8 GB/s
  add_process(spec, {}, {copy(CopyDirection::kToGpu, kCopied)});
  const Log log = simulate_checked(spec);
  const Cycle took = log.cycles(Kind::kDmaEnded).at(0) - log.cycles(Kind::kDmaStarted).at(0);
  EXPECT_EQ(took, 353U + 7'060'000U);  // 0.5 us and 10 ms at 706 MHz
}

}  // namespace
}  // namespace tessera::platform::test
