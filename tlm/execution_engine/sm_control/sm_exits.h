// SPDX-License-Identifier: Apache-2.0
// How thread blocks leave an SM together, and come back ([T14] 3.2): the SM is told to stop, flush or take handles,
// goes through its phases, and answers.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/event_tree.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

enum class SmAnswer : std::uint8_t {
  kNone,           // it goes on
  kSetUp,          // it is set up
  kRestored,       // all contexts are in, or there were none
  kNothingToSave,  // its TBs have finished or were dropped
  kSaved,          // the contexts are out
  kHandlesSent,    // of what was dropped
  kEmpty,          // it was told to drain, and held nothing
};

class SmExits final : private IMoveTimer {
 public:
  explicit SmExits(SmParts& parts);

  void set_timer(SmId id, Cycle at) { timers_.set(leaf(id), at); }
  void clear_timer(SmId id) { timers_.clear(leaf(id)); }
  Cycle timer_of(SmId id) const { return timers_.time(leaf(id)); }

  // It shall give its TBs up.
  void preempt(SmId id, Cycle now);
  // The last of its handles will be there in cycle `at`: the contexts they stand for come in together.
  void handles_were_sent(SmId id, Cycle at);
  // It sends the handles of what was dropped, until then.
  void send_handles(SmId id, Cycle until);
  SmAnswer timer_fired(SmId id, Cycle now);

  // All TBs have finished, or were dropped and their handles are still there.
  bool have_all_left(SmId id) const { return array_.sm(id).occupied == array_.sm(id).flushed; }
  std::uint64_t bytes_saved(SmId id) const { return exits_[index(id)].bytes_saved; }

 private:
  struct Exit {
    Cycle trapped_at = 0;     // the command to stop has arrived, and the TBs before it have started
    std::uint64_t slots = 0;  // whose contexts go out
    std::uint64_t bytes_saved = 0;
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
  std::vector<Exit> exits_;  // by SM: of the preemption under way
};

}  // namespace tessera::tlm_model
