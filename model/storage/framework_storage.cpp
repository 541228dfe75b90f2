// SPDX-License-Identifier: Apache-2.0
// Sums over the fields of structures.
#include "model/storage/framework_storage.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tessera::storage {
namespace {

std::uint64_t sum(const std::vector<Field>& fields, Memory memory) {
  std::uint64_t bits = 0;
  for (const Field& field : fields) bits += field.memory == memory ? field.bits : 0;
  return bits;
}

}  // namespace

const char* to_string(NeededBy needed_by) {
  switch (needed_by) {
    case NeededBy::kAll:
      return "all";
    case NeededBy::kPriorities:
      return "npq, ppq";
    case NeededBy::kPreemption:
      return "preemption";
    case NeededBy::kContextSwitch:
      return "context_switch";
    case NeededBy::kLinks:
      return "links";
    case NeededBy::kKeptTurn:
      return "kept turn";
    case NeededBy::kRefillLane:
      return "refill lane";
    case NeededBy::kBreadthFirst:
      return "breadth_first";
    case NeededBy::kDssAndBreadthFirst:
      return "dss, breadth_first";
    case NeededBy::kFcfs:
      return "fcfs, npq";
    case NeededBy::kPpq:
      return "ppq";
    case NeededBy::kDss:
      return "dss";
    case NeededBy::kTimeSlice:
      return "time_slice";
    case NeededBy::kDssAndTimeSlice:
      return "dss, time_slice";
    case NeededBy::kObservation:
      return "observation";
  }
  return "?";
}

std::uint64_t Structure::bits(Memory memory) const { return num_rows * sum(row, memory) + sum(once, memory); }

std::uint64_t Structure::bits() const { return bits(Memory::kFlipFlops) + bits(Memory::kRam); }

const Structure& structure(const std::vector<Structure>& structures, const std::string& name) {
  const auto found =
      std::find_if(structures.begin(), structures.end(), [&](const Structure& each) { return each.name == name; });
  if (found == structures.end()) throw std::out_of_range("no structure " + name);
  return *found;
}

std::uint64_t table_bits(const std::vector<Structure>& structures) {
  // A KSR's row, status and descriptor lie apart.
  constexpr std::array kNames{"command_buffers", "active_queue", "ksrt", "smst", "ksr_status", "ksr_descriptors"};
  std::uint64_t bits = 0;
  for (const Structure& each : structures) {
    if (std::find(kNames.begin(), kNames.end(), std::string(each.name)) != kNames.end()) bits += each.bits();
  }
  return bits;
}

}  // namespace tessera::storage
