// SPDX-License-Identifier: Apache-2.0
// Edges of a graph: a list of lists of node numbers, each a path through nodes in ascending order. Internal to
// model/spec.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/application_spec.h"
#include "model/spec/document.h"
#include "model/spec/report.h"
#include "model/spec/scalar_rules.h"

namespace tessera::spec {

// Of an entry of `edges`.
Form edge_form();
// `path` names the list; the graph has `num_nodes`.
std::vector<GraphEdge> read_edges(const std::vector<Node>& listed, const KeyPath& path, std::uint32_t num_nodes,
                                  Report& report);

}  // namespace tessera::spec
