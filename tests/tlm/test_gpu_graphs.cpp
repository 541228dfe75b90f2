// SPDX-License-Identifier: Apache-2.0
// A graph as a host that is not our driver writes it (docs/hardware/register_map.md): one entry of the ring, and what
// is wrong.
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

constexpr std::uint64_t kGraphAddress = 0x50000;

struct HostGraph {
  GraphHeader header;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdgeWords> edges;

  void write_to(GpuBench& bench) const {
    std::uint64_t address = kGraphAddress;
    const auto put = [&](const void* data, std::size_t bytes) {
      bench.system_memory.bytes.write(address, static_cast<const std::uint8_t*>(data), bytes);
      address += bytes;
    };
    put(&header, sizeof(header));
    put(nodes.data(), nodes.size() * sizeof(GraphNode));
    put(edges.data(), edges.size() * sizeof(GraphEdgeWords));
  }
};

GraphNode launch_node(Cycle cycles) {
  GraphNode node;
  node.command.opcode = Opcode::kLaunch;
  node.kernel = small_kernel(1, cycles);
  return node;
}

// 0 -> {1, 2} -> 3
HostGraph diamond() {
  return {
      {4, 4}, {launch_node(50), launch_node(60), launch_node(900), launch_node(70)}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
}

Command graph_command() {
  Command command;
  command.opcode = Opcode::kGraph;
  command.flags = kInterruptWhenDone;
  command.source = kGraphAddress;
  return command;
}

class GpuGraphs : public SystemCTest {};

TEST_F(GpuGraphs, ADiamondIsOneEntryOfTheRingAndOneFence) {
  spec::Spec spec = small_gpu(2, 1);
  spec.gpu.framework.graph_dispatch_cycles = 5;
  spec.scheduler.policy = spec::PolicyKind::kDss;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    diamond().write_to(bench);
    bench.submit(1, graph_command());
    bench.wait_for(1, 1);
    EXPECT_EQ(bench.read(GpuBench::queue(1, reg::kHead)), 1U);
    EXPECT_EQ(bench.read(reg::kError), 0U);
    bench.finish(GpuBench::now() + 1);
    const auto arrived = bench.records(Kind::kKernelArrived);
    const auto finished = bench.records(Kind::kKernelFinished);
    ASSERT_EQ(arrived.size(), 4U);
    ASSERT_EQ(finished.size(), 4U);
    EXPECT_EQ(arrived[1].cycle, finished[0].cycle + 5 + 1);
    EXPECT_LT(arrived[2].cycle, finished[1].cycle) << "the second branch does not wait for the first";
    EXPECT_EQ(arrived[3].cycle, finished[2].cycle + 5 + 1) << "the join waits for the longer branch";
  });
}

struct BadGraph {
  const char* name;
  reg::ErrorCode code;
  HostGraph graph;
};
std::ostream& operator<<(std::ostream& out, const BadGraph& bad) { return out << bad.name; }

std::vector<BadGraph> bad_graphs() {
  const HostGraph good = diamond();
  std::vector<BadGraph> all;
  const auto add = [&](const char* name, reg::ErrorCode code, auto change) {
    all.push_back({name, code, good});
    change(all.back().graph);
  };
  using E = reg::ErrorCode;
  add("NoNodes", E::kBadGraph, [](HostGraph& graph) { graph.header.num_nodes = 0; });
  add("TooManyNodes", E::kBadGraph, [](HostGraph& graph) { graph.header.num_nodes = kMaxGraphNodes + 1; });
  add("TooManyEdges", E::kBadGraph, [](HostGraph& graph) { graph.header.num_edges = kMaxGraphEdges + 1; });
  add("NodesOutsideOfMemory", E::kBadAddress, [](HostGraph& graph) { graph.header.num_nodes = kMaxGraphNodes; });
  add("EdgeBack", E::kBadGraph, [](HostGraph& graph) { graph.edges[3] = {3, 2}; });
  add("EdgeToItself", E::kBadGraph, [](HostGraph& graph) { graph.edges[3] = {2, 2}; });
  add("EdgeToNoNode", E::kBadGraph, [](HostGraph& graph) { graph.edges[3] = {2, 4}; });
  add("FenceAsNode", E::kBadGraph, [](HostGraph& graph) { graph.nodes[2].command.opcode = Opcode::kFence; });
  add("GraphAsNode", E::kBadGraph, [](HostGraph& graph) { graph.nodes[2].command.opcode = Opcode::kGraph; });
  add("EventDriven", E::kBadGraph, [](HostGraph& graph) { graph.nodes[1].kernel.loop_program = 0x60000; });
  add("NoThreadBlocks", E::kBadKernel, [](HostGraph& graph) { graph.nodes[3].kernel.num_tbs = 0; });
  return all;
}

class BadGraphTest : public SystemCTest, public testing::WithParamInterface<BadGraph> {};

TEST_P(BadGraphTest, IsReportedAndLeavesNobodyWaiting) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    GetParam().graph.write_to(bench);
    bench.submit(2, graph_command());
    bench.wait_for(2, 1);
    EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(GetParam().code) | std::uint64_t{2} << 16);
    bench.write(reg::kError, 0);
    bench.submit(2, small_kernel(1, 10));
    bench.wait_for(2, 2);
    bench.finish(GpuBench::now() + 1);
    EXPECT_EQ(bench.records(Kind::kKernelFinished).size(), 1U) << "only the good one ran";
  });
}

INSTANTIATE_TEST_SUITE_P(Host, BadGraphTest, testing::ValuesIn(bad_graphs()),
                         [](const auto& bad) { return std::string(bad.param.name); });

}  // namespace
}  // namespace tessera::tlm_model::test
