// SPDX-License-Identifier: Apache-2.0
// Waits with and without a core.
#include "tlm/host/host_threads.h"

#include "model/spec/spec.h"

namespace tessera::tlm_model {
namespace {

Cycle wake_cycles_of(const spec::HostSpec& host, const Clock& clock) {
  if (!host.cpu) return 0;
  const Cycle handler = std::max<Cycle>(1, clock.cycles_in(host.interrupt));
  return std::max(handler, clock.cycles_in(host.cpu->wake)) - handler;
}

void wait_for_interrupts(const std::vector<QueuePlace>& places) {
  for (const QueuePlace& place : places) {
    while (!place.is_passed()) sc_core::wait(place.queue->completion);
  }
}

}  // namespace

void wait_until_passed(const QueuePlace& place) { wait_until_all_passed({place}); }

void wait_until_all_passed(const std::vector<QueuePlace>& places) {
  if (places.empty()) return;
  HostThread* const thread = places.front().queue->thread;
  if (thread == nullptr) return wait_for_interrupts(places);
  thread->wait_until_all_passed(places);
}

HostThread::HostThread(const spec::Spec& spec, std::uint32_t process, CpuCores* cores)
    : process_(process),
      cores_(cores),
      time_(spec.gpu.clock_hz),
      spins_(cores != nullptr && spec.processes[process].wait == spec::WaitKind::kSpin),
      wake_cycles_(wake_cycles_of(spec.host, time_.clock())) {}

void HostThread::spend(Cycle cycles) {
  if (cycles == 0) return;
  if (cores_ != nullptr) return cores_->spend(process_, cycles);
  sc_core::wait(time_.until(time_.now() + cycles));
}

void HostThread::wait_until_all_passed(const std::vector<QueuePlace>& places) {
  const auto is_passed = [](const QueuePlace& place) { return place.is_passed(); };
  if (std::all_of(places.begin(), places.end(), is_passed)) return;
  if (spins_) return spin_until_written(places);
  sleep_until_told([&] { wait_for_interrupts(places); });
}

// It reads the fences themselves, ahead of any interrupt.
void HostThread::spin_until_written(const std::vector<QueuePlace>& places) {
  cores_->begin_spin(process_);
  for (const QueuePlace& place : places) {
    while (place.queue->written < place.commands) sc_core::wait(place.queue->fence_written);
  }
  cores_->end_spin(process_);
  for (const QueuePlace& place : places) {
    place.queue->completed = std::max(place.queue->completed, place.queue->written);
  }
}

void HostThread::take_time_to_wake() const {
  if (wake_cycles_ > 0) sc_core::wait(time_.until(time_.now() + wake_cycles_));
}

void HostThread::end() {
  if (cores_ != nullptr && is_awake_) cores_->sleep(process_);
  is_awake_ = false;
}

HostThreads::HostThreads(const spec::Spec& spec, record::RecordLog& log) {
  if (spec.host.cpu) u_cpu_cores_ = std::make_unique<CpuCores>("u_cpu_cores", spec, log);
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) threads_.emplace_back(spec, i, u_cpu_cores_.get());
}

void HostThreads::finish(Cycle end) {
  if (u_cpu_cores_) u_cpu_cores_->finish(end);
}

}  // namespace tessera::tlm_model
