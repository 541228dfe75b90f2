// SPDX-License-Identifier: Apache-2.0
// The host program of an application: a list of steps, each a mapping with one key.
// Internal to model/spec.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/report.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

inline constexpr std::array<std::string_view, 9> kSteps{"cpu",  "copy", "launch", "synchronise", "record",
                                                        "wait", "loop", "group",  "graph"};
inline constexpr int kMaxLoopNesting = 8;
inline constexpr std::uint32_t kMaxStreams = 64;

// Of a step: one of the keys of its kinds.
Form step_form();

// `path` names the list. Kernels and streams are those of `application`, which gets the program and its events. If its
// streams could not be read (`has_streams` is false), the streams of steps are not checked.
void read_program(const std::vector<Node>& steps, const KeyPath& path, bool has_streams, ApplicationSpec& application,
                  Report& report);

}  // namespace tessera::spec
