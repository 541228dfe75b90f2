// SPDX-License-Identifier: Apache-2.0
// TimeGraph on the machine ([K11] 3, 4.2): a group is held back by not ringing its doorbell; a notifier after it
// reports its completion. model/command_scheduling makes the decisions; this class adds their timing and the register
// accesses.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "model/command_scheduling/task_table.h"
#include "model/command_scheduling/timegraph.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/held_driver.h"
#include "tlm/driver/interrupt_service.h"

namespace tessera::tlm_model {

// Events of a cycle are processed in the next one in a fixed order: completions, replenishments, arrivals by process.
// So nothing depends on the order in which SystemC runs the processes.
class TimegraphDriver final : public sc_core::sc_module,
                              public HeldDriver,
                              private command_scheduling::ITimeGraphObserver {
 public:
  TimegraphDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu,
                  InterruptService& interrupts, record::RecordLog& log);

  void open(std::uint32_t process) override;
  void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) override;

 private:
  using TaskId = command_scheduling::TaskId;
  using GroupId = command_scheduling::GroupId;
  using ReserveId = command_scheduling::ReserveId;

  struct OnlineGroup {
    GroupId id = 0;
    QueuePlace end;  // after its notifier
  };
  struct Task {
    Task(RingWriter its_writer, HeldStreams its_streams) : writer(its_writer), streams(std::move(its_streams)) {}
    RingWriter writer;
    HeldStreams streams;
    command_scheduling::GroupKey key;  // of the group that is being written
    std::uint8_t engines = 0;          // engines that the group needs
    QueuePlace written;                // end of the group
    std::deque<OnlineGroup> online;
    std::uint64_t sm_cycles_charged = 0;  // accounting: measured
    Cycle doorbell = kNever;              // of the group that was submitted; kNever: it is held back
    sc_core::sc_event granted;
  };
  struct Completion {
    Cycle cycle = 0;
    GroupId group = 0;
    Cycle used = 0;
  };
  struct Arrival {
    Cycle cycle = 0;
    std::uint32_t process = 0;
  };

  HeldStreams& streams_of(std::uint32_t process) override { return tasks_[process].streams; }
  // The parts of a call.
  static void note_shape(Task& task, std::uint32_t application, const Work& work);
  static void note_command(Task& task, std::uint32_t application, const Command& command,
                           const KernelDescriptor* kernel);
  void ring_when_granted(std::uint32_t process, const HostQueue& queue);
  // Called by an interrupt.
  void take_note(HostQueue& queue);
  Cycle measure(std::uint32_t process);
  // The parts of an invocation.
  void invoke();
  void look_at_what_happened();
  void change_focus();
  void take_completions();
  void take_replenishments();
  void take_arrivals();
  void plan_invocation();
  void invoke_at(Cycle cycle) { invocation_.notify(time_.until(cycle)); }
  Cycle arrival_cost(std::uint32_t process) const;
  void note_invocation(record::DriverCause cause, Cycle cost);
  // Callbacks of the core.
  void on_arrived(Cycle now, TaskId task, GroupId group, Cycle predicted) override;
  void on_suspended(Cycle now, TaskId task, GroupId group) override;
  void on_submitted(Cycle now, TaskId task, GroupId group, Cycle predicted) override;
  void on_completed(Cycle now, TaskId task, GroupId group, Cycle charged) override;
  void on_replenished(Cycle now, ReserveId reserve, std::int64_t budget) override;

  static record::Record about(record::Kind kind, TaskId task, GroupId group);
  void emit(record::Record record);

  const spec::Spec& spec_;
  GpuPort& gpu_;
  InterruptService& interrupts_;
  record::RecordLog& log_;
  CycleTime time_;
  bool has_ticks_;
  Cycle arrival_cycles_;
  Cycle completion_cycles_;
  Cycle prediction_cycles_;
  command_scheduling::TaskTable plan_;
  command_scheduling::TimeGraph core_;
  std::deque<Task> tasks_;               // by process; a deque, since events do not move
  std::vector<Completion> completions_;  // not yet looked at
  std::vector<Arrival> arrivals_;        // not yet looked at
  std::size_t next_focus_ = 0;
  Cycle told_ = 0;                      // the cycle being processed
  std::vector<std::uint32_t> arrived_;  // processes, in this invocation
  sc_core::sc_event invocation_;
};

}  // namespace tessera::tlm_model
