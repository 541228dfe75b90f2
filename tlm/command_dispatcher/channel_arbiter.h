// SPDX-License-Identifier: Apache-2.0
// Decides which GPU context's commands may go to the engines if only one context (channel) is served at a time ([K11]
// 2). The result does not depend on the order of calls within a cycle (docs/concepts/readings.md).
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
  // A granted command is done.
  void done() { --num_in_flight_; }
  // The queues whose commands go to their engines now, by number. Call it once all requests of the cycle are known.
  std::vector<QueueId> grant(Cycle now);
  // When to call grant() again even if nothing else happens: the turn may pass on then.
  std::optional<Cycle> next_turn() const;

 private:
  bool is_waited_for() const;
  void turn_to_next(Cycle now);

  Cycle quantum_;
  std::optional<ContextId> current_;  // whose turn it is
  Cycle quantum_end_ = 0;
  std::uint32_t num_in_flight_ = 0;         // commands of the current context
  std::map<QueueId, ContextId> waiting_{};  // for their turn
};

}  // namespace tessera::tlm_model
