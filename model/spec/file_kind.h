// SPDX-License-Identifier: Apache-2.0
// Determines a file's kind of input from its keys.
// Internal to model/spec.
#pragma once

#include <string_view>
#include <vector>

#include "model/spec/document.h"

namespace tessera::spec {

enum class FileKind { kExperiment, kGpu, kApplication, kHost, kSynthesis, kSweep, kTaskSet, kMeasurements };

std::string_view to_string(FileKind kind);  // "a GPU file"

// The kinds for which most of the file's keys are typical: usually one; none if no key is typical, as in the first
// lines of any file; several in case of a tie.
std::vector<FileKind> likely_kinds(const Node& root);

// Reports and invalidates a file whose keys show that it is not of the wanted kind: one message instead of one per key.
void expect_kind(Node& root, FileKind wanted, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
