// SPDX-License-Identifier: Apache-2.0
// Names of kernels, kept once; names of API calls.
#include "importer/profile.h"

#include <fmt/format.h>

#include <set>

namespace tessera::importer {

std::uint32_t Profile::name_index(const std::string& name) {
  const auto [entry, is_new] = index_of_name_.emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(name);
  return entry->second;
}

void Profile::set_waits(const std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait>& waits) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> without_call;  // waits for events
  for (const auto& [place, wait] : waits) {
    if (wait.awaited || wait.record) without_call.insert(place);
  }
  for (HostCall& call : calls) {
    if (!call.correlation) continue;
    const auto known = waits.find({call.process, *call.correlation});
    if (known == waits.end()) continue;
    without_call.erase(known->first);
    if (call.kind == CallKind::kWork) continue;
    call.wait = known->second;
    tells_waits = tells_waits || call.kind == CallKind::kWaitEvent;
  }
  if (without_call.empty()) return;
  notes.push_back(fmt::format("{} waits for events are without their calls: they are left out", without_call.size()));
}

bool is_graph_launch(const std::string& api_name) { return api_name.find("GraphLaunch") != std::string::npos; }

std::optional<CallKind> call_kind_of(const std::string& api_name) {
  const auto has = [&](const char* part) { return api_name.find(part) != std::string::npos; };
  if (has("DeviceSynchronize") || has("CtxSynchronize")) return CallKind::kSynchroniseDevice;
  if (has("Synchronize")) return CallKind::kSynchronise;
  if (has("StreamWaitEvent")) return CallKind::kWaitEvent;
  if (has("EventRecord")) return CallKind::kRecordEvent;
  for (const char* part : {"Launch", "Memcpy", "Memset", "MemPrefetch"}) {
    if (has(part)) return CallKind::kWork;
  }
  return std::nullopt;
}

}  // namespace tessera::importer
