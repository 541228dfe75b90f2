// SPDX-License-Identifier: Apache-2.0
// Graphs in a program: what YAML says of them, what it must not say, and what JSON keeps of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::HasSubstr;

constexpr const char* kGraphApp = "parts/app.yaml";

std::string app_with(const std::string& graph) {
  return R"(schema_version: 1
name: app
kernels:
  - {name: first, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, kernel_time_us: 5}
  - {name: second, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, kernel_time_us: 5}
program:
  - graph: )" +
         graph + "\n";
}

struct FilesWithGraph : Files {
  explicit FilesWithGraph(const std::string& graph) { write(kGraphApp, app_with(graph)); }
};

const Graph& graph_of(const Spec& spec) { return std::get<Graph>(spec.applications.front().program.front()); }

TEST(GraphSpec, NodesAreAChainUnlessEdgesSayOtherwise) {
  FilesWithGraph files(
      "{stream: 3, nodes: [{launch: {kernel: first}}, {loop: {count: 2, body: [{launch: {kernel: "
      "second, time_factor: 1.5}}]}}, {copy: {direction: to_host, bytes: 8}}]}");
  const Spec spec = files.load();
  const Graph& graph = graph_of(spec);
  EXPECT_EQ(graph.stream, 3U);
  EXPECT_FALSE(graph.edges);
  const std::vector<const HostStep*> nodes = nodes_of(graph);
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(std::get<Launch>(*nodes[2]).kernel, 1U);
  EXPECT_EQ(std::get<Launch>(*nodes[2]).time_factor_ppm, 1'500'000U);
  EXPECT_TRUE(std::get<Copy>(*nodes[3]).is_async);
  const std::vector<GraphEdge> edges = edges_of(graph);
  ASSERT_EQ(edges.size(), 3U);
  EXPECT_EQ(edges[2].from, 2U);
  EXPECT_EQ(edges[2].to, 3U);
  EXPECT_EQ(launches_per_run(spec.applications.front()), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(spec.applications.front().num_streams(), 4U);
}

TEST(GraphSpec, AnEdgeMayBeAPath) {
  FilesWithGraph files("{nodes: [{loop: {count: 4, body: [{launch: {kernel: first}}]}}], edges: [[0, 1, 3], [0, 2]]}");
  const Spec spec = files.load();
  const std::vector<GraphEdge> edges = edges_of(graph_of(spec));
  ASSERT_EQ(edges.size(), 3U);
  EXPECT_EQ(edges[1].from, 1U);
  EXPECT_EQ(edges[1].to, 3U);
  EXPECT_EQ(edges[2].from, 0U);
  EXPECT_EQ(edges[2].to, 2U);
}

TEST(GraphSpec, JsonIsTheGraphAgain) {
  FilesWithGraph files("{nodes: [{launch: {kernel: first}}, {copy: {direction: to_gpu, bytes: 8}}], edges: []}");
  const nlohmann::ordered_json json = to_json(files.load());
  const nlohmann::json graph = json["applications"][0]["program"][0]["graph"];
  EXPECT_EQ(graph["edges"], nlohmann::json::array());
  EXPECT_EQ(graph["nodes"][0]["launch"], (nlohmann::json{{"kernel", "first"}}));
  EXPECT_EQ(graph["nodes"][1]["copy"], (nlohmann::json{{"direction", "to_gpu"}, {"bytes", 8}}));
}

struct BadGraph {
  const char* name;
  const char* graph;
  const char* key;
  const char* problem;
};
void PrintTo(const BadGraph& bad, std::ostream* out) { *out << bad.name; }

class BadGraphs : public testing::TestWithParam<BadGraph> {};

TEST_P(BadGraphs, AreReportedOnceWhereTheyStand) {
  FilesWithGraph files(GetParam().graph);
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U) << testing::PrintToString(mistakes);
  EXPECT_EQ(mistakes[0].key, std::string("program.0.graph") + GetParam().key);
  EXPECT_THAT(mistakes[0].problem, HasSubstr(GetParam().problem));
}

const std::vector<BadGraph> kBadGraphs = {
    {"Nothing", "{nodes: []}", ".nodes", "is empty"},
    {"NoNodes", "{stream: 1}", ".nodes", "is missing"},
    {"Cpu", "{nodes: [{cpu: {time_us: 1}}]}", ".nodes.0.cpu", "has no place in a graph"},
    {"GraphInGraph", "{nodes: [{graph: {nodes: []}}]}", ".nodes.0.graph", "has no place in a graph"},
    {"OwnStream", "{nodes: [{launch: {kernel: first, stream: 1}}]}", ".nodes.0.launch.stream",
     "has no stream of its own"},
    {"Waits", "{nodes: [{copy: {direction: to_gpu, bytes: 1, mode: sync}}]}", ".nodes.0.copy.mode", "does not wait"},
    {"Start", "{nodes: [{launch: {kernel: first, start_us: 1}}]}", ".nodes.0.launch.start_us",
     "has no start of its own"},
    {"TooMany", "{nodes: [{loop: {count: 65537, body: [{launch: {kernel: first}}]}}]}", ".nodes", "has too many nodes"},
    {"NoList", "{nodes: [{launch: {kernel: first}}], edges: [1]}", ".edges.0", "is not an edge"},
    {"OneEnd", "{nodes: [{launch: {kernel: first}}], edges: [[0]]}", ".edges.0", "is not an edge"},
    {"Dangling", "{nodes: [{launch: {kernel: first}}], edges: [[0, 1]]}", ".edges.0.1", "out of range"},
    {"Backwards", "{nodes: [{launch: {kernel: first}}, {launch: {kernel: first}}], edges: [[1, 0]]}", ".edges.0.1",
     "leads to no later node"},
    {"Itself", "{nodes: [{launch: {kernel: first}}, {launch: {kernel: first}}], edges: [[1, 1]]}", ".edges.0.1",
     "leads to no later node"},
    {"Misspelt", "{nodes: [{launch: {kernel: first}}], edge: [[0, 0]]}", ".edge", "unknown key"},
};

INSTANTIATE_TEST_SUITE_P(All, BadGraphs, testing::ValuesIn(kBadGraphs),
                         [](const testing::TestParamInfo<BadGraph>& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::spec
