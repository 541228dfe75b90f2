// SPDX-License-Identifier: Apache-2.0
// A measurements file from a document: what `tessera measured` and `tessera validate` share.
// Internal to model/spec.
#pragma once

#include <filesystem>

#include "model/spec/document.h"
#include "model/spec/measured/measurements_spec.h"
#include "model/spec/report.h"

namespace tessera::spec {

// `root` is the root of the file at `path`. The result is usable only if nothing is reported.
MeasurementsSpec load_measurements(const Node& root, const std::filesystem::path& path, Report& report);

}  // namespace tessera::spec
