// SPDX-License-Identifier: Apache-2.0
// What a scheduling policy is: it reads the tables and names one move at a time ([T14] 3.3). It knows nothing
// of preemption techniques; the engine charges the search cycles of every step and carries the move out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/policy/i_victim_port.h"
#include "model/policy/scheduling_tables.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::policy {

enum class Action : std::uint8_t {
  kNone,      // nothing to do: the invocation ends
  kPass,      // nothing here, but another step may find something elsewhere
  kAssign,    // idle `sm` goes to `kernel`
  kReserve,   // running `sm` is preempted for `kernel`
  kRetarget,  // reserved `sm` goes to `kernel` instead
};

struct Decision {
  Action action = Action::kNone;
  SmId sm = kNoSm;
  KsrId kernel = kNoKsr;
  std::uint32_t searches = 1;  // walks over the tables it took to find this move
};

// Contract: every call is a function of the tables and of the calls before it, in cycle order. `step` is called
// again after each move, and after kPass, until it returns kNone; each move brings it nearer to that (no move is undone
// by the next). Ties go to the lowest SM and the earliest active-queue entry (docs/concepts/readings.md, Ties).
class IPolicy {
 public:
  virtual ~IPolicy() = default;

  // The command buffer whose kernel shall enter the active queue now; kNoCommandBuffer: none. Called only while a
  // KSR is free.
  virtual CommandBufferId select_command(const SchedulingTables& tables) const = 0;
  // The searches of a step begin: what they are about is settled now. `step` says what they have found when they end,
  // and may be asked more than once.
  virtual void begin_step(const SchedulingTables&) {}
  virtual Decision step(const SchedulingTables& tables) = 0;

  // All that a step may find now, if only the tables are known and not the calls before: for who judges a log.
  virtual std::vector<Decision> possible_steps(const SchedulingTables& tables) { return {step(tables)}; }

  // A kernel's token budget when it enters the active queue (or is active when the policy takes over), and what
  // becomes of it when it finishes.
  virtual std::int32_t take_tokens(ContextId) { return 0; }
  virtual void return_tokens(const SchedulingTables&, KsrId) {}
  // The OS writes a context's budget: it holds for kernels that enter later.
  virtual void set_tokens(ContextId, std::int32_t) {}

  // A policy that wants a periodic timer now; `on_timer` is followed by an invocation.
  virtual bool wants_timer(const SchedulingTables&) const { return false; }
  virtual void on_timer(const SchedulingTables&) {}

  // What the engine's invariants hold the policy to, by its definition alone and not by `step`.
  // May an idle SM go to this kernel, if it has uncovered TBs?
  virtual bool may_use_idle_sm(const SchedulingTables&, KsrId) const { return true; }
  // With nothing left to do: do SMs idle by `debt` though a kernel needs one?
  virtual bool withholds_idle_sms(const SchedulingTables&) const { return false; }
  // Does a kernel with uncovered TBs and a budget hold an SM, if the budgets of all active kernels fit the machine?
  virtual bool owes_an_sm_to_budgets() const { return false; }
};

// What a policy is made from. `tokens[context]` is set where the OS overrides equal sharing.
struct PolicyConfig {
  spec::SchedulerSpec scheduler;
  std::uint32_t num_sms = 0;
  std::uint32_t num_processes = 0;
  std::vector<std::optional<std::uint32_t>> tokens;
  const IVictimPort* victims = nullptr;  // of the technique, if it has one; else the lowest SM is taken
};

// A file of a policy defines `std::unique_ptr<IPolicy> make_<name>(const PolicyConfig&)`, with the name in
// policies.def.
std::unique_ptr<IPolicy> make_policy(const PolicyConfig& config);

}  // namespace tessera::policy
