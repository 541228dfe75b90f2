// SPDX-License-Identifier: Apache-2.0
// Which contexts have launches on their way to the engine: `waiting` of a kept turn (docs/hardware/timing.md 7.6). A
// queue shows one context at most; what is at the dispatcher decides, and then what has not been fetched yet.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/base/ids.h"
#include "tlm/command_dispatcher/command_dispatcher.h"

namespace tessera::tlm_model {

class LookAhead {
 public:
  // A command in a ring, as far as it matters.
  struct Ahead {
    enum class Kind : std::uint8_t { kNothing, kLaunches, kHolds };  // a fence; a launch or graph; a copy or wait
    Kind kind = Kind::kNothing;
    ContextId context{};
  };
  struct Change {
    ContextId context{};
    bool is_waiting = false;
  };

  LookAhead(std::size_t num_queues, std::size_t num_contexts) : queues_(num_queues), num_waiting_(num_contexts, 0) {}

  // The ring of a queue: a doorbell brings commands, the first is fetched, the host empties it.
  std::size_t num_ahead(QueueId id) const { return queues_[index(id)].ahead.size(); }
  void brought(QueueId id, Ahead ahead) { queues_[index(id)].ahead.push_back(ahead); }
  void fetched(QueueId id);
  void shortened(QueueId id, std::size_t num_ahead) { queues_[index(id)].ahead.resize(num_ahead); }
  // Looks at a queue again; contexts of which launches wait now, or wait no longer. What is held is not on its way.
  std::vector<Change> update(QueueId id, const CommandDispatcher& dispatcher);

 private:
  struct Queue {
    std::deque<Ahead> ahead;  // not yet fetched
    std::optional<ContextId> shown;
  };
  static std::optional<ContextId> shown_by(const std::deque<Ahead>& ahead);

  std::vector<Queue> queues_;
  std::vector<std::uint32_t> num_waiting_;  // by context: queues that show it
};

}  // namespace tessera::tlm_model
