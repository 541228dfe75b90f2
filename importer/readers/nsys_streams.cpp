// SPDX-License-Identifier: Apache-2.0
// These tables know processes by the bare number that the system gave them, work by one that holds it.
#include "importer/readers/nsys_streams.h"

#include <algorithm>

namespace tessera::importer {
namespace {

constexpr const char* kStreams = "TARGET_INFO_CUDA_STREAM";
constexpr const char* kContexts = "TARGET_INFO_CUDA_CONTEXT_INFO";
constexpr std::uint64_t kPidMask = (1U << 24) - 1;
constexpr std::int64_t kMostUrgent = 7;  // CUDA has 6 levels

// CUpti_ActivityStreamFlag.
StreamProperties::Kind kind_of(std::int64_t flag) {
  switch (flag) {
    case 1:
      return StreamProperties::Kind::kBlocking;
    case 2:
      return StreamProperties::Kind::kNonBlocking;
    case 3:
      return StreamProperties::Kind::kNull;
    default:
      return StreamProperties::Kind::kNotTold;
  }
}

std::uint64_t id(const SqliteRow& row, int column) {
  return static_cast<std::uint64_t>(row.integer(column).value_or(0));
}

}  // namespace

std::map<StreamKey, StreamProperties> read_nsys_streams(const SqliteDatabase& database, const Profile& profile) {
  // 1. As the tables have them. CUDA's numbers fall with urgency, from 0.
  std::map<StreamKey, StreamProperties> by_pid;
  database.for_each(kStreams, {"processId", "contextId", "streamId", "priority", "flag"}, [&](const SqliteRow& row) {
    const std::int64_t priority = std::clamp<std::int64_t>(row.integer(3).value_or(0), -kMostUrgent, 0);
    by_pid[{id(row, 0), id(row, 1), id(row, 2)}] = {kind_of(row.integer(4).value_or(0)),
                                                    static_cast<std::uint32_t>(-priority)};
  });
  database.for_each(kContexts, {"processId", "contextId", "nullStreamId"}, [&](const SqliteRow& row) {
    if (row.integer(2)) by_pid[{id(row, 0), id(row, 1), id(row, 2)}].kind = StreamProperties::Kind::kNull;
  });
  // 2. As work has them.
  std::map<StreamKey, StreamProperties> streams;
  for (const GpuActivity& activity : profile.activities) {
    const StreamKey key{activity.process, activity.context.value_or(0), activity.stream};
    const auto told = by_pid.find({key.process & kPidMask, key.context, key.stream});
    if (told != by_pid.end()) streams[key] = told->second;
  }
  return streams;
}

}  // namespace tessera::importer
