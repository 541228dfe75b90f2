// SPDX-License-Identifier: Apache-2.0
// The SM driver ([T14] Figure 3) as the scheduler and the event loop see it: it sets SMs up, issues thread blocks,
// preempted ones first, and carries preemption out. `framework.engine` and the technique determine which implementation
// a machine has.
#pragma once

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/policy/i_victim_port.h"
#include "model/policy/kept_turn.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::tlm_model {

class ISmDriver {
 public:
  virtual ~ISmDriver() = default;

  // ---- commands from the scheduler
  virtual void set_scheduler(const spec::SchedulerSpec& scheduler) = 0;  // for later preemptions
  // A decision begins, and its moves count as wanted from then on; it is over, and no more moves follow.
  virtual void decision_began(Cycle at) = 0;
  virtual void decision_over(Cycle now) = 0;
  virtual void kernel_activated(KsrId ksr) = 0;
  virtual void assign(SmId sm, KsrId ksr, Cycle now) = 0;
  virtual void reserve(SmId sm, KsrId next, Cycle now) = 0;
  virtual void retarget(SmId sm, KsrId next, Cycle now) = 0;
  // A kept turn was looked at, and this is what is seen of it now.
  virtual void turn_seen(const policy::SeenTurn&, Cycle) {}
  // All SMs are to be emptied in this way, for nobody: their context has lost its turn.
  virtual void evict(spec::TechniqueKind how, Cycle now) = 0;

  // ---- events, in cycle order
  // TBs that end before `before`, up to and including the first that needs more than a refill.
  virtual void run_ends(Cycle before) = 0;
  virtual void timer_fired(SmId sm, Cycle now) = 0;
  // The next issue cycle of breadth-first filling; kNever: none.
  virtual Cycle next_issue() const = 0;
  virtual void issue_due(Cycle now) = 0;

  virtual bool is_any_sm_changing_hands() const = 0;  // reserved, in set-up or restoring
  virtual bool is_any_sm_used() const = 0;
  // Contexts of the kernel that are neither on an SM nor in its PTBQ.
  virtual std::uint32_t num_contexts_away(KsrId) const { return 0; }
  // Null: the policy chooses victims itself.
  virtual const policy::IVictimPort* victim_port() const = 0;
};

}  // namespace tessera::tlm_model
