// SPDX-License-Identifier: Apache-2.0
// The GPU's front end: its register window, the fetching of commands from rings in system memory, fences and
// interrupts (docs/hardware/register_map.md).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <memory>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/base/sm_set.h"
#include "model/spec/spec_fwd.h"
#include "tessera/command_format.h"
#include "tessera/register_map.h"
#include "tlm/base/cycle_time.h"
#include "tlm/command_dispatcher/command_dispatcher.h"
#include "tlm/execution_engine/engine_message.h"
#include "tlm/front_end/look_ahead.h"
#include "tlm/interconnect/link_traffic.h"
#include "tlm/interconnect/pcie_link.h"

namespace tessera::tlm_model {

// The registers of a GPU context, written by the OS.
struct ContextRegisters {
  std::uint64_t priority = 0;
  std::uint64_t tokens = 0;
  std::uint64_t page_table = 0;
  std::uint64_t deadline = 0;   // cycles; 0: none
  std::uint64_t partition = 0;  // of its later launches
  bool has_tokens = false;      // tokens were written
  std::uint64_t slice_end = 0;  // of a kept turn: spec::SliceEnd
  std::uint64_t is_listed = 1;  // on the run list
};

// The scheduling framework behind the registers, in the execution engine ([T14] 3).
class ISchedulingFramework {
 public:
  // One of its registers was written; the write arrives in cycle `arrival`.
  virtual void write(const RegisterWrite& write, Cycle arrival) = 0;
  // What a kept turn has to know of a context has changed, in cycle `stamp`.
  virtual void tell(const TurnInput& input, Cycle stamp) = 0;
  // SM cycles that a context has used before cycle `now`.
  virtual std::uint64_t sm_cycles(ContextId context, Cycle now) const = 0;
  // The scheduler core; writes of a policy that it does not have are refused.
  virtual spec::Cores which_core() const = 0;

 protected:
  ~ISchedulingFramework() = default;
};

class FrontEnd : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<FrontEnd> registers_tsock;
  tlm_utils::simple_initiator_socket<FrontEnd> system_memory_isock;
  sc_core::sc_out<bool> irq_o;

  // There can be as many GPU contexts as the Spec has processes. `link`: the PCIe link shared with copies; null:
  // messages do not contend with copies.
  FrontEnd(const sc_core::sc_module_name& name, const spec::Spec& spec, CommandDispatcher& dispatcher,
           ISchedulingFramework& framework, LinkTraffic* link);

  // A command is done: writes its fence and raises its interrupt.
  void retire(QueueId queue, const FetchedCommand& command);
  // At the dispatcher, other commands of the queue may wait than before.
  void went_on(QueueId queue) {
    if (look_ahead_) look_again(queue);
  }
  const ContextRegisters& context(ContextId id) const { return contexts_[index(id)]; }
  void report_error(reg::ErrorCode code, QueueId queue);

  // One access of any size to system memory; false if it was refused. Call from a thread process only: it waits for as
  // long as the memory takes, whether that time is annotated or not.
  bool access_system_memory(::tlm::tlm_command command, std::uint64_t address, void* data, std::uint64_t bytes);

 private:
  struct Queue {
    std::uint64_t base = 0;
    std::uint64_t entries = 0;
    std::uint64_t doorbell = 0;
    std::uint64_t head = 0;     // fetched so far
    Cycle delivered_until = 0;  // arrival of the last command fetched: they stay in order
    std::uint32_t resets = 0;   // number of times that it was emptied
  };
  struct Doorbell {
    Cycle cycle;
    QueueId queue;
    std::uint64_t value;
  };
  struct FenceWrite {
    Cycle cycle;
    QueueId queue;
    std::uint64_t address;
    std::uint64_t value;
    bool interrupts;
  };
  struct Completion {
    sc_dt::uint64 delta;
    QueueId queue;
  };

