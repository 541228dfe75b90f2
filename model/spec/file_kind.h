// SPDX-License-Identifier: Apache-2.0
// Which kind of input a file is, told from its keys.
// Internal to model/spec.
#pragma once

#include <string_view>
#include <vector>

#include "model/spec/document.h"

namespace tessera::spec {

enum class FileKind { kExperiment, kGpu, kApplication, kHost, kSynthesis, kSweep, kTaskSet };

std::string_view to_string(FileKind kind);  // "a GPU file"

// The kinds that most of the file's keys are typical of: one where its keys tell. None where no key is typical, as in
// the first lines of any file; several where as many keys are typical of one kind as of another.
std::vector<FileKind> likely_kinds(const Node& root);

// Reports, and invalidates, a file that by its keys is of another kind than wanted: one message, not one per key.
void expect_kind(Node& root, FileKind wanted, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
