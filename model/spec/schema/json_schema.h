// SPDX-License-Identifier: Apache-2.0
// What the readers enforce of a kind of file, key by key, as a JSON Schema (draft 7: what editors know). It accepts all
// that they accept; rules between keys, and how a number is written, only the readers know (docs/guide/editors.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/spec/file_kind.h"

namespace tessera::spec {

// Whole: it refers to no other schema.
nlohmann::ordered_json json_schema(FileKind kind);

}  // namespace tessera::spec
