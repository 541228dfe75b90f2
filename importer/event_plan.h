// SPDX-License-Identifier: Apache-2.0
// Where events are recorded and waited for, once it is known what repeats.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "importer/host_program.h"
#include "importer/repetition.h"

namespace tessera::importer {

// Names of events, by the first of the members of a position of the tree.
struct EventPlan {
  std::multimap<std::uint32_t, std::string> records_after;
  std::multimap<std::uint32_t, std::string> waits_before;
  std::map<std::uint32_t, std::string> awaited;  // by kSynchroniseEvent
};

// Rounds of a loop do not wait for the same always, since what has ended already is not waited for. What most of a
// position's rounds wait for, all of them do.
EventPlan plan_events(const std::vector<Repeated>& tree, const HostProgram& program);

}  // namespace tessera::importer
