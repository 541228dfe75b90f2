// SPDX-License-Identifier: Apache-2.0
// Names of kernels, kept once; names of API calls.
#include "importer/profile.h"

namespace tessera::importer {

std::uint32_t Profile::name_index(const std::string& name) {
  const auto [entry, is_new] = index_of_name_.emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(name);
  return entry->second;
}

std::optional<CallKind> call_kind_of(const std::string& api_name) {
  const auto has = [&](const char* part) { return api_name.find(part) != std::string::npos; };
  if (has("DeviceSynchronize") || has("CtxSynchronize")) return CallKind::kSynchroniseDevice;
  if (has("Synchronize")) return CallKind::kSynchronise;
  if (has("StreamWaitEvent")) return CallKind::kWaitEvent;
  for (const char* part : {"Launch", "Memcpy", "Memset", "MemPrefetch"}) {
    if (has(part)) return CallKind::kWork;
  }
  return std::nullopt;
}

}  // namespace tessera::importer
