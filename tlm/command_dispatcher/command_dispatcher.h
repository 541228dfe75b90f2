// SPDX-License-Identifier: Apache-2.0
// The command dispatcher ([T14] 2.2): looks at the top of every hardware queue, issues the command to its
// engine, and does not look at that queue again until the command is done. A wait holds its queue until another queue
// has completed a given number of commands; where channels take turns, a command for an engine holds its queue until
// its channel's turn. A graph is one command: the dispatcher issues its nodes, and the queue continues when all of them
// are done. Behind a kernel that ends while one of another queue runs, the next look comes later
// (docs/concepts/shared_sms.md). Launches and copies of a context that the host holds wait at the front of their
// queues.
#pragma once

#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "model/base/ids.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/command_dispatcher/channel_arbiter.h"
#include "tlm/command_dispatcher/fetched_command.h"
#include "tlm/command_dispatcher/graph_progress.h"

namespace tessera::tlm_model {

// Where commands go.
class ICommandSink {
 public:
  // To the engines, which answer with done(). A fence needs no engine.
  virtual void launch(QueueId queue, const LaunchCommand& command) = 0;
  virtual void copy(QueueId queue, ContextId context, const CopyCommand& command) = 0;
  // Called for every command, in the cycle in which it is done.
  virtual void retire(QueueId queue, const FetchedCommand& command) = 0;
  // The outlook of the queue may have changed: an engine has got something of it, or something of it is done.
  virtual void went_on(QueueId queue) = 0;

 protected:
  ~ICommandSink() = default;
};

// Which launches of a queue wait, by its commands at the dispatcher (docs/hardware/timing.md 7.6).
struct QueueOutlook {
  bool is_decided = false;           // false: those behind them decide
  std::optional<ContextId> waiting;  // whose
};

class CommandDispatcher : public sc_core::sc_module {
 public:
  CommandDispatcher(const sc_core::sc_module_name& name, const spec::GpuSpec& gpu, std::size_t num_contexts,
                    ICommandSink& sink);

  // From the front end, in the order of the ring: a command that arrives in cycle `arrival`.
  void push(QueueId queue, const FetchedCommand& command, Cycle arrival);
  // From an engine: its command is done; for a graph, that node is done.
  void done(QueueId queue, std::uint32_t node);
  // The host restarts its count of this queue's commands at 0; those already here do not count.
  void count_anew(QueueId queue);
  // From the front end: from cycle `arrival` on none of the context's commands begins that need an engine, or they may
  // again. A graph that has begun goes on.
  void hold(ContextId context, bool is_held, Cycle arrival);
  bool is_held(ContextId context) const { return is_held_[index(context)]; }
  bool is_at_work(ContextId context) const;  // a command of it is at an engine
  std::size_t num_waiting(QueueId queue) const { return queues_[index(queue)].size(); }
  QueueOutlook outlook(QueueId queue) const;
  bool is_busy() const;

 private:
  struct Waiting {
    FetchedCommand command;
    Cycle arrival = 0;
  };
  // A look at a queue, or at a node of the graph at its front.
  struct Look {
    Cycle cycle = 0;
    QueueId queue{};
    std::uint32_t node = kNoNode;
  };
  struct Hold {
    Cycle cycle = 0;
    ContextId context{};
    bool is_held = false;
  };
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  const FetchedCommand& front(QueueId id) const { return queues_[index(id)].front().command; }
  void look();
  void look_later(QueueId id, Cycle delay = 0);
  void launch(QueueId id, const LaunchCommand& command);
  Cycle delay_behind(QueueId id, std::uint32_t node);
  void look_at(const Look& look);
  void schedule();
  void take_holds();
  void issue(QueueId id);
  void send(QueueId id);
  void begin(QueueId id, const GraphCommand& command);
  void send_node(QueueId id, std::uint32_t node);
  void end_command(QueueId id, Cycle delay = 0);
  bool is_over(const WaitCommand& wait) const;
  std::optional<QueueOutlook> outlook_of_work(QueueId id) const;
  void release(QueueId awaited);

  ICommandSink& sink_;
  CycleTime time_;
  Cycle dispatch_cycles_;
  Cycle graph_dispatch_cycles_;
  Cycle beside_others_cycles_;
  std::vector<std::deque<Waiting>> queues_;           // the front command may be in its engine
  std::vector<Look> looks_;                           // pending; by cycle, then queue, then node
  std::vector<std::optional<GraphProgress>> graphs_;  // by queue: the graph at its front
  std::vector<std::uint32_t> num_kernels_;            // by queue: those that the execution engine has
  std::uint32_t num_all_kernels_ = 0;
  std::vector<bool> is_at_work_;           // by queue: the command at its front has gone to its engine
  std::vector<std::int64_t> num_done_;     // commands of a queue, as its host counts them
  std::vector<QueueId> held_;              // by a wait at their front
  std::vector<Hold> holds_;                // on their way, by cycle
  std::vector<bool> is_held_;              // by context
  std::vector<QueueId> paused_;            // whose front belongs to a context that is held
  std::optional<ChannelArbiter> arbiter_;  // none: engines take commands of all contexts
  sc_core::sc_event look_event_;
};

}  // namespace tessera::tlm_model
