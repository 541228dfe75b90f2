// SPDX-License-Identifier: Apache-2.0
// A sweep from a document: what `tessera sweep` and `tessera validate` share.
// Internal to model/spec.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/report.h"
#include "model/spec/sweep/sweep.h"

namespace tessera::spec {

// `root` is the root of the file at `path`. The sweep is usable only if nothing is reported.
Sweep load_sweep(const Node& root, const std::filesystem::path& path, const std::vector<std::string>& overrides,
                 Report& report);

// Also validates the sweep's points.
void validate_sweep(const Node& root, const std::filesystem::path& path, Report& report);

}  // namespace tessera::spec
