// SPDX-License-Identifier: Apache-2.0
// The port bundle behind which every policy engine stands. The search unit walks the tables and shows each row once;
// an engine compares, keeps the best in its registers, and says at the end of a walk what it wants.
#pragma once

#include <cstdint>

#include "rtl_model/base/signal_sink.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/tables/command_buffers.h"

namespace tessera::rtl_model {

// A kernel as it passes in the first walk, in the order of the active queue.
struct KernelRow {
  std::uint32_t ksr = 0;
  std::uint32_t context = 0;
  std::uint32_t priority = 0;
  std::int32_t tokens_left = 0;  // negative: in debt
  bool is_uncovered = false;     // has TBs that no slot waits for
  bool holds_sm = false;         // owns one that is not reserved, or has one reserved for it
};

// The kernel that an SM counts against, as the SM passes in the second walk.
struct VictimRow {
  std::uint32_t ksr = 0;
  std::uint32_t context = 0;
  std::uint32_t priority = 0;
};

// The kernel that an engine would give an SM to when the first walk is over.
struct Candidate {
  std::uint32_t ksr = kNone;  // kNone: the decision ends
  bool takes_idle = false;    // an idle SM
  bool takes_away = false;    // else one that another kernel counts: a second walk looks for it
};

// Fields of the policy control register that an engine looks at.
struct PolicyMode {
  bool is_exclusive = false;    // access: only the highest priority, or the context in turn, gets SMs
  bool empties_engine = false;  // exclusive scope, all: ppq takes the others' SMs even if it needs none
};

class IPolicyEngine {
 public:
  virtual ~IPolicyEngine() = default;

  // The control register selects this policy: its state starts afresh.
  virtual void select(const PolicyMode& mode) { (void)mode; }

  // Which waiting command enters the active queue first, and whether only beside kernels of its own context.
  virtual CommandOrder command_order() const = 0;
  virtual bool is_one_context_at_a_time() const { return false; }

  // First walk: it starts; a row passes (several a cycle where the search is wider); it is over, this cycle's rows
  // included.
  virtual void start_walk() = 0;
  virtual void show(const KernelRow& row) = 0;
  virtual Candidate candidate() const = 0;
  virtual void end_walk() {}
  // Second walk: may the SM be taken for the candidate, and which is taken first (the lowest rank)?
  virtual bool is_victim(const VictimRow&) const { return false; }
  virtual std::uint32_t victim_rank(const VictimRow&) const { return 0; }

  // The slice timer ticks.
  virtual void tick() {}
  virtual bool wants_timer() const { return false; }

  virtual void seq() = 0;

  virtual void list_signals(ISignalSink& signals) const = 0;
};

}  // namespace tessera::rtl_model
