// SPDX-License-Identifier: Apache-2.0
// A process on the host: replays its application's program repeatedly, as the CPU traces of [T14] 4.1 do, either a
// given number of times or whenever a run is released.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/record/record_log.h"
#include "model/spec/application_spec.h"
#include "model/spec/launch_priorities.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_times.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/i_driver.h"
#include "tlm/host/host_threads.h"
#include "tlm/host/release_clock.h"

namespace tessera::tlm_model {

class HostProcess : public sc_core::sc_module {
 public:
  // Plays Spec::processes[process].
  HostProcess(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
              const workload::KernelTimes& times, IDriver& driver, HostThread& thread, record::RecordLog& log);

  // Called at the end of every run.
  std::function<void(std::uint32_t process)> on_run_ended;

  // True after its last release: no more runs will come, even if some were skipped.
  bool is_over() const { return u_release_clock_ && u_release_clock_->is_over(); }

 private:
  void run();
  bool wait_for_run();
  void play(const std::vector<spec::HostStep>& steps);
  void play_step(const spec::CpuPhase& step);
  void play_step(const spec::Copy& step);
  void play_step(const spec::Launch& step);
  void play_step(const spec::Synchronise& step);
  void play_step(const spec::RecordEvent& step);
  void play_step(const spec::WaitForEvent& step);
  void play_step(const spec::Loop& step);
  void play_step(const spec::Group& step);
  void play_step(const spec::Graph& step);

  KernelDescriptor descriptor_of(const spec::Launch& step);
  Command launch_in(std::uint32_t stream, KernelDescriptor& descriptor) const;
  static Command command_of(const spec::Copy& step);
  workload::TbTime time_of(const spec::Launch& step);
  void submit(std::uint32_t stream, const Work& work);
  void spend(Picoseconds time) { thread_.spend(time_.clock().cycles_in(time)); }
  void pause_until(Cycle cycle);
  void emit(record::Kind kind, std::uint32_t run, Cycle turnaround);

  const spec::Spec& spec_;
  std::uint32_t process_;
  const spec::ApplicationSpec& application_;
  spec::LaunchPriorities priorities_;
  const workload::KernelTimes& times_;
  IDriver& driver_;
  HostThread& thread_;
  record::RecordLog& log_;
  CycleTime time_;
  std::unique_ptr<ReleaseClock> u_release_clock_;  // null unless runs are released
  Cycle run_started_ = 0;
  std::uint32_t run_ = 0;
  std::uint64_t left_of_group_ = 0;  // commands left in the current group; 0: not in a group
  std::uint32_t launch_in_run_ = 0;
  std::vector<std::uint64_t> launches_per_run_;  // by kernel
  std::vector<std::uint64_t> launched_in_run_;   // by kernel
};

}  // namespace tessera::tlm_model
