// SPDX-License-Identifier: Apache-2.0
// Whose commands the engines may have, where they have those of one GPU context, a channel, at a time ([K11] 2).
// Knows queues, contexts and cycles only; what it is told within a cycle may come in any order
// (docs/concepts/readings.md).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera::tlm_model {

class ChannelArbiter {
 public:
  explicit ChannelArbiter(Cycle quantum) : quantum_(quantum) {}

  // The command at the front of a queue wants an engine.
  void request(QueueId queue, ContextId context) { waiting_.emplace(queue, context); }
  // A command that was granted is done.
  void done() { --num_in_flight_; }
  // The queues whose commands go to their engines now, by number. To be asked when all requests of the cycle are known.
  std::vector<QueueId> grant(Cycle now);
  // When to ask again though nothing happens: the turn may pass on then.
  std::optional<Cycle> next_turn() const;

 private:
  bool is_waited_for() const;
  void turn_to_next(Cycle now);

  Cycle quantum_;
  std::optional<ContextId> current_;  // whose turn it is
  Cycle quantum_end_ = 0;
  std::uint32_t num_in_flight_ = 0;         // of the current one
  std::map<QueueId, ContextId> waiting_{};  // for their turn
};

}  // namespace tessera::tlm_model
