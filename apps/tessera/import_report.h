// SPDX-License-Identifier: Apache-2.0
// What an import came to: for a person, and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "importer/import.h"

namespace tessera::app {

// Everything, also kernel by kernel.
nlohmann::ordered_json import_json(const importer::ImportResult& result);
std::string import_text(const importer::ImportResult& result);

}  // namespace tessera::app
