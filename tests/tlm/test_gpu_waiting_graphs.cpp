// SPDX-License-Identifier: Apache-2.0
// When a graph counts as a launch on its way (docs/hardware/timing.md 7.6).
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"
#include "tests/tlm/waiting_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;

class GpuWaitingGraphs : public SystemCTest {};

constexpr std::uint64_t kGraphOfWaiting = 0x50000;

GraphNode node_of(const KernelDescriptor& kernel) {
  GraphNode node;
  node.command.opcode = Opcode::kLaunch;
  node.kernel = kernel;
  return node;
}
GraphNode node_of(const Command& copy) {
  GraphNode node;
  node.command = copy;
  return node;
}

void submit_graph(GpuBench& bench, const std::vector<GraphNode>& nodes, const std::vector<GraphEdgeWords>& edges) {
  std::uint64_t address = kGraphOfWaiting;
  const auto put = [&](const void* data, std::size_t bytes) {
    bench.system_memory.bytes.write(address, static_cast<const std::uint8_t*>(data), bytes);
    address += bytes;
  };
  const GraphHeader header{static_cast<std::uint32_t>(nodes.size()), static_cast<std::uint32_t>(edges.size())};
  put(&header, sizeof(header));
  put(nodes.data(), nodes.size() * sizeof(GraphNode));
  put(edges.data(), edges.size() * sizeof(GraphEdgeWords));
  Command command;
  command.opcode = Opcode::kGraph;
  command.flags = kInterruptWhenDone;
  command.source = kGraphOfWaiting;
  bench.submit(0, command);
}

TEST_F(GpuWaitingGraphs, AGraphWaitsUntilTheLastOfItsNodesIsSent) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    const GraphNode node = node_of(small_kernel(1, 2'000));
    submit_graph(bench, {node, node, node}, {{0, 1}, {1, 2}});
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{launched(bench).at(2), 0, false}));
  });
}

TEST_F(GpuWaitingGraphs, AGraphOfWhichOnlyCopiesAreAtWorkDoesNotWait) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    const Cycle rung = GpuBench::now() + bench.link().one_way();
    const GraphNode kernel = node_of(small_kernel(1, 2'000));
    const GraphNode copy = node_of(copy_command(0, 0, 4'000, false));
    submit_graph(bench, {kernel, copy, kernel}, {{0, 1}, {1, 2}});
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const Cycle first_done = bench.records(Kind::kKernelFinished).at(0).cycle;
    const Cycle copied = bench.records(Kind::kDmaEnded).at(0).cycle;
    EXPECT_THAT(told(bench), ElementsAre(Told{rung, 0, true}, Told{first_done, 0, false}, Told{copied, 0, true},
                                         Told{launched(bench).at(1), 0, false}));
  });
}

TEST_F(GpuWaitingGraphs, AGraphThatBeginsWithACopyWaitsOnceThatIsDone) {
  GpuBench bench("bench", kept_turns());
  simulate([&] {
    bench.set_up();
    submit_graph(bench, {node_of(copy_command(0, 0, 4'000, false)), node_of(small_kernel(1, 2'000))}, {{0, 1}});
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const Cycle copied = bench.records(Kind::kDmaEnded).at(0).cycle;
    EXPECT_THAT(told(bench), ElementsAre(Told{copied, 0, true}, Told{launched(bench).at(0), 0, false}));
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
