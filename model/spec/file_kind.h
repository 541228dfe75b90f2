// SPDX-License-Identifier: Apache-2.0
// Determines a file's kind of input from its keys.
// Internal to model/spec.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/spec/document.h"

namespace tessera::spec {

enum class FileKind { kExperiment, kGpu, kApplication, kHost, kSynthesis, kSweep, kTaskSet, kMeasurements };

struct FileKindName {
  FileKind kind;
  std::string_view word;   // of the command line
  std::string_view title;  // of a page's section
};
inline constexpr std::array<FileKindName, 8> kFileKinds{{{FileKind::kExperiment, "experiment", "Experiment"},
                                                         {FileKind::kGpu, "gpu", "GPU"},
                                                         {FileKind::kApplication, "application", "Application"},
                                                         {FileKind::kHost, "host", "Host"},
                                                         {FileKind::kSynthesis, "synthesis", "Synthesis"},
                                                         {FileKind::kSweep, "sweep", "Sweep"},
                                                         {FileKind::kTaskSet, "task_set", "Task set"},
                                                         {FileKind::kMeasurements, "measurements", "Measurements"}}};

std::string_view to_string(FileKind kind);  // "a GPU file"

// The kinds for which most of the file's keys are typical: usually one; none if no key is typical, as in the first
// lines of any file; several in case of a tie.
std::vector<FileKind> likely_kinds(const Node& root);

// Reports and invalidates a file whose keys show that it is not of the wanted kind: one message instead of one per key.
void expect_kind(Node& root, FileKind wanted, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
