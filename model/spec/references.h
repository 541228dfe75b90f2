// SPDX-License-Identifier: Apache-2.0
// GPU, host, applications and a driver's specification may be given as a path, relative to the experiment, instead of
// in place; the arrivals of a process always are a path. A task set refers to the first three in the same way.
// Internal to model/spec.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/overrides.h"

namespace tessera::spec {

// Files that were read without a mistake, so that a file used by many experiments is read once.
using DocumentCache = std::map<std::string, Node>;

// Replaces paths by the files' contents. A file that is absent, unreadable, of another kind, or the experiment itself
// is reported where it is named.
void resolve_references(Node& root, const std::filesystem::path& experiment, Report& report,
                        DocumentCache* cache = nullptr);

// The same for a task set: its GPU, its host, and the applications of its tasks.
void resolve_task_set(Node& root, const std::filesystem::path& task_set, Report& report);

// True if the override changes something that a path may refer to, so that it applies after the file has been inserted.
bool is_behind_reference(const Override& change);

// An experiment with its files inserted and all overrides applied; its `framework` is in its GPU. `overrides` must be
// sorted.
Node resolve_experiment(Node root, const std::filesystem::path& experiment, const std::vector<Override>& overrides,
                        Report& report, DocumentCache* cache = nullptr);

}  // namespace tessera::spec
