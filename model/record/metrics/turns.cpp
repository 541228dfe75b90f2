// SPDX-License-Identifier: Apache-2.0
// A turn is counted where it begins, its time where it ends.
#include "model/record/metrics/turns.h"

#include "model/record/metrics/summary.h"
#include "model/record/numbers.h"

namespace tessera::record {

void TurnCounter::consume(const Record& record) {
  if (record.kind == Kind::kTurnPassed) {
    end_stretch(record.cycle);
    owner_.reset();
    ++result_.passed.at(number::turn_cause(record));
  } else if (record.kind == Kind::kTurnBegan) {
    end_stretch(record.cycle);
    result_.processes.resize(num_processes_);
    owner_ = record.process;
    ++result_.processes.at(record.process).turns;
  }
}

void TurnCounter::end_stretch(Cycle now) {
  if (result_.is_empty()) {  // before the first turn
    since_ = now;
    return;
  }
  (owner_ ? result_.processes.at(*owner_).owned_cycles : result_.unowned_cycles) += now - since_;
  since_ = now;
}

void TurnCounter::finish(Cycle end) { end_stretch(end); }

nlohmann::ordered_json gpu_switches_of(const SummaryInput& input, const TurnResult& turns) {
  const auto microseconds = [&](std::uint64_t cycles) {
    return static_cast<double>(cycles) * 1e6 / static_cast<double>(input.clock_hz);
  };
  const auto [dry, slice_over, unlisted] = turns.passed;
  nlohmann::ordered_json json = {{"count", dry + slice_over + unlisted},
                                 {"by_cause", {{"dry", dry}, {"slice_over", slice_over}, {"off_run_list", unlisted}}},
                                 {"no_owner_us", microseconds(turns.unowned_cycles)},
                                 {"processes", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < turns.processes.size(); ++i) {
    json["processes"].push_back({{"name", input.processes.at(i).name},
                                 {"turns", turns.processes[i].turns},
                                 {"owned_us", microseconds(turns.processes[i].owned_cycles)}});
  }
  return json;
}

}  // namespace tessera::record
