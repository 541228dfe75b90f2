// SPDX-License-Identifier: Apache-2.0
// Notes of one cycle, decisions in the next.
#include "tlm/host/cpu_cores.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {

namespace cpu = cpu_scheduling;

namespace {

std::vector<cpu::Task> tasks_of(const spec::Spec& spec) {
  std::vector<cpu::Task> tasks;
  for (const spec::ProcessSpec& process : spec.processes) {
    cpu::Task& task = tasks.emplace_back();
    task.priority = process.cpu_priority;
    for (const std::uint32_t core : spec::cores_of(process, *spec.host.cpu)) task.cores.push_back(cpu::CoreId(core));
  }
  return tasks;
}

}  // namespace

CpuCores::CpuCores(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log)
    : sc_module(name), time_(spec.gpu.clock_hz), log_(log), table_(spec.host.cpu->num_threads(), tasks_of(spec)) {
  for (const spec::ProcessSpec& process : spec.processes) threads_.emplace_back().priority = process.cpu_priority;
  SC_HAS_PROCESS(CpuCores);
  SC_METHOD(decide);
  sensitive << noted_;
  dont_initialize();
}

// ---- what threads ask for --------------------------------------------------------------------------------------

void CpuCores::wake(std::uint32_t process) { block_until(process, Request::kWake); }

void CpuCores::sleep(std::uint32_t process) { note(process, Request::kSleep); }

void CpuCores::spend(std::uint32_t process, Cycle cycles) {
  Thread& thread = threads_[process];
  thread.left = cycles;
  thread.counted_from = time_.now();
  while (thread.left > 0) {
    if (!core_of(process)) {
      sc_core::wait(thread.changed);
      continue;
    }
    sc_core::wait(time_.until(thread.counted_from + thread.left), thread.changed);
    if (core_of(process)) count_time(thread, time_.now());
  }
}

void CpuCores::begin_spin(std::uint32_t process) { threads_[process].spins_since = time_.now(); }

void CpuCores::end_spin(std::uint32_t process) { block_until(process, Request::kGoOn); }

void CpuCores::block_until(std::uint32_t process, Request request) {
  Thread& thread = threads_[process];
  thread.is_blocked = true;
  note(process, request);
  while (thread.is_blocked) sc_core::wait(thread.changed);
}

void CpuCores::note(std::uint32_t process, Request request) {
  notes_.push_back({time_.now(), process, request});
  noted_.notify(time_.until(time_.now() + 1));
}

// ---- decisions -------------------------------------------------------------------------------------------------

void CpuCores::decide() {
  const Cycle now = time_.now();
  // 1. What was asked for by now, those of a process in their order.
  const auto first_later =
      std::stable_partition(notes_.begin(), notes_.end(), [now](const Note& note) { return note.stamp < now; });
  std::vector<Note> notes(notes_.begin(), first_later);
  notes_.erase(notes_.begin(), first_later);
  if (!notes_.empty()) noted_.notify(time_.until(now + 1));
  std::stable_sort(notes.begin(), notes.end(), [this](const Note& a, const Note& b) {
    return std::tuple(threads_[b.process].priority, a.process) < std::tuple(threads_[a.process].priority, b.process);
  });
  for (const Note& note : notes) take(note, now);
  // 2. Who has which core.
  const Cores before = cores_of_all();
  table_.place();
  for (std::uint32_t i = 0; i < threads_.size(); ++i) change_core(i, before[i], now);
  // 3. Who has one goes on.
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    Thread& thread = threads_[i];
    if (!thread.wants_to_go_on || !core_of(i)) continue;
    count_spin(thread, now);
    thread.spins_since.reset();
    thread.wants_to_go_on = thread.is_blocked = false;
    thread.changed.notify(sc_core::SC_ZERO_TIME);
  }
}

void CpuCores::take(const Note& note, Cycle now) {
  Thread& thread = threads_[note.process];
  switch (note.request) {
    case Request::kSleep:
      // Without a core, where it has lost it in the cycle in which its CPU time ended.
      if (!core_of(note.process)) thread.started = now;
      stop(note.process, core_of(note.process).value_or(thread.last_core), now);
      return table_.remove(cpu::TaskId(note.process));
    case Request::kWake:
      table_.add(cpu::TaskId(note.process));
      become_ready(note.process, now);
      break;
    case Request::kGoOn:
      break;
  }
  thread.wants_to_go_on = true;
}

CpuCores::Cores CpuCores::cores_of_all() const {
  Cores cores;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) cores.push_back(core_of(i));
  return cores;
}

void CpuCores::change_core(std::uint32_t process, std::optional<cpu::CoreId> before, Cycle now) {
  const std::optional<cpu::CoreId> after = core_of(process);
  if (before == after) return;
  if (before) {
    stop(process, *before, now);
    become_ready(process, now);
  }
  if (after) start(process, *after, now);
  threads_[process].changed.notify(sc_core::SC_ZERO_TIME);
}

void CpuCores::stop(std::uint32_t process, cpu::CoreId core, Cycle now) {
  Thread& thread = threads_[process];
  count_time(thread, now);
  count_spin(thread, now);
  record::Record stopped;
  stopped.kind = record::Kind::kCpuStopped;
  record::number::core(stopped) = static_cast<std::uint64_t>(core);
  record::number::spun_cycles(stopped) = std::exchange(thread.spun, 0);
  stopped.cycles = now - thread.started;
  emit(stopped, process, now);
}

void CpuCores::become_ready(std::uint32_t process, Cycle now) {
  threads_[process].ready_since = now;
  record::Record ready;
  ready.kind = record::Kind::kCpuReady;
  emit(ready, process, now);
}

void CpuCores::start(std::uint32_t process, cpu::CoreId core, Cycle now) {
  Thread& thread = threads_[process];
  thread.started = thread.counted_from = now;
  thread.last_core = core;
  record::Record started;
  started.kind = record::Kind::kCpuStarted;
  record::number::core(started) = static_cast<std::uint64_t>(core);
  started.cycles = now - thread.ready_since;
  emit(started, process, now);
}

void CpuCores::count_spin(Thread& thread, Cycle now) {
  if (thread.spins_since) thread.spun += now - std::max(*thread.spins_since, thread.started);
  if (thread.spins_since) thread.spins_since = now;
}

void CpuCores::count_time(Thread& thread, Cycle now) {
  thread.left -= std::min(thread.left, now - thread.counted_from);
  thread.counted_from = now;
}

void CpuCores::emit(record::Record record, std::uint32_t process, Cycle now) {
  record.cycle = now;
  record.process = static_cast<std::uint16_t>(process);
  log_.emit(now, record);
}

std::optional<cpu::CoreId> CpuCores::core_of(std::uint32_t process) const {
  return table_.core_of(cpu::TaskId(process));
}

void CpuCores::finish(Cycle end) {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (const auto core = core_of(i)) stop(i, *core, end);
  }
}

}  // namespace tessera::tlm_model
