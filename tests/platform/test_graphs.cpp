// SPDX-License-Identifier: Apache-2.0
// A graph of kernels is one call and one command; its nodes begin when those ahead of them are done.
#include <algorithm>

#include "tests/platform/timegraph_machine.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

constexpr Cycle kGap = 29;  // from a node to those behind it
constexpr Cycle kNodeCycles = 9'000;

spec::Spec graph_platform(std::uint32_t num_sms = 4) {
  spec::Spec spec = tiny_platform(num_sms);
  spec.gpu.framework.graph_dispatch_cycles = kGap;
  return spec;
}

spec::HostStep graph(std::vector<spec::HostStep> nodes, std::vector<spec::GraphEdge> edges, std::uint32_t stream = 0) {
  return spec::Graph{std::move(nodes), stream, std::move(edges)};
}
spec::HostStep chain(std::vector<spec::HostStep> nodes, std::uint32_t stream = 0) {
  return spec::Graph{std::move(nodes), stream, std::nullopt};
}

class Graph : public testing::TestWithParam<Abstraction> {
 protected:
  static Log simulate(const spec::Spec& spec) {
    MachineOptions options;
    options.abstraction = GetParam();
    return simulate_checked(spec, options);
  }
};

// The host makes one call, whatever is in the graph; each node is asked for a gap after the one before it is done.
TEST_P(Graph, NodesOfAChainFollowEachOther) {
  spec::Spec spec = graph_platform();
  add_process(spec, {kernel_of("a", 1, kNodeCycles), kernel_of("b", 3, 2 * kNodeCycles), kernel_of("after", 1, 100)},
              {chain({launch(0), loop(2, {launch(1)})}), launch(2)});
  const HostLatencies host(spec);
  const Log log = simulate(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_THAT(arrived, SizeIs(4));
  EXPECT_EQ(arrived[0], host.launch + host.to_arrival());
  EXPECT_EQ(arrived[1], finished[0] + kGap + 1);
  EXPECT_EQ(arrived[2], finished[1] + kGap + 1);
  EXPECT_EQ(arrived[3], finished[2] + host.dispatch + 1);  // the stream's next command
}

TEST_P(Graph, BranchesOverlapAndJoin) {
  spec::Spec spec = graph_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  add_process(spec,
              {kernel_of("root", 1, kNodeCycles), kernel_of("short", 1, kNodeCycles),
               kernel_of("long", 1, 3 * kNodeCycles), kernel_of("join", 1, kNodeCycles)},
              {graph({launch(0), launch(1), launch(2), launch(3)}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})});
  const Log log = simulate(spec);
  const auto arrived = [&](std::uint16_t kernel) { return log.when(Kind::kKernelArrived, 0, kernel); };
  const auto finished = [&](std::uint16_t kernel) { return log.when(Kind::kKernelFinished, 0, kernel); };
  EXPECT_EQ(arrived(1), finished(0) + kGap + 1);
  EXPECT_GE(arrived(2), arrived(1));
  EXPECT_LT(arrived(2), finished(1));
  EXPECT_EQ(arrived(3), finished(2) + kGap + 1);
}

TEST_P(Graph, WithoutEdgesNobodyWaits) {
  spec::Spec spec = graph_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  add_process(spec, {kernel_of("a", 1, 50'000), kernel_of("b", 1, 50'000)}, {graph({launch(0), launch(1)}, {})});
  const Log log = simulate(spec);
  EXPECT_LT(log.when(Kind::kKernelArrived, 0, 1), log.when(Kind::kKernelFinished, 0, 0));
}

