// SPDX-License-Identifier: Apache-2.0
// One look per queue and command, `dispatch_cycles` after the command arrived or its predecessor was done; per node of
// a graph, `graph_dispatch_cycles` after the last of those ahead of it was done.
#include "tlm/command_dispatcher/command_dispatcher.h"

#include <algorithm>
#include <tuple>

#include "model/base/overloaded.h"
#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {
namespace {

bool needs_engine(const FetchedCommand& command) {
  return !std::holds_alternative<FenceCommand>(command.what) && !std::holds_alternative<WaitCommand>(command.what);
}

}  // namespace

CommandDispatcher::CommandDispatcher(const sc_core::sc_module_name& name, const spec::GpuSpec& gpu,
                                     std::size_t num_contexts, ICommandSink& sink)
    : sc_module(name),
      sink_(sink),
      time_(gpu.clock_hz),
      dispatch_cycles_(gpu.framework.dispatch_cycles),
      graph_dispatch_cycles_(gpu.framework.graph_dispatch()),
      beside_others_cycles_(gpu.framework.beside_others_cycles),
      queues_(gpu.num_hardware_queues),
      graphs_(gpu.num_hardware_queues),
      num_kernels_(gpu.num_hardware_queues),
      is_at_work_(gpu.num_hardware_queues, false),
      num_done_(gpu.num_hardware_queues, 0),
      is_held_(num_contexts) {
  if (gpu.framework.channels == spec::Channels::kOne) {
    arbiter_.emplace(std::max<Cycle>(1, time_.clock().cycles_in(gpu.framework.channel_quantum)));
  }
  SC_HAS_PROCESS(CommandDispatcher);
  SC_METHOD(look);
  sensitive << look_event_;
  dont_initialize();
}

void CommandDispatcher::push(QueueId id, const FetchedCommand& command, Cycle arrival) {
  queues_[index(id)].push_back({command, arrival});
  if (queues_[index(id)].size() == 1) look_later(id);
}

void CommandDispatcher::done(QueueId id, std::uint32_t node) {
  std::optional<GraphProgress>& graph = graphs_[index(id)];
  const Cycle delay = delay_behind(id, node);
  if (graph) {
    const Cycle next_look = time_.now() + graph_dispatch_cycles_ + delay;
    for (const std::uint32_t next : graph->done(node)) look_at({next_look, id, next});
    if (!graph->is_over()) return sink_.went_on(id);
    graph.reset();
  }
  end_command(id, delay);
}

// Of what has just been done: how much later its successor is looked at, since kernels of other queues run.
Cycle CommandDispatcher::delay_behind(QueueId id, std::uint32_t node) {
  const std::optional<GraphProgress>& graph = graphs_[index(id)];
  const bool is_kernel = graph ? std::holds_alternative<LaunchCommand>(graph->node(node))
                               : std::holds_alternative<LaunchCommand>(front(id).what);
  if (!is_kernel) return 0;
  --num_kernels_[index(id)];
  --num_all_kernels_;
  return num_all_kernels_ > num_kernels_[index(id)] ? beside_others_cycles_ : 0;
}

void CommandDispatcher::end_command(QueueId id, Cycle delay) {
  std::deque<Waiting>& queue = queues_[index(id)];
  const FetchedCommand command = queue.front().command;
  queue.pop_front();
  is_at_work_[index(id)] = false;
  if (arbiter_ && needs_engine(command)) {
    arbiter_->done();
    look_event_.notify(sc_core::SC_ZERO_TIME);  // the turn may pass in this cycle, once the engine has said all of it
  }
  if (!queue.empty()) look_later(id, delay);
  ++num_done_[index(id)];
  sink_.retire(id, command);
  sink_.went_on(id);
  if (!held_.empty()) release(id);
}

void CommandDispatcher::count_anew(QueueId id) {
  num_done_[index(id)] = -static_cast<std::int64_t>(queues_[index(id)].size());
}

bool CommandDispatcher::is_busy() const {
  return std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return !queue.empty(); });
}

void CommandDispatcher::hold(ContextId context, bool is_held, Cycle arrival) {
  holds_.push_back({arrival, context, is_held});
  schedule();
}

bool CommandDispatcher::is_at_work(ContextId context) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (is_at_work_[i] && queues_[i].front().command.context == context) return true;
  }
  return false;
}

// Writes of one register arrive in the order in which they were sent.
void CommandDispatcher::take_holds() {
  while (!holds_.empty() && holds_.front().cycle <= time_.now()) {
    const Hold hold = holds_.front();
    holds_.erase(holds_.begin());
    if (is_held(hold.context) == hold.is_held) continue;
    is_held_[index(hold.context)] = hold.is_held;
    for (std::size_t i = 0; i < queues_.size(); ++i) sink_.went_on(QueueId(i));
    if (hold.is_held) continue;
    const auto first_released = std::stable_partition(paused_.begin(), paused_.end(),
                                                      [&](QueueId id) { return front(id).context != hold.context; });
    const std::vector<QueueId> released(first_released, paused_.end());
    paused_.erase(first_released, paused_.end());
    for (const QueueId id : released) issue(id);
  }
}

void CommandDispatcher::look_later(QueueId id, Cycle delay) {
  look_at({std::max(time_.now(), queues_[index(id)].front().arrival) + dispatch_cycles_ + delay, id});
}

