// SPDX-License-Identifier: Apache-2.0
// Segments, and the lock around the run list.
#include "tlm/driver/gcaps.h"

#include <algorithm>
#include <tuple>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {
namespace {

std::vector<std::uint32_t> priorities_of(const spec::Spec& spec) {
  std::vector<std::uint32_t> priorities;
  for (const spec::ProcessSpec& process : spec.processes) priorities.push_back(process.priority);
  return priorities;
}

}  // namespace

GcapsDriver::GcapsDriver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts, record::RecordLog& log)
    : spec_(spec),
      gpu_(gpu),
      interrupts_(interrupts),
      log_(log),
      time_(spec.gpu.clock_hz),
      update_cycles_(time_.clock().cycles_in(spec.driver.update)),
      pass_through_(spec, gpu, interrupts),
      run_list_(priorities_of(spec)),
      suspended_(spec.processes.size()) {}

// ---- calls ---------------------------------------------------------------------------------------------------

void GcapsDriver::open(std::uint32_t process) {
  pass_through_.open(process);
  gpu_.set_listed(process, false);
}

void GcapsDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) {
  if (!run_list_.is_ready(TaskId(process))) set_ready(process, true);
  pass_through_.submit(process, stream, work, ends_group);
}

void GcapsDriver::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  pass_through_.synchronise(process, stream);
  end_segment(process);
}

void GcapsDriver::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  pass_through_.record_event(process, event, stream);
}

void GcapsDriver::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  pass_through_.await_event(process, event, stream);
}

void GcapsDriver::synchronise_event(std::uint32_t process, std::uint32_t event) {
  pass_through_.synchronise_event(process, event);
  end_segment(process);
}

void GcapsDriver::end_segment(std::uint32_t process) {
  if (run_list_.is_ready(TaskId(process)) && pass_through_.is_idle(process)) set_ready(process, false);
}

// ---- the run list --------------------------------------------------------------------------------------------

void GcapsDriver::set_ready(std::uint32_t process, bool is_ready) {
  // 1. One at a time. Who calls in the same cycle is known in the next.
  HostThread& thread = interrupts_.thread(process);
  requests_.push_back({time_.now(), process});
  thread.spend(1);
  const auto must_wait = [&] { return is_updating_ || !is_next(process); };
  if (must_wait()) {
    thread.sleep_until_told([&] {
      while (must_wait()) sc_core::wait(updated_);
      is_updating_ = true;
    });
  }
  is_updating_ = true;
  // 2. The list, if it changes.
  emit(is_ready ? record::Kind::kTaskReady : record::Kind::kTaskIdle, process, 0);
  if (run_list_.set_ready(TaskId(process), is_ready)) update(process);
  note_listing(process);
  // 3. The next one, not before the next cycle.
  thread.spend(1);
  const auto is_own = [process](const Request& request) { return request.process == process; };
  requests_.erase(std::find_if(requests_.begin(), requests_.end(), is_own));
  is_updating_ = false;
  updated_.notify(sc_core::SC_ZERO_TIME);
}

// Of those that called in earlier cycles: the highest priority, then the first process.
bool GcapsDriver::is_next(std::uint32_t process) const {
  const auto goes_before = [&](const Request& request) {
    const auto key = [this](std::uint32_t of) {
      return std::tuple(-static_cast<int>(spec_.processes[of].priority), of);
    };
    return request.cycle < time_.now() && key(request.process) < key(process);
  };
  return std::none_of(requests_.begin(), requests_.end(), goes_before);
}

void GcapsDriver::update(std::uint32_t process) {
  interrupts_.thread(process).spend(update_cycles_);
  for (const command_scheduling::RunList::Change& change : run_list_.update()) {
    const auto changed = static_cast<std::uint32_t>(change.task);
    gpu_.set_listed(changed, change.is_listed);
    if (changed != process) note_listing(changed);
  }
  emit(record::Kind::kRunListUpdated, process, update_cycles_);
}

// A task that has work and may not use the GPU is suspended.
void GcapsDriver::note_listing(std::uint32_t process) {
  const TaskId task{static_cast<std::uint16_t>(process)};
  const bool is_kept_off = run_list_.is_ready(task) && !run_list_.is_listed(task);
  std::optional<Cycle>& since = suspended_[process];
  if (is_kept_off == since.has_value()) return;
  if (is_kept_off) {
    since = time_.now();
    return emit(record::Kind::kTaskSuspended, process, 0);
  }
  emit(record::Kind::kTaskResumed, process, time_.now() - *since);
  since.reset();
}

void GcapsDriver::emit(record::Kind kind, std::uint32_t process, Cycle cycles) {
  record::Record record;
  record.cycle = time_.now();
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(process);
  record.cycles = cycles;
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
