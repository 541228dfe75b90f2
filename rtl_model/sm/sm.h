// SPDX-License-Identifier: Apache-2.0
// A streaming multiprocessor: state machine, context registers, thread block slots with their ranges of registers and
// shared memory, and the engine that saves and restores contexts over the memory channel ([T14] 3.1, 3.2).
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/interfaces/i_sm_observer.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/launch_table.h"
#include "rtl_model/memory/context_store.h"
#include "rtl_model/memory/memory_channel.h"
#include "rtl_model/params.h"
#include "rtl_model/sm/flushed_handle.h"
#include "rtl_model/sm/loop_unit.h"
#include "rtl_model/sm/sm_outputs.h"

namespace tessera::rtl_model {

class Sm final : public ClockedModule {
 public:
  // Its connections: the pins and grants are those of the core and the networks, or of its link.
  struct Surroundings {
    const Params& params;
    const ClockCount& clock;
    const SmControlPins& control;
    const DispatchPins& dispatch;
    const SmGrants& grants;
    LaunchTable& launches;
    MemoryChannel& channel;
    ContextStore& contexts;
    LoopMemory& loops;
    ISmObserver& observer;
  };
  Sm(const sc_core::sc_module_name& name, std::uint32_t index, const Surroundings& surroundings);

  const SmOutputs& outputs() const { return out_; }

  // comb(): outputs of this cycle; comb_dispatch(): after the networks' grants, handles the TB dispatched to this SM.
  void comb();
  void comb_dispatch();
  void seq() override;
  // Clears the outputs for the next cycle.
  void rest() { out_.event_valid = out_.handle_valid = false; }
  // After an edge: the SM cycle of the next activity without input. A cycle that has already begun means the next core
  // cycle; kNever: none.
  Cycle next_activity() const;
  // True if the SM only waits for its pending event to be taken; next_change() is then its next activity after this
  // cycle.
  bool merely_waits() const {
    const bool is_taken = around_.grants.event_sm == index_;
    const bool is_told = around_.control.valid && around_.control.sm == index_;
    return out_.event_valid && !out_.handle_valid && !is_taken && !is_told;
  }
  Cycle next_change() const;
  // With loops, it must be evaluated in each cycle in which words of the host arrive.
  bool has_loops() const { return u_loop_unit_.is_on(); }

  void list_signals(ISignalSink& signals) const override;

  static constexpr unsigned kOutputsLevel = 0;
  static constexpr unsigned kDispatchLevel = 3;

 private:
  enum class State : std::uint8_t {
    kIdle,
    kSettingUp,
    kRunning,
    kDraining,  // draining the pipeline
    kEnteringTrap,
    kSaving,  // saving, and sending handles
    kFlushing,
    kDrainingRest,  // after a flush: remaining TBs run to their ends
  };
  enum class Transfer : std::uint8_t { kOff, kStarting, kMoving, kDone, kUnpacking };  // of a save or a restore
  enum class SlotState : std::uint8_t { kFree, kRunning, kRestoring, kStopped, kFlushed, kSent };
  struct Slot {
    SlotState state = SlotState::kFree;
    std::uint32_t tb = 0;
    std::uint32_t stack_pointer = 0;
    std::uint32_t register_base = 0;
    std::uint32_t smem_base = 0;
    Cycle remaining = 0;  // valid while stopped, and once its context is restored
    std::uint32_t num_flushes = 0;
    LoopRegisters loop;  // while stopped
  };

  void run_loops();
  bool is_freezing() const;
  bool is_over(std::uint32_t slot) const;
  void end_loops();
  void note_endings(std::uint32_t slot);
  void show_event();
  void show_handle();
  void request_transfers();
  void report_finished();
  Cycle first_handle_at() const;

  void set_up(const SmControlPins& control);
  void issue(std::uint32_t tb);
  Cycle issue_start() const;
  void receive_handle(const DispatchPins& dispatch);
  void command(const SmControlPins& control);
  void trap();
  void drain_pipeline(Cycle earliest);
  void begin_flush();
  void flush();
  bool may_be_flushed(std::uint32_t slot) const;
  Cycle executed(std::uint32_t slot) const;
  void restart(const DispatchPins& dispatch);
  void send_flushed();
  bool is_stopping() const;
  void event_taken();
  void handle_taken();
  void preempted();
  void freeze();
  void start_save();
  void start_restore(std::uint64_t bytes);
  Cycle restore_start() const;
  Cycle unpacking_cycles() const;
  void load_contexts();
  void resume_restored();
  std::uint32_t occupy(SlotState state, std::uint32_t tb);
  std::uint32_t lowest(SlotState state) const;  // kNone
  std::uint32_t next_handle() const;            // slot whose handle is sent next
  std::uint32_t count(SlotState state) const;
  bool is_empty() const;  // neither running TBs nor handles waiting to be sent
  void find_earliest();

  std::uint32_t index_;
  Surroundings around_;
  Launch launch_;  // descriptor read at set-up

  // Registers.
  State state_q_ = State::kIdle;
  Transfer transfer_q_ = Transfer::kOff;
  Cycle until_q_ = kNever;  // end of set-up, of draining, or of trap entry
  Cycle restore_at_q_ = 0;  // start of a requested restore; or, its bytes having moved, its end
  Field32 context_q_;
  Field64 page_table_q_;
  Field64 descriptor_q_;
  Field32 tag_q_;
  std::uint32_t smem_config_q_ = 0;
  std::vector<Slot> slots_q_;
  std::vector<Cycle> ends_at_q_;      // by slot, while running; else kNever
  std::uint32_t handles_left_q_ = 0;  // still to be sent by the current save
  Cycle last_start_q_ = 0;            // of the TB issued last: a trap waits for it
  Cycle stopped_at_q_ = 0;            // the stop command has arrived and TBs sent earlier have started
  Cycle move_started_q_ = 0;
  std::uint64_t moving_bytes_q_ = 0;
  LoopUnit u_loop_unit_;

  // Wires.
  SmOutputs out_;
  std::uint32_t done_slot_ = kNone;  // slot whose completion is signalled
  bool starts_transfer_ = false;
  bool ends_transfer_ = false;  // and TBs go on: a restore's microcode is over, too
  bool ends_bytes_ = false;
  Cycle now_ = 0;
  Cycle decided_at_ = 0;     // the SM cycle in which the issue of a TB arriving now was decided
  Cycle earliest_ = kNever;  // earliest end of a TB
  bool ends_loop_ = false;   // in this cycle
};

}  // namespace tessera::rtl_model
