// SPDX-License-Identifier: Apache-2.0
// Which transfer goes next: in order of arrival or of priority, with one engine or one per direction.
#include <algorithm>

#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::ElementsAre;

constexpr std::uint64_t kLongCopy = 100'000;  // 50,000 cycles on the link: longer than everything else here

// Three processes copy, in this order; the last one has the highest priority.
spec::Spec three_copies(spec::DmaPolicy policy) {
  spec::Spec spec = tiny_platform();
  spec.dma_policy = policy;
  for (std::uint32_t i = 0; i < 3; ++i) {
    spec::ProcessSpec& process = add_process(spec, {}, {copy(CopyDirection::kToGpu, kLongCopy)});
    process.priority = i;
    process.start = i * 1000 * kCyclePs;
  }
  return spec;
}

// The processes whose copies started, in this order; only the first three.
std::vector<std::uint16_t> order_of(const Log& log) {
  std::vector<std::uint16_t> order;
  for (const Record& record : log.all(Kind::kDmaStarted)) {
    if (order.size() < 3) order.push_back(record.process);
  }
  return order;
}

// The most transfers that were under way at once.
int most_at_once(const Log& log) {
  int now = 0;
  int most = 0;
  for (std::size_t i = 0; i < log.records.size();) {
    const Cycle cycle = log.records[i].cycle;  // ends give way to starts within a cycle
    int started = 0;
    for (; i < log.records.size() && log.records[i].cycle == cycle; ++i) {
      if (log.records[i].kind == Kind::kDmaStarted) ++started;
      if (log.records[i].kind == Kind::kDmaEnded) --now;
    }
    now += started;
    most = std::max(most, now);
  }
  return most;
}

TEST(DmaPolicy, FcfsServesInOrderOfArrival) {
  EXPECT_THAT(order_of(simulate_checked(three_copies(spec::DmaPolicy::kFcfs))), ElementsAre(0, 1, 2));
}

TEST(DmaPolicy, NpqServesByPriorityAndInterruptsNoTransfer) {
  const spec::Spec spec = three_copies(spec::DmaPolicy::kNpq);
  const Log log = simulate_checked(spec);
  EXPECT_THAT(order_of(log), ElementsAre(0, 2, 1));
  const HostLatencies host(spec);
  EXPECT_EQ(log.cycles(Kind::kDmaEnded, 0).at(0) - log.cycles(Kind::kDmaStarted, 0).at(0), host.transfer(kLongCopy));
}

TEST(DmaPolicy, TheNextTransferStartsInTheCycleInWhichTheLastOneEnds) {
  const Log log = simulate_checked(three_copies(spec::DmaPolicy::kFcfs));
  EXPECT_EQ(log.cycles(Kind::kDmaStarted, 1).at(0), log.cycles(Kind::kDmaEnded, 0).at(0));
  EXPECT_EQ(most_at_once(log), 1);
}

struct Pair {
  CopyDirection first, second;
  std::uint32_t engines;
  int at_once;
};

TEST(DmaEngines, TwoMoveOneTransferInEachDirectionAtOnce) {
  const CopyDirection in = CopyDirection::kToGpu;
  const CopyDirection out = CopyDirection::kToHost;
  for (const Pair& pair : {Pair{in, out, 1, 1}, Pair{in, in, 1, 1}, Pair{in, out, 2, 2}, Pair{out, in, 2, 2},
                           Pair{in, in, 2, 1}, Pair{out, out, 2, 1}}) {
    spec::Spec spec = tiny_platform();
    spec.gpu.num_dma_engines = pair.engines;
    add_process(spec, {}, {copy_async(pair.first, kLongCopy, 0), copy_async(pair.second, kLongCopy, 1)});
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.all(Kind::kDmaEnded).size(), 2U);
    EXPECT_EQ(most_at_once(log), pair.at_once) << pair.engines << " engines";
  }
}

}  // namespace
}  // namespace tessera::platform::test
