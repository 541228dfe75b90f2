// SPDX-License-Identifier: Apache-2.0
// Sweep file -> SweepSpec and the overrides behind its axes.
// Internal to model/spec.
#pragma once

#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/overrides.h"
#include "model/spec/report.h"
#include "model/spec/sweep/sweep_spec.h"

namespace tessera::spec {

// A text that can only be understood together with the base experiment.
struct OpenText {
  std::string text;
  Location where;
  KeyPath key;
};

struct SweepFile {
  SweepSpec spec;
  Node base;                                               // a path, or the experiment itself
  std::vector<Override> fixed;                             // the same for every point
  std::vector<std::vector<std::vector<Override>>> values;  // by axis and value
  std::vector<OpenText> conditions;
  std::vector<OpenText> process_columns;  // `ntt.front`, in metrics and plots
  Report columns;                         // unknown columns: reported only if the axes are valid
  Location axes_where;
};

SweepFile read_sweep(const Node& root, Report& report);

}  // namespace tessera::spec
