// SPDX-License-Identifier: Apache-2.0
// Records of events are rows of one table, waits of another; the number of a record among those of its event joins
// them.
#include "importer/readers/nsys_waits.h"

#include <unordered_map>
#include <vector>

namespace tessera::importer {
namespace {

constexpr const char* kSyncs = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr const char* kEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

// CUpti_ActivitySynchronizationType.
constexpr std::int64_t kEventSync = 1;
constexpr std::int64_t kStreamSync = 3;  // 2 is that of a stream that waits for an event

struct EventRecord {
  std::optional<std::int64_t> number;  // among the records of its event
  std::optional<std::int64_t> stream;
  std::optional<std::int64_t> correlation;
  std::uint64_t process = 0;
};
using Records = std::unordered_map<std::int64_t, std::vector<EventRecord>>;  // by event

Records read_records(const SqliteDatabase& database, bool has_processes) {
  Records records;
  database.for_each(
      kEvents, {"eventId", "eventSyncId", "streamId", "correlationId", "globalPid"}, [&](const SqliteRow& row) {
        if (!row.integer(0)) return;
        records[*row.integer(0)].push_back(
            {row.integer(1), row.integer(2), row.integer(3), has_processes ? nsys_process(row.integer(4)) : 0});
      });
  return records;
}

// Of the records of an event that of the same number; versions that number none: the last one called before the wait,
// correlations being counted up.
const EventRecord* record_of(const Records& records, std::int64_t event, std::uint64_t process,
                             std::optional<std::int64_t> number, std::uint64_t correlation) {
  const auto of_event = records.find(event);
  if (of_event == records.end()) return nullptr;
  const EventRecord* last = nullptr;
  for (const EventRecord& record : of_event->second) {
    if (record.process != process) continue;
    if (number && record.number) {
      if (*number == *record.number) return &record;
      continue;
    }
    const auto called = static_cast<std::uint64_t>(record.correlation.value_or(0));
    const bool is_later = last == nullptr || called > static_cast<std::uint64_t>(last->correlation.value_or(0));
    if (called < correlation && is_later) last = &record;
  }
  return last;
}

std::optional<std::uint64_t> to_id(std::optional<std::int64_t> id) {
  return id && *id >= 0 ? std::optional(static_cast<std::uint64_t>(*id)) : std::nullopt;
}

}  // namespace

std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait> read_nsys_waits(const SqliteDatabase& database,
                                                                             bool has_processes) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait> waits;
  const Records records = read_records(database, has_processes);
  database.for_each(kSyncs, {"syncType", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"},
                    [&](const SqliteRow& row) {
                      const std::int64_t type = row.integer(0).value_or(0);
                      if (!row.integer(2) || type < kEventSync || type > kStreamSync) return;
                      const std::uint64_t process = has_processes ? nsys_process(row.integer(3)) : 0;
                      const auto correlation = static_cast<std::uint64_t>(*row.integer(2));
                      KnownWait& wait = waits[{process, correlation}];
                      if (type != kEventSync) wait.stream = to_id(row.integer(1));
                      if (type == kStreamSync) return;
                      const EventRecord* const record =
                          record_of(records, row.integer(4).value_or(-1), process, row.integer(5), correlation);
                      if (record == nullptr) return;
                      wait.awaited = to_id(record->stream);
                      wait.record = to_id(record->correlation);
                    });
  return waits;
}

}  // namespace tessera::importer
