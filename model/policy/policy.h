// SPDX-License-Identifier: Apache-2.0
// Interface of a scheduling policy: it reads the tables and names one move at a time ([T14] 3.3). It is independent of
// preemption techniques; the engine charges the search cycles of every step and carries out the move.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "model/policy/i_victim_port.h"
#include "model/policy/scheduling_tables.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::policy {

struct SeenTurn;  // kept_turn.h

enum class Action : std::uint8_t {
  kNone,      // nothing to do: the invocation ends
  kPass,      // nothing here, but another step may find a move elsewhere
  kAssign,    // idle `sm` goes to `kernel`, and with it all others that it needs and may have
  kReserve,   // running `sm` is preempted for `kernel`
  kRetarget,  // reserved `sm` goes to `kernel` instead
};

struct Decision {
  Action action = Action::kNone;
  SmId sm = kNoSm;
  KsrId kernel = kNoKsr;
  std::uint32_t limit = std::numeric_limits<std::uint32_t>::max();  // of an assign: it gives no more SMs
  // Of a move that takes an SM: the kernel that it is taken from; kNoKsr: the SM is foreign, and whoever has it loses
  // it.
  KsrId victim = kNoKsr;
  bool is_needed = true;  // `kernel` has TBs that wait for an SM; else SMs are taken all the same

  bool takes_sm() const { return action == Action::kReserve || action == Action::kRetarget; }
};

// Contract: every call is a function of the tables and of the earlier calls, in cycle order. `step` is called again
// after each move, and after kPass, until it returns kNone; the moves must converge (none is undone by the next). An
// assign gives SMs until the kernel needs no more: `limit` is less where another kernel would get the next one. Ties go
// to the lowest SM and the earliest active-queue entry (docs/concepts/readings.md, Ties).
class IPolicy {
 public:
  virtual ~IPolicy() = default;

  // The command buffer whose kernel enters the active queue now; kNoCommandBuffer: none. Called only while a KSR is
  // free.
  virtual CommandBufferId select_command(const SchedulingTables& tables) const = 0;
  // The search of a step begins, which fixes its scope. `step` returns its result when it ends and may be called more
  // than once.
  virtual void begin_step(const SchedulingTables&) {}
  virtual Decision step(const SchedulingTables& tables) = 0;

  // All moves that a step could find if only the tables are known and not the earlier calls; for checks of a log.
  virtual std::vector<Decision> possible_steps(const SchedulingTables& tables) { return {step(tables)}; }

  // A kernel takes its token budget when it enters the active queue (or is active when the policy takes over), and
  // returns it when it finishes.
  virtual std::int32_t take_tokens(ContextId) { return 0; }
  virtual void return_tokens(const SchedulingTables&, KsrId) {}
  // The OS writes a context's budget, which applies to kernels that enter later.
  virtual void set_tokens(ContextId, std::int32_t) {}

  // Whether the policy wants a periodic timer now; `on_timer` is followed by an invocation.
  virtual bool wants_timer(const SchedulingTables&) const { return false; }
  virtual void on_timer(const SchedulingTables&) {}

  // What the engine's invariants check; derived from the policy's definition, not from `step`.
  // Whether an idle SM may go to this kernel if it has unmet demand.
  virtual bool may_use_idle_sm(const SchedulingTables&, KsrId) const { return true; }
  // With no move left: whether SMs stay idle because of `debt` although a kernel needs one.
  virtual bool withholds_idle_sms(const SchedulingTables&) const { return false; }
  // Whether every kernel with unmet demand and a budget must hold an SM if the budgets of all active kernels fit the
  // machine.
  virtual bool owes_an_sm_to_budgets() const { return false; }
};

// Parameters of a policy. `tokens[context]` is set if the OS overrides equal sharing.
struct PolicyConfig {
  spec::SchedulerSpec scheduler;
  std::uint32_t num_sms = 0;
  std::uint32_t num_processes = 0;
  std::vector<std::optional<std::uint32_t>> tokens;
  const IVictimPort* victims = nullptr;  // the technique's; null: the lowest SM is taken
  const SeenTurn* turn = nullptr;        // time_slice with a kept turn: as it is at every call; null: it is passed
};

// Each policy's source file defines `std::unique_ptr<IPolicy> make_<name>(const PolicyConfig&)`, with the name from
// policies.def.
std::unique_ptr<IPolicy> make_policy(const PolicyConfig& config);

}  // namespace tessera::policy
