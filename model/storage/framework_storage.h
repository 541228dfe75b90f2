// SPDX-License-Identifier: Apache-2.0
// On-chip storage of the scheduling framework, register by register as in rtl/ ([T14] 3.3). tests/rtl/test_storage.py
// compares it with what Yosys finds in the Verilog.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/storage/core_sizes.h"

namespace tessera::storage {

enum class Memory { kFlipFlops, kRam };

// The feature that needs a register: without it the core could omit the register.
enum class NeededBy {
  kAll,            // the core itself
  kPriorities,     // npq, ppq
  kPreemption,     // ppq, dss, time_slice
  kContextSwitch,  // preemption by saving contexts; drain does without
  kBreadthFirst,   // the SM driver's second order of issue
  kDssAndBreadthFirst,
  kFcfs,  // one context in the engine: fcfs and npq
  kPpq,
  kDss,
  kTimeSlice,
  kDssAndTimeSlice,
  kLinks,        // between the scheduler and the SMs
  kKeptTurn,     // time_slice with a turn that its owner keeps
  kRefillLane,   // thread blocks that end and start beside the engine's jobs
  kObservation,  // performance counters and traces
};
const char* to_string(NeededBy needed_by);

struct Field {
  const char* name;  // of the register `<name>_q`, or the pin `<name>_o`
  std::uint32_t bits;
  NeededBy needed_by;
  const char* why;
  Memory memory = Memory::kFlipFlops;
};

// `num_rows` rows of the fields in `row`, plus the fields in `once`.
struct Structure {
  const char* name;
  const char* module;  // of rtl/; several structures may share one
  std::uint64_t num_rows;
  std::vector<Field> row;
  std::vector<Field> once;

  std::uint64_t bits() const;
  std::uint64_t bits(Memory memory) const;
  double bytes() const { return static_cast<double>(bits()) / 8; }
};

// All structures of the core, in the order in which a launch passes them.
std::vector<Structure> framework_structures(const CoreSizes& sizes);

// Throws std::out_of_range if there is no such structure.
const Structure& structure(const std::vector<Structure>& structures, const std::string& name);

// Command buffers, active queue, KSRT and SMST: less than 0.5 KB in total according to [T14] 3.3.
std::uint64_t table_bits(const std::vector<Structure>& structures);

}  // namespace tessera::storage
