// SPDX-License-Identifier: Apache-2.0
// Every key of every kind of file, as the readers themselves ask for them: nobody has to keep a list.
// Internal to model/spec.
#pragma once

#include <string>
#include <vector>

#include "model/spec/file_kind.h"
#include "model/spec/report.h"

namespace tessera::spec {

// A file, or a mapping that stands in the place of its path.
enum class Place { kFile, kMapping };

// In the order of reading, each once; positions in lists are written `[]`. Without those of the files that it refers
// to, which are of a kind of their own.
std::vector<KnownKey> known_keys(FileKind kind, Place place = Place::kFile);

// Where one mapping has the keys of another: the first path, and the second.
struct Twin {
  FileKind kind;
  std::string_view path;
  std::string_view of;
};
inline constexpr std::array<Twin, 3> kTwins{{{FileKind::kExperiment, "baseline.driver.", "driver."},
                                             {FileKind::kExperiment, "baseline.", "scheduler."},
                                             {FileKind::kSynthesis, "sweeps[].", "core."}}};
// Null: it is none.
const Twin* twin_of(FileKind kind, std::string_view path);

// Reads a document as a file of this kind, and nothing that it refers to.
void read_alone(FileKind kind, const Node& root, Report& report);

}  // namespace tessera::spec
