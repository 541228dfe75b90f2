// SPDX-License-Identifier: Apache-2.0
// Edges lead to later nodes, so there is no circle.
#include "model/spec/read_graph_edges.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

namespace tessera::spec {
namespace {

constexpr const char* kAllowed = "two or more numbers of nodes, each greater than the one before it";

std::optional<std::uint32_t> read_node_number(const Node& node, const KeyPath& path, std::uint32_t num_nodes,
                                              Report& report) {
  if (node.kind == Node::Kind::kInvalid) return std::nullopt;
  auto ruled = Number{0, num_nodes - 1}.parse(node);
  if (const auto* problem = std::get_if<Problem>(&ruled)) {
    report.add(node.where, path, problem->problem, describe(node), problem->allowed);
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(std::get<std::uint64_t>(ruled));
}

void read_path(const Node& listed, const KeyPath& path, std::uint32_t num_nodes, Report& report,
               std::vector<GraphEdge>& edges) {
  std::optional<std::uint32_t> from;
  for (std::size_t i = 0; i < listed.children.size(); ++i) {
    const std::optional<std::uint32_t> to = read_node_number(listed.children[i], path / i, num_nodes, report);
    if (!to) return;
    if (from && *to <= *from) {
      report.add(listed.children[i].where, path / i, "leads to no later node", describe(listed.children[i]), kAllowed);
      return;
    }
    if (from) edges.push_back({*from, *to});
    from = to;
  }
}

}  // namespace

Form edge_form() {
  Form form = list_form(Number{0, kMaxGraphNodes - 1}.form(), 2);
  form.allowed = kAllowed;
  return form;
}

std::vector<GraphEdge> read_edges(const std::vector<Node>& listed, const KeyPath& path, std::uint32_t num_nodes,
                                  Report& report) {
  std::vector<GraphEdge> edges;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const bool is_list = listed[i].kind == Node::Kind::kSequence;
    if (listed[i].kind == Node::Kind::kInvalid) continue;
    if (!is_list || listed[i].children.size() < 2) {
      report.add(listed[i].where, path / i, "is not an edge", is_list ? "" : describe(listed[i]), kAllowed);
      continue;
    }
    read_path(listed[i], path / i, num_nodes, report, edges);
  }
  return edges;
}

}  // namespace tessera::spec
