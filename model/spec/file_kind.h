// SPDX-License-Identifier: Apache-2.0
// Which kind of input a file is, told from its keys.
// Internal to model/spec.
#pragma once

#include <string_view>

#include "model/spec/document.h"

namespace tessera::spec {

enum class FileKind { kUnknown, kExperiment, kGpu, kApplication, kHost, kSynthesis };

std::string_view to_string(FileKind kind);  // "a GPU file"

// The kind that most of the file's keys are typical of. A mapping with nothing but a version and a name is a host
// file, all of whose other keys are optional.
FileKind detect_kind(const Node& root);

// Reports, and invalidates, a file that clearly is of another kind than wanted: one message, not one per key.
void expect_kind(Node& root, FileKind wanted, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
