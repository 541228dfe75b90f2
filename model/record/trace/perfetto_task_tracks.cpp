// SPDX-License-Identifier: Apache-2.0
// A slice is written whole when its state ends.
#include "model/record/trace/perfetto_task_tracks.h"

#include <fmt/format.h>

#include "model/record/numbers.h"

namespace tessera::record {

PerfettoTaskTracks::PerfettoTaskTracks(PerfettoWriter& writer, const Names& names)
    : writer_(writer),
      has_run_list_(names.driver.stops.has_run_list),
      clock_(names.clock_hz),
      tasks_(names.driver.stops.tasks.size()) {
  if (tasks_.empty()) return;
  const PerfettoWriter::Track driver = writer_.add_track(0, "Driver");
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    tasks_[i].suspended = writer_.add_track(driver, fmt::format("{} suspended", names.processes[i]));
    if (has_run_list_) continue;
    tasks_[i].launches = writer_.add_counter_track(driver, fmt::format("{} launches on GPU", names.processes[i]));
  }
}

void PerfettoTaskTracks::consume(const Record& record) {
  if (tasks_.empty() || !is_of_tasks(record.kind)) return;
  Task& task = tasks_.at(record.process);
  switch (record.kind) {
    case Kind::kTaskSuspended:
      return set_state(task, record.cycle, has_run_list_ ? "off the run list" : "stopping");
    case Kind::kTaskStopped:
      return set_state(task, record.cycle, "stopped");
    case Kind::kTaskResumed:
      return set_state(task, record.cycle, "");
    case Kind::kLaunchHandedOver:
      return count(task, record.cycle, 1);
    case Kind::kLaunchesDone:
      return count(task, record.cycle, -static_cast<std::int64_t>(number::launches(record)));
    default:
      return;
  }
}

void PerfettoTaskTracks::set_state(Task& task, Cycle now, const char* state) {
  task.state.set(writer_, task.suspended, clock_, now, state);
}

void PerfettoTaskTracks::count(Task& task, Cycle now, std::int64_t change) {
  task.in_flight += change;
  writer_.set_counter(task.launches, nanoseconds(now), task.in_flight);
}

void PerfettoTaskTracks::finish(Cycle end) {
  for (Task& task : tasks_) set_state(task, end, "");
}

}  // namespace tessera::record