// A ring has 1,024 entries. Were each node one, the host would wait in the middle of its calls.
TEST_P(Graph, AnyNumberOfNodesIsOneCommandAndDoesNotHoldUpTheHost) {
  spec::Spec spec = graph_platform();
  add_process(spec, {kernel_of("node", 1, 50), kernel_of("beside", 1, 100)},
              {chain({loop(5'000, {launch(0)})}), launch(1, 1)});
  spec.gpu.num_hardware_queues = 2;
  const HostLatencies host(spec);
  const Log log = simulate(spec);
  EXPECT_THAT(log.all(Kind::kKernelFinished), SizeIs(5'001));
  // The context's other launch may be in its command buffer for a moment; the ring's end would be 40 launches away.
  EXPECT_LT(log.when(Kind::kKernelArrived, 0, 1), 2 * host.launch + host.to_arrival() + host.launch / 10);
}

INSTANTIATE_TEST_SUITE_P(Models, Graph, testing::Values(Abstraction::kTlm, Abstraction::kRtlModel),
                         [](const auto& model) { return std::string(to_string(model.param)); });

TEST(GraphInTlm, CopiesAreNodesToo) {
  spec::Spec spec = graph_platform();
  add_process(
      spec, {kernel_of("a", 1, kNodeCycles)},
      {chain({copy_async(CopyDirection::kToGpu, 4'000), launch(0), copy_async(CopyDirection::kToHost, 2'000)})});
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> started = log.cycles(Kind::kDmaStarted);
  const std::vector<Cycle> ended = log.cycles(Kind::kDmaEnded);
  ASSERT_THAT(started, SizeIs(2));
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, 0), ended[0] + kGap + 1);
  EXPECT_EQ(started[1], log.when(Kind::kKernelFinished, 0, 0) + kGap + 1);
}

TEST(GraphInTlm, TwoOnTheirWayKeepTheirNodesApart) {
  spec::Spec spec = graph_platform();
  add_process(spec, {kernel_of("a", 2, kNodeCycles), kernel_of("b", 1, 700)},
              {loop(40, {chain({launch(0), loop(3, {launch(1)})}, 0), chain({loop(5, {launch(1)})}, 1)})});
  EXPECT_THAT(simulate_checked(spec).all(Kind::kKernelFinished), SizeIs(40 * 9));
}

TEST(GraphInTlm, HoldsItsChannelUntilItsLastNode) {
  spec::Spec spec = graph_platform();
  spec.gpu.framework.channels = spec::Channels::kOne;
  add_process(spec, {kernel_of("a", 1, kNodeCycles)}, {chain({launch(0), launch(0), launch(0)})});
  add_process(spec, {kernel_of("other", 1, 100)}, {cpu(2'000), launch(0)});
  const Log log = simulate_checked(spec);
  EXPECT_GT(log.when(Kind::kKernelArrived, 1, 0), log.cycles(Kind::kKernelFinished, 0).back());
}

TEST(GraphInTlm, IsOneGroupForADriver) {
  spec::Spec spec = timegraph_platform();
  add_process(spec, {kernel_of("a", 1, kNodeCycles)}, {chain({launch(0), loop(9, {launch(0)})}), launch(0)});
  add_entry(spec, GroupDispatch::kPrt, 1);
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.all(Kind::kGroupArrived), SizeIs(2));
  EXPECT_THAT(log.all(Kind::kKernelFinished), SizeIs(11));
}

TEST(GraphInTlm, StepwiseAndRunAheadWriteTheSameLog) {
  spec::Spec spec = graph_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  for (int i = 0; i < 2; ++i) {
    add_process(spec, {kernel_of("a", 3, kNodeCycles), kernel_of("b", 5, 700)},
                {cpu(300 + 71 * i),
                 loop(3, {graph({launch(0), launch(1), launch(1), launch(0)}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})})});
  }
  MachineOptions stepwise;
  stepwise.pace = tlm_model::ExecutionEngine::Pace::kStepwise;
  const Log a = simulate_checked(spec);
  const Log b = simulate_checked(spec, stepwise);
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    ASSERT_EQ(nlohmann::json(a.records[i]), nlohmann::json(b.records[i])) << "record " << i;
  }
}

}  // namespace
}  // namespace tessera::platform::test
