// SPDX-License-Identifier: Apache-2.0
// Metrics of a turn that contexts keep (docs/hardware/timing.md 3.12): how often and why it passed, how long each had
// it and how long nobody.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "model/record/record.h"

namespace tessera::record {

struct ProcessTurns {
  std::uint64_t turns = 0;
  std::uint64_t owned_cycles = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessTurns, turns, owned_cycles)

struct TurnResult {
  std::array<std::uint64_t, 3> passed{};  // by TurnCause
  std::uint64_t unowned_cycles = 0;       // from the first turn on: it was on its way, or nobody's
  std::vector<ProcessTurns> processes;    // as in Spec::processes; empty: no turn was kept

  bool is_empty() const { return processes.empty(); }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TurnResult, passed, unowned_cycles, processes)

class TurnCounter {
 public:
  explicit TurnCounter(std::size_t num_processes) : num_processes_(num_processes) {}

  void consume(const Record& record);
  void finish(Cycle end);
  // Valid after finish().
  const TurnResult& result() const { return result_; }

 private:
  void end_stretch(Cycle now);

  std::size_t num_processes_;
  std::optional<std::uint16_t> owner_;
  Cycle since_ = 0;
  TurnResult result_;
};

struct SummaryInput;
// `gpu_switches` of summary.json. Internal to the summary.
nlohmann::ordered_json gpu_switches_of(const SummaryInput& input, const TurnResult& turns);

}  // namespace tessera::record
