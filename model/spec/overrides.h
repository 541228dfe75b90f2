// SPDX-License-Identifier: Apache-2.0
// `--set a.b.0.c=value`: the value is YAML, and takes the place of what stands under the key.
// Internal to model/spec.
#pragma once

#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/report.h"

namespace tessera::spec {

struct Override {
  struct Segment {
    std::string key;
    int column;  // in the text of the override, from 1
  };
  std::vector<Segment> path;  // not empty
  Node value;
};

// The overrides that can be made sense of, outer keys before inner ones, so that `gpu=other.yaml` and
// `gpu.num_sms=32` work together in any order. A second one of a key is reported: one of the two is a slip.
std::vector<Override> parse_overrides(const std::vector<std::string>& texts, Report& report);

// Mappings on the way are created where they are absent; entries of lists must exist.
void apply_override(Node& root, const Override& change, Report& report);

}  // namespace tessera::spec
