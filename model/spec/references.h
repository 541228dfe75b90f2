// SPDX-License-Identifier: Apache-2.0
// GPU, host, applications and a driver's specification may be a path, relative to the experiment, in place of what
// stands in the file; the arrivals of a process are one.
// A task set refers to the first three in the same way.
// Internal to model/spec.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/overrides.h"

namespace tessera::spec {

// Files that were read without a mistake, so that a thousand experiments that refer to one read it once.
using DocumentCache = std::map<std::string, Node>;

// Puts the files' contents where their paths stand. A file that is absent, unreadable, of another kind, or the
// experiment itself, is reported where it is named.
void resolve_references(Node& root, const std::filesystem::path& experiment, Report& report,
                        DocumentCache* cache = nullptr);

// The same of a task set: its GPU, its host, and the applications of its tasks.
void resolve_task_set(Node& root, const std::filesystem::path& task_set, Report& report);

// True where the override goes into what a path may refer to, so that it applies once the file is in place.
bool is_behind_reference(const Override& change);

// An experiment with its files in place and overridden, within them too; its `framework` is in its GPU. `overrides` are
// sorted.
Node resolve_experiment(Node root, const std::filesystem::path& experiment, const std::vector<Override>& overrides,
                        Report& report, DocumentCache* cache = nullptr);

}  // namespace tessera::spec
