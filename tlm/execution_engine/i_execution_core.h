// SPDX-License-Identifier: Apache-2.0
// The execution engine as the rest of the GPU sees it: messages go in, finished kernels come out, and time is counted
// in GPU cycles. Implemented by the transaction-level, clocked and Verilated engines.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/cooperative/loop_program.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/record/metrics/memory_result.h"
#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model {

struct EngineMessage;  // engine_message.h

// A kernel of that hardware queue has finished; for a graph, the kernel of that node.
struct KernelDone {
  QueueId queue{};
  Cycle cycle = 0;
  std::uint32_t node = 0;
};

// What an event-driven kernel reports to the host: I/O requests of its loops, and that it has left the GPU.
struct LoopRequest {
  enum class Kind : std::uint8_t { kIo, kKernelLeft };
  Kind kind = Kind::kIo;
  Cycle cycle = 0;
  ContextId context{};
  std::uint32_t tb = 0;          // kIo
  cooperative::Step io{};        // kIo
  std::uint32_t loops_left = 0;  // kKernelLeft: loops that are not done
};

// The host's side of event-driven kernels.
class ILoopHost {
 public:
  // Called at the SystemC time of the request's cycle.
  virtual void request(const LoopRequest& request) = 0;

 protected:
  ~ILoopHost() = default;
};

class IExecutionCore {
 public:
  virtual ~IExecutionCore() = default;

  // Stamps must not be earlier than the last processed cycle.
  virtual void send(const EngineMessage& message) = 0;

  // The next cycle in which something happens without a message; kNever: there is none.
  virtual Cycle next_event() const = 0;
  // Processes everything before `limit`, but stops after the first cycle in which a kernel finished or a loop made a
  // request, since the answer may come in the next cycle. The kernels are in done(), the requests in loop_requests(),
  // both in order, until the caller takes them.
  virtual void run_until(Cycle limit) = 0;
  const std::vector<KernelDone>& done() const { return done_; }
  const std::vector<LoopRequest>& loop_requests() const { return loop_requests_; }
  std::vector<KernelDone> take_done() { return std::exchange(done_, {}); }
  std::vector<LoopRequest> take_loop_requests() { return std::exchange(loop_requests_, {}); }

  // The last cycle in which something happened.
  virtual Cycle now() const = 0;
  // Ends the simulation: nothing from `end` on has happened. Requires end > now().
  virtual void finish(Cycle end) = 0;

  virtual record::InvariantMonitor& monitor() = 0;
  // This core's column in the table of policies: it is never sent a policy that it does not have.
  virtual spec::Cores which() const = 0;
  // SM cycles that a context has used before `now`, which must not be earlier than the last processed cycle.
  virtual std::uint64_t sm_cycles(ContextId context, Cycle now) const = 0;
  // What memory did that answers later under load; nothing where it is of another kind.
  virtual record::MemoryResult memory() const { return {}; }

 protected:
  std::vector<KernelDone> done_;
  std::vector<LoopRequest> loop_requests_;
};

}  // namespace tessera::tlm_model
