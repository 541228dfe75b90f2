// SPDX-License-Identifier: Apache-2.0
// The command dispatcher ([T14] 2.2): looks at the top of every hardware queue, issues the command to its
// engine, and does not look at that queue again until the command is done. A wait holds its queue until another queue
// has completed a given number of commands; where channels take turns, a command for an engine holds its queue until
// its channel's turn. A graph is one command: the dispatcher issues its nodes, and the queue continues when all of them
// are done.
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

 protected:
  ~ICommandSink() = default;
};

class CommandDispatcher : public sc_core::sc_module {
 public:
  CommandDispatcher(const sc_core::sc_module_name& name, const spec::GpuSpec& gpu, ICommandSink& sink);

  // From the front end, in the order of the ring: a command that arrives in cycle `arrival`.
  void push(QueueId queue, const FetchedCommand& command, Cycle arrival);
  // From an engine: its command is done; for a graph, that node is done.
  void done(QueueId queue, std::uint32_t node);
  // The host restarts its count of this queue's commands at 0; those already here do not count.
  void count_anew(QueueId queue);
  std::size_t num_waiting(QueueId queue) const { return queues_[index(queue)].size(); }
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
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  const FetchedCommand& front(QueueId id) const { return queues_[index(id)].front().command; }
  void look();
  void look_later(QueueId id);
  void look_at(const Look& look);
  void schedule();
  void issue(QueueId id);
  void send(QueueId id);
  void begin(QueueId id, const GraphCommand& command);
  void send_node(QueueId id, std::uint32_t node);
  void end_command(QueueId id);
  bool is_over(const WaitCommand& wait) const;
  void release(QueueId awaited);

  ICommandSink& sink_;
  CycleTime time_;
  Cycle dispatch_cycles_;
  Cycle graph_dispatch_cycles_;
  std::vector<std::deque<Waiting>> queues_;           // the front command may be in its engine
  std::vector<Look> looks_;                           // pending; by cycle, then queue, then node
  std::vector<std::optional<GraphProgress>> graphs_;  // by queue: the graph at its front
  std::vector<std::int64_t> num_done_;                // commands of a queue, as its host counts them
  std::vector<QueueId> held_;                         // by a wait at their front
  std::optional<ChannelArbiter> arbiter_;             // none: engines take commands of all contexts
  sc_core::sc_event look_event_;
};

}  // namespace tessera::tlm_model
