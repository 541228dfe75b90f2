// SPDX-License-Identifier: Apache-2.0
// The device event loops of event-driven kernels ([G16] 3.2.2; docs/concepts/gloop.md): one per thread block. A loop
// causes an event only where it needs the host's files or the memory channel, or ends; what happens in between is
// computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/event_tree.h"
#include "model/base/ids.h"
#include "model/cooperative/loop_program.h"
#include "model/record/record_log.h"
#include "tlm/execution_engine/engine_message.h"
#include "tlm/execution_engine/i_execution_core.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/sm_array/memory_channel.h"

namespace tessera::tlm_model {

// A context has one event-driven kernel at a time; between two launches its loops are stored in device memory.
class DeviceLoops {
 public:
  // A leaf is SM << slot_bits | slot. The loops of an SM move their state one after the other, as the channel's mover
  // num_sms + SM.
  DeviceLoops(std::uint32_t num_sms, std::uint32_t slot_bits, std::size_t num_contexts, IMemoryChannel& channel,
              record::RecordLog& log);

  // Called when the thread block in that slot ends.
  std::function<void(std::uint32_t leaf, Cycle at)> finish_tb;
  // Called when ends of transfers have changed.
  std::function<void()> on_channel_changed;
  std::vector<LoopRequest>* requests = nullptr;  // receives the requests to the host

  // Called by the SM driver: what happens to a kernel and to thread blocks in slots.
  void kernel_activated(LaunchId id, const KernelLaunch& launch);
  void kernel_finished(const KernelLaunch& launch, Cycle now);
  void issued(std::uint32_t leaf, ContextId context, std::uint32_t tb, Cycle start);
  void freeze(std::uint32_t leaf, Cycle now);  // no effect on a slot without a loop
  void resume(std::uint32_t leaf, ContextId context, std::uint32_t tb, Cycle now);

  // Words from the host: yield, I/O done, kill. A word is in memory in the cycle after its stamp; loops read it before
  // they do anything else in that cycle.
  void post(Cycle stamp, const LoopWord& word);

  Cycle next_event() const { return std::min(events_.min_time(), words_.empty() ? kNever : words_.front().stamp + 1); }
  void due(Cycle now);
  void time_moves();

 private:
  enum class Phase : std::uint8_t {
    kAway,       // it has left, or has not been launched yet
    kStarting,   // its thread block is on the way to the SM
    kReading,    // reads its state
    kExecuting,  // runs callbacks
    kPolling,    // waits for its I/O
    kLeaving,    // writes its state
  };
  struct Loop {
    cooperative::Position position = 0;  // steps done when the current stretch begins
    bool awaits_io = false;              // that step was requested and is not done
    bool is_done = false;
    Phase phase = Phase::kAway;
    bool is_frozen = false;  // its SM is being preempted; it will continue in `phase`
    std::uint32_t leaf = 0;
    Cycle began = 0;              // start of the stretch; frozen: how much of it is over
    cooperative::Stretch target;  // end of the stretch: where the loop needs the host, or yields
    std::uint64_t factor_ppm = 0;
    std::uint64_t state_bytes = 0;  // being moved or in device memory
  };
  struct Kernel {
    std::shared_ptr<const LoopLaunch> launch;
    LaunchId id{};
    std::uint16_t process = 0;
    bool is_active = false;
    std::uint64_t told_number = 0;  // the launch that was told to yield
    Cycle told_at = 0;
    std::uint64_t killed_number = 0;
    std::uint32_t loops_left = 0;  // that are not done
    std::uint64_t bytes = 0;       // of state written by this launch
    std::vector<Loop> loops;       // by thread block

    bool is_told() const { return told_number == launch->number; }
    bool is_killed() const { return killed_number == launch->number; }
  };
  struct Resident {
    ContextId context{};
    std::uint32_t tb = kNobody;
  };
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  struct PostedWord {
    Cycle stamp = 0;
    LoopWord word;
  };

  Kernel& kernel_of(const Resident& resident) { return kernels_[index(resident.context)]; }
  Loop& loop_of(const Resident& resident) { return kernel_of(resident).loops[resident.tb]; }
  void take(const LoopWord& word, Cycle now);
  void yield(ContextId context, std::uint64_t launch_number, Cycle now);
  void io_done(ContextId context, std::uint32_t tb, Cycle now);
  void kill(ContextId context, std::uint64_t launch_number, Cycle now);
  void step_due(const Resident& of, Cycle now);
  void execute(const Resident& of, Cycle now);
  void aim(const Resident& of, Cycle elapsed);
  void reached(const Resident& of, Cycle now);
  void wait_for_io(const Resident& of, Cycle now);
  void go_on(const Resident& of, Cycle now);
  void leave(const Resident& of, Cycle now);
  void end(const Resident& of, Cycle now);
  void note_left(const Resident& of, std::uint64_t bytes, Cycle now);
  void retire(const Resident& of, Cycle at);

  // Transfers of state.
  void queue_move(std::uint32_t leaf, Cycle now);
  void start_move(std::uint32_t sm, Cycle now);
  void withdraw_move(std::uint32_t leaf, Cycle now);
  void move_done(const Resident& of, Cycle now);
  SmId mover_of(std::uint32_t sm) const { return SmId(static_cast<std::uint16_t>(num_sms_ + sm)); }

  record::Record about(record::Kind kind, const Resident& of, Cycle at);

  std::uint32_t num_sms_;
  std::uint32_t slot_bits_;
  IMemoryChannel& channel_;
  record::RecordLog& log_;
  std::deque<PostedWord> words_;                  // not yet effective, by stamp
  EventTree events_;                              // by leaf
  std::vector<Resident> residents_;               // by leaf
  std::vector<Kernel> kernels_;                   // by context
  std::vector<std::deque<std::uint32_t>> moves_;  // by SM: leaves; the first one uses the channel
};

}  // namespace tessera::tlm_model