  // Register window.
  void b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(::tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(::tlm::tlm_generic_payload& payload, ::tlm::tlm_dmi& dmi);
  std::uint64_t read_register(std::uint64_t offset) const;
  std::uint64_t read_part(std::uint64_t offset, bool has_lower);
  bool is_sm_cycles(std::uint64_t offset) const {
    return offset >= reg::kSmCycles && (offset - reg::kSmCycles) / 8 < contexts_.size();
  }
  // The partition register of an SM or a context; null: none at this offset.
  const std::uint64_t* partition_register(std::uint64_t offset) const;
  bool has_partitions() const;
  bool is_mask(std::uint64_t offset) const {
    return offset >= reg::kPartitionMask && (offset - reg::kPartitionMask) / reg::kMaskStride < masks_.size();
  }
  // Returns false if the write is refused.
  bool write_register(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  void write_own(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  void write_context(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  bool is_held(std::uint64_t offset) const {
    return offset >= reg::kHeld && (offset - reg::kHeld) / 8 < contexts_.size();
  }
  void write_partition(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  std::uint64_t mask_word(std::uint64_t offset) const;
  void write_mask(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  // The slice end or run list register of a context, as those of partitions.
  const std::uint64_t* turn_register(std::uint64_t offset) const;
  void write_turn(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  void write_queue(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival);
  bool write_policy(std::uint64_t value, std::uint64_t mask, Cycle arrival);
  void empty_queue(QueueId id);
  std::uint64_t last_doorbell(QueueId id) const;
  std::uint64_t completion_word(std::uint64_t word) const;
  bool is_busy() const;
  std::uint64_t interrupt_status() const;

  // Command fetch.
  void fetch();
  void ring_doorbells(Cycle now);
  void fetch_queue(QueueId id);
  FetchedCommand decode(const Command& command, QueueId id);
  std::optional<CopyCommand> decode_copy(const Command& command, QueueId id);
  std::optional<LaunchCommand> decode_launch(const Command& command, const KernelDescriptor& kernel, ContextId context,
                                             QueueId id);
  std::optional<WaitCommand> decode_wait(const Command& command, QueueId id);
  std::optional<KernelDescriptor> read_kernel(const Command& command, QueueId id);
  bool is_kernel_good(const Command& command, const KernelDescriptor& kernel, QueueId id);
  std::shared_ptr<const GraphWork> read_graph(const Command& command, QueueId id);
  bool decode_node(const GraphNode& node, ContextId context, QueueId id, GraphWork& graph);
  bool read_loops(const KernelDescriptor& kernel, QueueId id, KernelLaunch& launch);
  Cycle sent(LinkDirection direction, std::uint64_t bytes, Cycle now) const;
  Cycle read_back(std::uint64_t bytes, Cycle now) const;
  Cycle read_with_work(const FetchedCommand& fetched) const;
  // Who keeps a turn needs to know whose launches wait.
  void start_looking_ahead();
  void read_ahead(QueueId id);
  LookAhead::Ahead peek(std::uint64_t address);
  std::optional<Command> peek_command(std::uint64_t address);
  void look_again(QueueId id);
  void request_fetch(Cycle at) { fetch_event_.notify(time_.until(at)); }

  // Fences and interrupts.
  void write_fences();
  void fold_completions();
  void drive_irq() { irq_o.write((interrupt_status() & interrupt_enable_) != 0); }

  const spec::Spec& spec_;
  CommandDispatcher& dispatcher_;
  ISchedulingFramework& framework_;
  LinkTraffic* link_;
  CycleTime time_;
  PcieLink pcie_;
  std::vector<Queue> queues_;
  std::optional<LookAhead> look_ahead_;  // none: no turn has ever been kept
  std::vector<ContextRegisters> contexts_;
  std::vector<std::uint64_t> sm_partition_;
  std::vector<SmSet> masks_;  // by partition; empty if no masks overlap
  std::uint64_t control_ = 0;
  std::uint64_t interrupt_enable_ = 0;
  std::uint64_t error_ = 0;
  std::uint64_t policy_ = 0;
  std::uint64_t sm_cycles_read_ = 0;  // value latched by the last read of a lower half
  std::array<std::uint64_t, reg::kNumCompletion> completion_{};
  std::vector<Completion> fresh_completions_;  // not yet in completion_
  std::vector<Doorbell> doorbells_;            // on their way
  std::vector<FenceWrite> fence_writes_;       // in flight, by cycle
  sc_core::sc_event fetch_event_;
  sc_core::sc_event fence_event_;
  sc_core::sc_event irq_event_;
};

}  // namespace tessera::tlm_model
