// SPDX-License-Identifier: Apache-2.0
// Slices are written whole when they end, a period's charge when it is known.
#include "model/record/trace/perfetto_driver_tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {

PerfettoDriverTracks::PerfettoDriverTracks(PerfettoWriter& writer, const Names& names)
    : writer_(writer), facts_(names.driver), clock_(names.clock_hz), processes_(facts_.plan.tasks.size()) {
  if (facts_.is_empty()) return;
  const PerfettoWriter::Track driver = writer_.add_track(0, "Driver");
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].waits = writer_.add_track(driver, fmt::format("{} waiting", names.processes[i]));
    processes_[i].online = writer_.add_track(driver, fmt::format("{} on GPU", names.processes[i]));
  }
  for (const command_scheduling::PlannedReserve& plan : facts_.plan.reserves) {
    Reserve reserve{writer_.add_counter_track(driver, fmt::format("{} budget in us", plan.name)),
                    writer_.add_counter_track(driver, fmt::format("{} charged a period in us", plan.name)),
                    BudgetReplay(plan.parameters, facts_.accounting), plan.parameters.phase};
    write_budget(reserve, reserve.period_start);
    reserves_.push_back(reserve);
  }
}

void PerfettoDriverTracks::consume(const Record& record) {
  if (!is_of_driver(record.kind) || facts_.is_empty()) return;
  switch (record.kind) {
    case Kind::kGroupArrived:
      return set_state(processes_.at(record.process), record.cycle, "waiting");
    case Kind::kGroupSuspended:
      return set_state(processes_.at(record.process), record.cycle, "for budget");
    case Kind::kGroupSubmitted:
      set_state(processes_.at(record.process), record.cycle, "");
      processes_[record.process].submitted[number::group(record)] = record.cycle;
      return;
    case Kind::kGroupDone:
      return group_done(record);
    case Kind::kBudgetReplenished:
      return budget_replenished(record);
    default:
      return;
  }
}

// What waits no longer has a slice, if it waited at all.
void PerfettoDriverTracks::set_state(Process& process, Cycle now, const char* state) {
  process.state.set(writer_, process.waits, clock_, now, state);
}

// Groups of a chain have the GPU one after the other.
void PerfettoDriverTracks::end_online(Process& process, Cycle submitted, Cycle end) {
  const Cycle start = std::max(submitted, process.drawn_until);
  if (start < end) write_slice(process.online, start, end, "on GPU");
  process.drawn_until = std::max(process.drawn_until, end);
}

void PerfettoDriverTracks::group_done(const Record& record) {
  Process& process = processes_.at(record.process);
  const auto group = process.submitted.find(number::group(record));
  if (group != process.submitted.end()) {
    end_online(process, group->second, record.cycle);
    process.submitted.erase(group);
  }
  const auto id = facts_.reserve_of(record.process);
  if (!id) return;
  Reserve& reserve = reserves_[*id];
  reserve.replay.done(record);
  reserve.charged_in_period += number::charged(record);
  write_budget(reserve, record.cycle);
}

void PerfettoDriverTracks::budget_replenished(const Record& record) {
  Reserve& reserve = reserves_.at(number::reserve(record));
  reserve.replay.replenished(record);
  write_budget(reserve, record.cycle);
  end_period(reserve, record.cycle);
}

// Drawn from its start, where it belongs.
void PerfettoDriverTracks::end_period(Reserve& reserve, Cycle end) {
  const auto charged = static_cast<std::int64_t>(reserve.charged_in_period);
  writer_.set_counter(reserve.charged, nanoseconds(reserve.period_start), microseconds(charged));
  reserve.charged_in_period = 0;
  reserve.period_start = end;
}

void PerfettoDriverTracks::finish(Cycle end) {
  for (Process& process : processes_) {
    set_state(process, end, "");
    for (const auto& [group, submitted] : process.submitted) end_online(process, submitted, end);
  }
  for (Reserve& reserve : reserves_) end_period(reserve, end);
}

void PerfettoDriverTracks::write_budget(const Reserve& reserve, Cycle now) {
  writer_.set_counter(reserve.budget, nanoseconds(now), microseconds(reserve.replay.budget()));
}

void PerfettoDriverTracks::write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name) {
  writer_.begin_slice(track, nanoseconds(start), name);
  writer_.end_slice(track, nanoseconds(end));
}

// Towards zero.
std::int64_t PerfettoDriverTracks::microseconds(std::int64_t cycles) const {
  constexpr std::uint64_t kPicoseconds = 1'000'000;  // of a microsecond
  const auto size = static_cast<std::uint64_t>(cycles < 0 ? -cycles : cycles);
  const auto whole = static_cast<std::int64_t>(clock_.time_of(size) / kPicoseconds);
  return cycles < 0 ? -whole : whole;
}

}  // namespace tessera::record
