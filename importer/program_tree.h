// SPDX-License-Identifier: Apache-2.0
// A host program with its loops.
#pragma once

#include <cstddef>
#include <vector>

#include "importer/host_program.h"
#include "importer/repetition.h"

namespace tessera::importer {

struct ProgramTree {
  std::vector<Repeated> positions;    // members are steps of the program
  std::size_t num_waits_altered = 0;  // that rounds of a loop lack, or have beyond most of the others
};

// `is_exact`: no loops. Else what repeats is a loop, if need be with the waits of most of its rounds: a training step
// that once lacks a synchronising call is a step all the same. CPU time of `noticeable` and more behind a wait is told
// apart from that of other rounds.
ProgramTree program_tree(const HostProgram& program, bool is_exact, Nanoseconds noticeable);

}  // namespace tessera::importer
