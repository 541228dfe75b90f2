// SPDX-License-Identifier: Apache-2.0
// The search unit: a counter that walks KSRT and SMST, `search_width` entries a step, and shows them to the policy
// engine. It also lets waiting kernels into the active queue, and distributes tokens anew when the policy changes.
#pragma once

#include <array>
#include <memory>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/policy/policy_ports.h"
#include "rtl_model/tables/active_queue.h"
#include "rtl_model/tables/command_buffers.h"
#include "rtl_model/tables/context_table.h"
#include "rtl_model/tables/ksrt.h"
#include "rtl_model/tables/smst.h"

namespace tessera::rtl_model {

// The tables that the scheduler's units share.
struct Tables {
  explicit Tables(const Params& params)
      : command_buffers("u_command_buffers", params),
        active_queue("u_active_queue", params),
        ksrt("u_ksrt", params),
        smst("u_smst", params),
        context_table("u_context_table", params) {}

  CommandBuffers command_buffers;
  ActiveQueue active_queue;
  Ksrt ksrt;
  Smst smst;
  ContextTable context_table;
};

class Search final : public ClockedModule {
 public:
  Search(const sc_core::sc_module_name& name, const Params& params, Tables& tables);

  // What the policy decided in this cycle. It is carried out unless a control write comes in the same cycle.
  struct Move {
    bool valid = false;
    MoveKind kind = MoveKind::kAssign;
    std::uint32_t sm = 0;
    std::uint32_t ksr = 0;
  };

  // 1. The walk of this cycle, and what it ends with. A function of registers.
  void walk();
  const Move& move() const { return move_; }
  bool is_distributing() const { return q_.state == State::kDistribute; }
  // Of a pipelined search: what is found good in this cycle has to be so still in the next.
  bool is_checking() const { return q_.state == State::kSettle && q_.cycle == kCheckingCycle; }

  // 2. With this cycle's inputs known: events that want a decision, a control write, a tick.
  struct Inputs {
    bool invoke = false;
    bool control_write = false;
    bool policy_write = false;
    std::uint32_t policy_data = 0;
    bool tick = false;
    bool kernel_finished = false;
    std::int32_t pool_step = 0;  // tokens that come back to the pool
  };
  void comb(const Inputs& inputs, EventPins& events);

  void seq() override;

  bool is_idle() const { return q_.state == State::kIdle; }
  // Core cycles that do nothing but walk: nothing comes of them, and they end before the walk's last.
  Cycle cycles_of_mere_walk() const;
  // That many cycles at once, while nothing else happens.
  void walk_on(Cycle cycles);
  bool wants_timer() const;
  bool is_draining() const { return q_.is_draining; }          // the technique for preemptions from now on
  bool is_budget_by_process() const { return q_.by_process; }  // token scope
  std::uint32_t pool() const { return q_.pool; }
  std::uint32_t policy() const;  // bits 6:0 of the control register
  void list_signals(ISignalSink& signals) const override;

 private:
  // kSettle: of a pipelined search, from the last rows of a walk to its outcome.
  enum class State : std::uint8_t { kIdle, kBegin, kActivate, kWalk, kDistribute, kSettle };
  static constexpr std::uint32_t kCheckingCycle = 1;  // of kSettle: the rows have been compared
  // How a walk or an activation ended; kGoesOn within one.
  enum class Outcome : std::uint8_t { kGoesOn, kActivates, kMoves, kLooksForVictim, kRepeats, kEnds };

  struct Victim {
    bool valid = false;
    bool is_running = false;  // reserved ones go first
    std::uint32_t rank = 0;
    std::uint32_t sm = 0;
    std::uint32_t claimant = 0;
  };
  struct Registers {
    State state = State::kIdle;
    bool is_second = false;   // of the two walks
    std::uint32_t step = 0;   // of the walk, or cycle of the activation, or position of the distribution
    std::uint32_t cycle = 0;  // of the step, or since the last rows passed
    bool pending = false;     // an event since the walk began
    bool tick_waits = false;  // the slice timer has ticked since then
    std::uint32_t idle_sm = kNone;
    Candidate candidate;
    bool is_candidate_good = false;  // the checks of a pipelined search
    bool is_victim_as_seen = false;
    Victim victim;
    std::uint32_t command = kNone;  // of a pipelined search: selected in the last cycle
    std::uint32_t pool = 0;         // remaining tokens that nobody has
    std::uint32_t policy = 0;
    bool is_draining = false;
    bool by_process = false;
    PolicyMode mode;
  };

  IPolicyEngine& engine() { return *engines_[q_.policy]; }
  const IPolicyEngine& engine() const { return *engines_[q_.policy]; }
  void select_policy(std::uint32_t data);
  std::uint32_t command_to_activate() const;
  void walk_to_activation();
  void show_rows();
  void walk_kernels();
  void walk_victims();
  void walk_sms();
  Outcome end_of_first_walk();
  Outcome end_of_second_walk();
  void check();
  bool is_candidate_still_good() const;
  bool is_victim_still_as_seen() const;
  KernelRow kernel_row(std::uint32_t ksr) const;
  void conclude(const Inputs& inputs, EventPins& events);
  void conclude(Outcome outcome, EventPins& events);
  void count();
  void begin();
  void activate(EventPins& events);
  void start_distribution();
  void distribute();
  // A kernel's budget when it becomes active, or when the policy changes.
  struct Budget {
    std::uint32_t tokens = 0;
    bool takes_from_pool = false;
  };
  Budget budget_for(std::uint32_t context, bool is_first_of_context, std::uint32_t pool) const;
  void take_from_pool(std::uint32_t context, const Budget& budget);

  const Params& params_;
  Tables& tables_;
  std::array<std::unique_ptr<IPolicyEngine>, 5> engines_;  // by spec::PolicyKind
  Registers d_, q_;
  bool is_touched_ = true;  // while idle: an input changes a register
  Outcome outcome_ = Outcome::kGoesOn;
  Move move_;
};

}  // namespace tessera::rtl_model
