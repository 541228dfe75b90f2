// SPDX-License-Identifier: Apache-2.0
// The links between the core and the SMs that are not wired to it (docs/hardware/timing.md 3.11, 7.5): messages on
// their way, and what an SM shows until its link takes it. All times are core cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/base/event_tree.h"
#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/one_job/sm_event.h"
#include "tlm/execution_engine/sm_array/tb_handle.h"

namespace tessera::tlm_model {

// On its way to an SM.
struct SmCommand {
  enum class Kind : std::uint8_t { kSetUp, kTrap, kFresh, kHandle };
  Kind kind = Kind::kSetUp;
  std::uint32_t tag = 0;  // of a set-up
  KsrId ksr = kNoKsr;     // of a TB
  TbHandle handle;        // of a TB; a fresh one has a number alone
  Cycle start = 0;        // SM cycles: of a TB, and how long a fresh one takes
  Cycle duration = 0;
  bool is_last = false;  // of a batch of handles
};

class SmLinks {
 public:
  // What an SM's link takes in a cycle.
  struct Taken {
    SmEvent event = kTbDone;
    std::uint32_t slot = 0;  // of the TB that is done
  };
  // An event at the networks.
  struct Report {
    SmEvent event = kTbDone;
    std::uint32_t tag = 0;  // of the set-up that is answered
  };
  struct Place {
    SmId sm{};
    bool is_at_networks = false;  // else at the SM
  };

  explicit SmLinks(const spec::Spec& spec);

  bool has(SmId id) const { return linked_.has(number_of(id)); }

  // What happens next, and where; kNever: nothing.
  Cycle next() const { return due_.min_time(); }
  Place next_place() const;

  // ---- the link down
  // The cycle in which the SM has what is on the core's pins in `on_pins`.
  Cycle arrival(SmId id, Cycle on_pins) const { return on_pins + sms_[index(id)].down; }
  void send(SmId id, const SmCommand& command, Cycle on_pins);
  std::optional<SmCommand> arrived(SmId id, Cycle now);
  std::uint32_t num_contexts_coming(KsrId ksr) const;  // on their way

  // ---- the SM's end of the link up
  // It shows something from cycle `from` on; of a set-up, its answer has the tag of the last one that arrived.
  void show_tb_done(SmId id, std::uint32_t slot, Cycle from);
  void show(SmId id, SmEvent event, Cycle from);
  // That many handles, one a cycle; they are shown before kPreempted.
  void show_handles(SmId id, std::uint32_t count, Cycle from);
  // A set-up has arrived: what was not taken of the one before it, or of a preemption, is stale.
  void begin_set_up(SmId id, std::uint32_t tag);
  // The link takes what is most urgent of all that is shown in `now`.
  std::optional<Taken> take(SmId id, Cycle now);

  // ---- the networks' end of it
  // The first event, when it comes there; it stays until it is taken.
  SmEvent come(SmId id);
  // In cycle `now`. Afterwards, the event that is there in the next cycle, if there is one.
  Report take_at_networks(SmId id, Cycle now);
  std::optional<SmEvent> first(SmId id) const;

 private:
  struct Message {
    Report report;
    std::uint32_t num_handles = 0;  // instead of an event: so many handles, one a cycle from `at` on
    Cycle at = 0;                   // when the first of it leaves the link, if nothing is before it
  };
  struct Coming {
    SmCommand command;
    Cycle at = 0;
  };
  struct Sm {
    Cycle up = 0;
    Cycle down = 0;
    std::deque<Coming> coming;
    // At the SM: what it shows. Events but kPreempted are shown from a cycle that is not over.
    std::uint64_t done_slots = 0;
    std::uint8_t events = 0;
    Cycle shown_from = 0;
    std::uint32_t num_handles = 0;
    Cycle handles_from = 0;
    Cycle preempted_from = 0;
    std::uint32_t tag = 0;
    Cycle link_free_at = 0;
    // In the link, and beyond.
    std::deque<Message> going;
    Cycle networks_free_at = 0;
    bool is_first_there = false;
  };
  static std::uint32_t number_of(SmId id) { return static_cast<std::uint32_t>(index(id)); }
  static Cycle next_take(const Sm& sm);
  void schedule_sm(SmId id);
  void schedule_networks(SmId id, Cycle now);

  std::uint32_t num_sms_;
  SmSet linked_;
  EventTree due_;  // by SM: at its end, then, behind all these, at the networks
  std::vector<Sm> sms_;
};

}  // namespace tessera::tlm_model
