// SPDX-License-Identifier: Apache-2.0
// Saves or restores contexts of some of an SM's thread blocks while the others keep running. Each batch waits for its
// turn, drains the pipeline, enters the trap, and moves.
#pragma once

#include <optional>

#include "tlm/execution_engine/shared_sm/shared_sms.h"

namespace tessera::tlm_model {

class MoveQueue final : private IMoveTimer {
 public:
  MoveQueue(SmParts& parts, SharedSms& sms);

  // Adds a batch of one kernel's TBs to the SM's queue.
  void add_save(SmId id, std::uint64_t slots, Cycle now);
  void add_restore(SmId id, std::uint64_t slots, Cycle last_handle);
  // A TB that was to be saved has finished.
  void forget(SmId id, std::uint32_t slot);

  // Advances every batch of the SM as far as possible in this cycle until one is over, and returns that batch with the
  // bytes it moved; empty: none is over. Call it again after each result, since handling a finished batch may change
  // the queue.
  struct Over {
    QueuedMove batch;
    std::uint64_t bytes = 0;
  };
  std::optional<Over> step(SmId id, Cycle now);

  // Cycles until a batch is over if nothing else intervenes; contexts move at the SM's share of the bandwidth.
  Cycle remaining(const QueuedMove& batch, Cycle now) const;
  Cycle moving_cycles(const QueuedMove& batch) const;

 private:
  void move_will_end(SmId id, Cycle end) override;
  bool step(SmId id, QueuedMove& batch, Cycle now);  // false: the batch is over
  void start(SmId id, QueuedMove& batch, Cycle now);

  const spec::Spec& spec_;
  SmArray& array_;
  SharedSms& sms_;
};

}  // namespace tessera::tlm_model
