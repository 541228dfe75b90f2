// SPDX-License-Identifier: Apache-2.0
// The tables of Nsight's export that tell which stream is the NULL stream, and priorities.
#pragma once

#include <map>

#include "importer/profile.h"
#include "importer/readers/sqlite_table.h"

namespace tessera::importer {

// Of the streams that work of `profile` is in; it must have been read. Empty where there are no such tables.
std::map<StreamKey, StreamProperties> read_nsys_streams(const SqliteDatabase& database, const Profile& profile);

}  // namespace tessera::importer
