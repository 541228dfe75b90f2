// SPDX-License-Identifier: Apache-2.0
// What an execution engine is to the rest of the GPU, whatever is inside: messages go in, kernels get done, and time
// is a number of GPU cycles. Transaction-level, clocked and Verilated engines stand behind it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/cooperative/loop_program.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

struct EngineMessage;  // engine_message.h

// What the engine sends: a kernel of that hardware queue is done, of a graph the one of that node.
struct KernelDone {
  QueueId queue{};
  Cycle cycle = 0;
  std::uint32_t node = 0;
};

// What the loops of an event-driven kernel ask of the host, and what it is told when the kernel has left the GPU.
struct LoopRequest {
  enum class Kind : std::uint8_t { kIo, kKernelLeft };
  Kind kind = Kind::kIo;
  Cycle cycle = 0;
  ContextId context{};
  std::uint32_t tb = 0;          // kIo
  cooperative::Step io{};        // kIo
  std::uint32_t loops_left = 0;  // kKernelLeft: that are not done
};

// The host's side of event-driven kernels.
class ILoopHost {
 public:
  // At the SystemC time of its cycle.
  virtual void request(const LoopRequest& request) = 0;

 protected:
  ~ILoopHost() = default;
};

class IExecutionCore {
 public:
  virtual ~IExecutionCore() = default;

  // Stamps are not before the last cycle that was processed.
  virtual void send(const EngineMessage& message) = 0;

  // The next cycle in which something happens by itself; kNever: nothing until a message comes.
  virtual Cycle next_event() const = 0;
  // Processes everything before `limit`, except that it ends with the first cycle in which a kernel finished:
  // the answer may already come in the next; or a loop asked for something. Those kernels are in done(), those
  // requests in loop_requests(), both in order, until the caller takes them.
  virtual void run_until(Cycle limit) = 0;
  const std::vector<KernelDone>& done() const { return done_; }
  const std::vector<LoopRequest>& loop_requests() const { return loop_requests_; }
  std::vector<KernelDone> take_done() { return std::exchange(done_, {}); }
  std::vector<LoopRequest> take_loop_requests() { return std::exchange(loop_requests_, {}); }

  // The last cycle in which something happened.
  virtual Cycle now() const = 0;
  // The simulation ends: nothing from `end` on has happened. After now().
  virtual void finish(Cycle end) = 0;

  virtual record::InvariantMonitor& monitor() = 0;
  // Of the table of policies: it is sent none that this core does not have.
  virtual spec::Cores which() const = 0;
  // SM cycles that a context has used before `now`, which is not before the last cycle that was processed.
  virtual std::uint64_t sm_cycles(ContextId context, Cycle now) const = 0;

 protected:
  std::vector<KernelDone> done_;
  std::vector<LoopRequest> loop_requests_;
};

}  // namespace tessera::tlm_model
