// SPDX-License-Identifier: Apache-2.0
// The tables of Nsight's export that tell which stream and which event a call waited for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "importer/profile.h"
#include "importer/readers/sqlite_table.h"

namespace tessera::importer {

// globalPid is vm << 56 | .. | pid << 24; globalTid has the thread in the 24 bits below.
inline std::uint64_t nsys_process(std::optional<std::int64_t> global) {
  constexpr int kThreadBits = 24;
  return static_cast<std::uint64_t>(global.value_or(0)) >> kThreadBits;
}

// By process (0 where the export tells none apart) and correlation of the call. Empty where there are no such tables.
std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait> read_nsys_waits(const SqliteDatabase& database,
                                                                             bool has_processes);

}  // namespace tessera::importer
