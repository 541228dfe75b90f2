// SPDX-License-Identifier: Apache-2.0
// Contexts of some of an SM's thread blocks go out, or come in, while others run on: each batch waits for its turn,
// drains the pipeline, enters the trap, and moves.
#pragma once

#include <optional>

#include "tlm/execution_engine/shared_sm/shared_sms.h"

namespace tessera::tlm_model {

class MoveQueue final : private IMoveTimer {
 public:
  MoveQueue(SmParts& parts, SharedSms& sms);

  // A batch of one kernel's TBs joins the SM's queue.
  void add_save(SmId id, std::uint64_t slots, Cycle now);
  void add_restore(SmId id, std::uint64_t slots, Cycle last_handle);
  // A TB has finished that was to be saved.
  void forget(SmId id, std::uint32_t slot);

  // Takes every batch of the SM as far as it gets in this cycle, until one is over: what it moved. What follows from
  // that may add to the queue, or take from it, so that the caller asks again; nothing: none is over.
  struct Over {
    QueuedMove batch;
    std::uint64_t bytes = 0;
  };
  std::optional<Over> step(SmId id, Cycle now);

  // Cycles until a batch is over, if nothing else comes in between; of contexts on their way, at the SM's share of the
  // bandwidth.
  Cycle remaining(const QueuedMove& batch, Cycle now) const;
  Cycle moving_cycles(const QueuedMove& batch) const;

 private:
  void move_will_end(SmId id, Cycle end) override;
  bool step(SmId id, QueuedMove& batch, Cycle now);  // false: it is over
  void start(SmId id, QueuedMove& batch, Cycle now);

  const spec::Spec& spec_;
  SmArray& array_;
  SharedSms& sms_;
};

}  // namespace tessera::tlm_model
