// SPDX-License-Identifier: Apache-2.0
// `--set a.b.0.c=value`, or a key and a value of a sweep file: the value is YAML and replaces the value of the key.
// Internal to model/spec.
#pragma once

#include <optional>
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
  Location where{std::string(kSetFile), 1, 1};  // of its text
};

// The keys of `a.b.0.c`, whose text is at `where`. If one is empty, reports it and returns empty.
std::optional<std::vector<Override::Segment>> parse_path(const std::string& keys, const Location& where,
                                                         Report& report);

// A mapping of `a.b.c` to values, in a file.
std::vector<Override> read_settings(const Node& node, const KeyPath& path, Report& report);

// Of the same key, `more` has the last word.
void set_over(std::vector<Override>& overrides, Override more);

// Outer keys before inner ones.
void sort_overrides(std::vector<Override>& overrides);

// The valid overrides, outer keys before inner ones, so that `gpu=other.yaml` and `gpu.num_sms=32` work together in any
// order. A second override of a key is reported as a mistake.
std::vector<Override> parse_overrides(const std::vector<std::string>& texts, Report& report);

// Missing mappings on the path are created; list entries must exist.
void apply_override(Node& root, const Override& change, Report& report);

}  // namespace tessera::spec
