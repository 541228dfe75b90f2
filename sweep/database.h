// SPDX-License-Identifier: Apache-2.0
// sweep.sqlite: the table for those who ask in SQL (docs/guide/design_space.md has the schema).
#pragma once

#include <filesystem>

#include "sweep/table.h"

namespace tessera::sweep {

// Written aside and renamed. Throws std::runtime_error.
void write_database(const Table& table, const std::filesystem::path& path);

}  // namespace tessera::sweep
