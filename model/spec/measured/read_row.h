// SPDX-License-Identifier: Apache-2.0
// A row of a measurements file.
// Internal to model/spec.
#pragma once

#include "model/spec/document.h"
#include "model/spec/measured/read_measurements.h"
#include "model/spec/report.h"

namespace tessera::spec {

struct ReadRow {
  RowSpec row;
  OpenRow open;
};

// `file`: has the constants and the ablations that rows name.
ReadRow read_row(const Node& node, const KeyPath& path, const MeasurementsFile& file, Report& report);

}  // namespace tessera::spec
