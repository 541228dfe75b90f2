// SPDX-License-Identifier: Apache-2.0
// All thread blocks of an SM leave or come back together ([T14] 3.2): the SM receives a command to stop, flush or take
// handles, goes through its phases, and answers.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/event_tree.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

enum class SmAnswer : std::uint8_t {
  kNone,           // still in progress
  kSetUp,          // it is set up
  kRestored,       // all contexts are in, or there were none
  kNothingToSave,  // its TBs have finished or were dropped
  kSaved,          // the contexts are saved
  kHandlesSent,    // handles of the dropped TBs
  kEmpty,          // it was to drain and held nothing
};

class SmExits final : private IMoveTimer {
 public:
  explicit SmExits(SmParts& parts);

  void set_timer(SmId id, Cycle at) { timers_.set(leaf(id), at); }
  void clear_timer(SmId id) { timers_.clear(leaf(id)); }
  Cycle timer_of(SmId id) const { return timers_.time(leaf(id)); }

  // Starts the preemption of all its TBs.
  void preempt(SmId id, Cycle now);
  // The last of its handles arrives in cycle `at`; their contexts are then restored together.
  void handles_were_sent(SmId id, Cycle at);
  // Until cycle `until`, it sends the handles of the dropped TBs.
  void send_handles(SmId id, Cycle until);
  SmAnswer timer_fired(SmId id, Cycle now);

  // All TBs have finished, or were dropped with their handles still on the SM.
  bool have_all_left(SmId id) const { return array_.sm(id).occupied == array_.sm(id).flushed; }
  std::uint64_t bytes_saved(SmId id) const { return exits_[index(id)].bytes_saved; }
  // When its last save began.
  Cycle save_began(SmId id) const { return exits_[index(id)].save_began; }

 private:
  struct Exit {
    Cycle trapped_at = 0;     // the stop command has arrived and TBs sent earlier have started
    std::uint64_t slots = 0;  // slots whose contexts are saved
    std::uint64_t bytes_saved = 0;
    Cycle save_began = 0;
  };
  static std::uint32_t leaf(SmId id) { return static_cast<std::uint32_t>(index(id)); }
  void move_will_end(SmId id, Cycle end) override { set_timer(id, end); }
  void trap(SmId id, Cycle now);
  SmAnswer flush(SmId id, Cycle now);
  SmAnswer freeze(SmId id, Cycle now);
  SmAnswer start_move(SmId id, SmPhase phase, std::uint64_t slots, Cycle now);

  const spec::Spec& spec_;
  SmArray& array_;
  SmOwners& owners_;
  EventTree& timers_;
  std::vector<Exit> exits_;  // by SM: the current preemption
};

}  // namespace tessera::tlm_model
