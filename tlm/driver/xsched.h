// SPDX-License-Identifier: Apache-2.0
// XSched on the machine (OSDI 2025): a launch is held back by not ringing its doorbell; a task that is suspended gets
// no doorbell (level 1), its context is held at the GPU's hardware queues (level 2), and taken off the run list (level
// 3). model/command_scheduling makes the decisions; this class adds their timing and the register accesses.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "model/command_scheduling/suspensions.h"
#include "model/command_scheduling/xsched.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/held_driver.h"
#include "tlm/driver/interrupt_service.h"

namespace tessera::tlm_model {

// Events of a cycle are processed in the next one in a fixed order: completions, arrivals, suspensions from outside,
// decisions, register accesses. So nothing depends on the order in which SystemC runs the processes.
class XschedDriver final : public sc_core::sc_module, public HeldDriver, private command_scheduling::IXschedObserver {
 public:
  XschedDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts,
               record::RecordLog& log);

  void open(std::uint32_t process) override;
  void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) override;

 private:
  using TaskId = command_scheduling::TaskId;

  struct RegisterWrite {
    Cycle cycle = 0;
    bool stops = false;
  };
  struct Task {
    Task(RingWriter its_writer, HeldStreams its_streams) : writer(its_writer), streams(std::move(its_streams)) {}
    RingWriter writer;
    HeldStreams streams;
    std::uint32_t level = 1;
    std::deque<QueuePlace> held;        // ends of launches without a doorbell, in order
    std::vector<QueuePlace> in_flight;  // likewise of those that have had theirs
    // A suspension: begun, in place at the GPU (levels 2 and 3), and over, as far as the driver knows.
    std::optional<Cycle> suspended;
    bool is_halted = false;
    bool is_stopped = false;
    std::deque<RegisterWrite> writes;               // to come, by cycle
    Cycle last_write = 0;                           // the latest of all
    Cycle look = kNever;                            // when the driver looks whether it has stopped
    std::optional<std::uint64_t> sm_cycles_looked;  // level 3: at the last look
  };
  struct Event {
    Cycle cycle = 0;
    std::uint32_t process = 0;
    std::uint32_t launches = 0;
  };
  // Who suspends a task whatever the policy says.
  struct Outsider {
    std::uint32_t process = 0;
    command_scheduling::Suspensions times;
    Cycle due = 0;           // of the next suspension or resume; kNever: waits until it has stopped
    bool is_running = true;  // the task, as far as the outsider is concerned
  };

  HeldStreams& streams_of(std::uint32_t process) override { return tasks_[process].streams; }
  // Called by an interrupt.
  void take_note(HostQueue& queue);
  // The parts of an invocation.
  void invoke();
  void take_completions(Cycle then);
  void take_arrivals(Cycle then);
  void act_as_outsider(Cycle now);
  void write_registers(std::uint32_t process, Cycle now);
  void look_at(std::uint32_t process, Cycle now);
  void judge_stop(std::uint32_t process, Cycle now);
  void stopped(std::uint32_t process, Cycle now);
  void plan_invocation(Cycle now);
  void invoke_at(Cycle cycle) { invocation_.notify(time_.until(cycle)); }
  void plan_write(Task& task, bool stops, Cycle cost);
  // Callbacks of the core.
  void on_ready(TaskId task) override;
  void on_idle(TaskId task) override;
  void on_suspended(TaskId task) override;
  void on_resumed(TaskId task) override;
  void on_handed_over(TaskId task) override;

  void emit(record::Kind kind, TaskId task, std::uint64_t value, Cycle cycles);

  GpuPort& gpu_;
  InterruptService& interrupts_;
  record::RecordLog& log_;
  CycleTime time_;
  Cycle suspend_cycles_;
  Cycle resume_cycles_;
  Cycle round_trip_;  // of a read behind a write: it has arrived
  Cycle poll_;
  command_scheduling::Xsched core_;
  std::deque<Task> tasks_;          // by process
  std::vector<Event> completions_;  // not yet looked at
  std::vector<Event> arrivals_;     // not yet looked at
  std::optional<Outsider> outsider_;
  sc_core::sc_event invocation_;
};

}  // namespace tessera::tlm_model