void CommandDispatcher::look_at(const Look& look) {
  const auto later = [](const Look& a, const Look& b) {
    return std::tuple(a.cycle, index(a.queue), a.node) < std::tuple(b.cycle, index(b.queue), b.node);
  };
  looks_.insert(std::upper_bound(looks_.begin(), looks_.end(), look, later), look);
  schedule();
}

void CommandDispatcher::schedule() {
  if (!looks_.empty()) look_event_.notify(time_.until(looks_.front().cycle));
  if (!holds_.empty()) look_event_.notify(time_.until(holds_.front().cycle));
  const std::optional<Cycle> turn = arbiter_ ? arbiter_->next_turn() : std::nullopt;
  if (turn) look_event_.notify(time_.until(*turn));
}

void CommandDispatcher::look() {
  // 1. Who may go on, and who may not.
  take_holds();
  // 2. What comes to the front in this cycle.
  while (!looks_.empty() && looks_.front().cycle <= time_.now()) {
    const Look look = looks_.front();
    looks_.erase(looks_.begin());
    if (look.node == kNoNode) {
      issue(look.queue);
    } else {
      send_node(look.queue, look.node);
      sink_.went_on(look.queue);
    }
  }
  // 3. Whose turn it is, now that all who ask in this cycle are known.
  if (arbiter_) {
    for (const QueueId id : arbiter_->grant(time_.now())) send(id);
  }
  schedule();
}

void CommandDispatcher::issue(QueueId id) {
  const FetchedCommand& command = front(id);
  if (needs_engine(command)) {
    if (is_held_[index(command.context)]) return paused_.push_back(id);
    if (!arbiter_) return send(id);
    return arbiter_->request(id, command.context);
  }
  const auto* const wait = std::get_if<WaitCommand>(&command.what);
  if (wait == nullptr || is_over(*wait)) return end_command(id);
  held_.push_back(id);
}

// Of those that need an engine.
void CommandDispatcher::send(QueueId id) {
  const FetchedCommand& command = front(id);
  is_at_work_[index(id)] = true;
  std::visit(Overloaded{[&](const LaunchCommand& work) { launch(id, work); },
                        [&](const CopyCommand& work) { sink_.copy(id, command.context, work); },
                        [&](const GraphCommand& work) { begin(id, work); }, [](const WaitCommand&) {},
                        [](const FenceCommand&) {}},
             command.what);
  sink_.went_on(id);
}

void CommandDispatcher::launch(QueueId id, const LaunchCommand& command) {
  ++num_kernels_[index(id)];
  ++num_all_kernels_;
  sink_.launch(id, command);
}

void CommandDispatcher::begin(QueueId id, const GraphCommand& command) {
  const GraphProgress& graph = graphs_[index(id)].emplace(command.graph);
  for (const std::uint32_t root : graph.roots()) send_node(id, root);
}

void CommandDispatcher::send_node(QueueId id, std::uint32_t node) {
  graphs_[index(id)]->sent(node);
  std::visit(Overloaded{[&](const LaunchCommand& work) { launch(id, work); },
                        [&](const CopyCommand& work) { sink_.copy(id, front(id).context, work); }},
             graphs_[index(id)]->node(node));
}

// ---- what waits ----------------------------------------------------------------------------------------------

QueueOutlook CommandDispatcher::outlook(QueueId id) const {
  const std::deque<Waiting>& queue = queues_[index(id)];
  const bool has_work = !queue.empty() && is_at_work_[index(id)];
  if (has_work) {
    if (const auto decided = outlook_of_work(id)) return *decided;
  }
  for (auto it = queue.begin() + (has_work ? 1 : 0); it != queue.end(); ++it) {
    const FetchedCommand& command = it->command;
    if (std::holds_alternative<FenceCommand>(command.what)) continue;
    const auto* const graph = std::get_if<GraphCommand>(&command.what);
    const bool launches = std::holds_alternative<LaunchCommand>(command.what) ||
                          (graph != nullptr && GraphProgress::begins_with_launch(*graph->graph));
    const bool waits = launches && !is_held(command.context);
    return {true, waits ? std::optional(command.context) : std::nullopt};
  }
  return {};
}

// Nothing: the command at work leaves it to the one behind it.
std::optional<QueueOutlook> CommandDispatcher::outlook_of_work(QueueId id) const {
  const FetchedCommand& command = front(id);
  if (std::holds_alternative<LaunchCommand>(command.what)) return std::nullopt;
  const std::optional<GraphProgress>& graph = graphs_[index(id)];
  if (!graph || !graph->has_launch_at_work()) return QueueOutlook{true, std::nullopt};  // a copy, or its like
  if (!graph->has_launch_to_send()) return std::nullopt;
  return QueueOutlook{true, command.context};
}

bool CommandDispatcher::is_over(const WaitCommand& wait) const {
  const std::int64_t done = num_done_[index(wait.awaited)];
  return done >= 0 && static_cast<std::uint64_t>(done) >= wait.awaited_commands;
}

// Queues whose waits are over go on, in this same cycle; one may release another.
void CommandDispatcher::release(QueueId awaited) {
  const auto is_held = [&](QueueId id) {
    const auto& wait = std::get<WaitCommand>(front(id).what);
    return wait.awaited != awaited || !is_over(wait);
  };
  const auto first_released = std::stable_partition(held_.begin(), held_.end(), is_held);
  const std::vector<QueueId> released(first_released, held_.end());
  held_.erase(first_released, held_.end());
  for (const QueueId id : released) end_command(id);
}

}  // namespace tessera::tlm_model
