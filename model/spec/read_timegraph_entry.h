// SPDX-License-Identifier: Apache-2.0
// TimeGraph's specification: entries <name:sched:resv:prio:C:T> ([K11] 3), C and T in microseconds.
// Internal to model/spec.
#pragma once

#include <vector>

#include "model/spec/document.h"
#include "model/spec/driver_spec.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Where entries stand: a list's are told by their numbers, a file's, which have lines, by the field that is wrong.
struct EntryPlace {
  KeyPath path;  // of the list
  bool is_file = false;
};

// Each names a process or an application of `spec`, and each name once.
void read_timegraph_entries(const std::vector<Node>& nodes, const EntryPlace& place, const Spec& spec,
                            std::vector<TimegraphEntry>& entries, Report& report);

// As a specification has it.
std::string to_string(const TimegraphEntry& entry);

}  // namespace tessera::spec
