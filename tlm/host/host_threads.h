// SPDX-License-Identifier: Apache-2.0
// The threads of processes on the host's CPU: the time that they use, and how they wait. With cores
// (HostSpec::cpu) they compete for these (cpu_cores.h); without, each has one whenever it needs it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/host_queue.h"
#include "tlm/host/cpu_cores.h"

namespace tessera::tlm_model {

// Called from the thread of its process only. It sleeps until its first call of sleep() has ended.
class HostThread {
 public:
  // Of Spec::processes[process]. `cores`: null if the host has none; else it must outlive this object.
  HostThread(const spec::Spec& spec, std::uint32_t process, CpuCores* cores);

  bool is_awake() const { return is_awake_; }
  // Uses the CPU.
  void spend(Cycle cycles);
  // Waits for the GPU, asleep or holding its core (ProcessSpec::wait), until all of these places have been passed.
  void wait_until_all_passed(const std::vector<QueuePlace>& places);
  // Sleeps while `wait`, which blocks, waits for a point in time.
  template <typename Wait>
  void sleep(const Wait& wait);
  // Sleeps while `wait`, which blocks, waits for the word of a driver or of another thread; then waking up takes time.
  template <typename Wait>
  void sleep_until_told(const Wait& wait);
  // A call into a driver's code, which takes `own` cycles, one at least. Where the driver holds the caller back for
  // longer, it sleeps. `told` is notified whenever `is_told` may have become true; then the driver does `then` for the
  // caller, which continues when it has a core again.
  template <typename IsTold, typename Then>
  void call_driver(Cycle own, const sc_core::sc_event& told, const IsTold& is_told, const Then& then);
  // It will do nothing more.
  void end();

 private:
  void spin_until_written(const std::vector<QueuePlace>& places);
  void take_time_to_wake() const;

  std::uint32_t process_;
  CpuCores* cores_;
  CycleTime time_;
  bool spins_;
  Cycle wake_cycles_;  // from the driver's word, or the end of the interrupt's handler, to being runnable
  bool is_awake_ = false;
};

class HostThreads {
 public:
  // Call during construction of a module.
  HostThreads(const spec::Spec& spec, record::RecordLog& log);

  HostThread& of(std::uint32_t process) { return threads_[process]; }
  void finish(Cycle end);

 private:
  std::unique_ptr<CpuCores> u_cpu_cores_;  // null: the host has none
  std::deque<HostThread> threads_;         // by process
};

// ---- implementation --------------------------------------------------------------------------------------------

template <typename Wait>
void HostThread::sleep(const Wait& wait) {
  if (cores_ != nullptr && is_awake_) cores_->sleep(process_);
  is_awake_ = false;
  wait();
  if (cores_ != nullptr) cores_->wake(process_);
  is_awake_ = true;
}

template <typename Wait>
void HostThread::sleep_until_told(const Wait& wait) {
  sleep([&] {
    wait();
    take_time_to_wake();
  });
}

template <typename IsTold, typename Then>
void HostThread::call_driver(Cycle own, const sc_core::sc_event& told, const IsTold& is_told, const Then& then) {
  const auto wait_and_do = [&] {
    while (!is_told()) sc_core::wait(told);
    then();
  };
  if (cores_ == nullptr) return wait_and_do();
  const Cycle returned = time_.now() + std::max<Cycle>(1, own);
  while (!is_told() && time_.now() <= returned) sc_core::wait(time_.until(returned + 1), told);
  if (is_told()) return then();
  sleep_until_told(wait_and_do);
}

}  // namespace tessera::tlm_model
