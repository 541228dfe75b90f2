// SPDX-License-Identifier: Apache-2.0
// TimeGraph's specification: entries <name:sched:resv:prio:C:T> ([K11] 3), C and T in microseconds.
// Internal to model/spec.
#pragma once

#include <vector>

#include "model/spec/document.h"
#include "model/spec/driver_spec.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Where entries are: those of a list are reported by number, those of a file, which have lines, by the wrong field.
struct EntryPlace {
  KeyPath path;  // of the list
  bool is_file = false;
};

// Each entry must name a process or an application of `spec`; names must be unique.
void read_timegraph_entries(const std::vector<Node>& nodes, const EntryPlace& place, const Spec& spec,
                            std::vector<TimegraphEntry>& entries, Report& report);

// In the notation of a specification.
std::string to_string(const TimegraphEntry& entry);

}  // namespace tessera::spec
