// SPDX-License-Identifier: Apache-2.0
// Measurements file -> what can be understood without the files that it refers to.
// Internal to model/spec.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/measured/measurements_spec.h"
#include "model/spec/overrides.h"
#include "model/spec/report.h"

namespace tessera::spec {

// A name in the file that only the experiment or the table can resolve.
struct OpenName {
  std::string text;
  Location where;
  KeyPath key;
};

// Beside RowSpec; `key`s are those of the row.
struct OpenRow {
  KeyPath path;
  Location where;
  Node experiment;                             // a path, or the experiment itself
  std::vector<Override> settings;              // of the experiment
  std::vector<std::size_t> ablations;          // indices into MeasurementsFile::ablations
  std::optional<OpenName> file;                // of the measurements
  std::map<std::string, std::string> columns;  // by role
  std::optional<OpenName> entry;               // the name in the line of the table
  std::optional<OpenName> kernel;              // of the application
  std::vector<OpenName> processes;             // empty: all that are in the foreground
  std::vector<std::optional<OpenName>> processes_of_quantities;
  // Of rows of rates: of kernels of the process that no quantity names.
  struct OfKernels {
    Standing standing;
    ToleranceSpec tolerance;
  };
  std::optional<OfKernels> of_kernels;
  std::vector<OpenName> quantities;  // where each stands; those that are not named stand at the row
};

struct Ablation {
  std::string name;
  std::vector<Override> settings;
};

struct MeasurementsFile {
  MeasurementsSpec spec;
  std::vector<OpenRow> rows;  // as in `spec`
  std::vector<Ablation> ablations;
};

MeasurementsFile read_measurements(const Node& root, Report& report);

}  // namespace tessera::spec
