// SPDX-License-Identifier: Apache-2.0
// A loop's way: it starts, reads its state, executes callbacks, waits for I/O, writes its state, and is gone.
#include "tlm/execution_engine/sm_array/device_loops.h"

#include <algorithm>

#include "model/base/overloaded.h"
#include "model/record/numbers.h"

namespace tessera::tlm_model {

DeviceLoops::DeviceLoops(std::uint32_t num_sms, std::uint32_t slot_bits, std::size_t num_contexts,
                         IMemoryChannel& channel, record::RecordLog& log)
    : num_sms_(num_sms),
      slot_bits_(slot_bits),
      channel_(channel),
      log_(log),
      events_(num_sms << slot_bits),
      residents_(std::size_t{num_sms} << slot_bits),
      kernels_(num_contexts),
      moves_(num_sms) {}

// ---- what happens to kernels ---------------------------------------------------------------------------------

void DeviceLoops::kernel_activated(LaunchId id, const KernelLaunch& launch) {
  Kernel& kernel = kernels_[index(launch.context)];
  kernel.launch = launch.loops;
  kernel.id = id;
  kernel.process = launch.process;
  kernel.is_active = true;
  kernel.bytes = 0;
  if (launch.loops->num_relaunches > 0 && kernel.loops.size() == launch.num_tbs) return;
  kernel.loops.assign(launch.num_tbs, {});
  kernel.loops_left = launch.num_tbs;
  for (std::uint32_t tb = 0; tb < launch.num_tbs; ++tb) {
    kernel.loops[tb].factor_ppm = cooperative::loop_factor_ppm(launch.loops->key, tb, launch.loops->spread_ppm);
  }
}

void DeviceLoops::kernel_finished(const KernelLaunch& launch, Cycle now) {
  Kernel& kernel = kernels_[index(launch.context)];
  kernel.is_active = false;
  record::Record left;
  left.cycle = now;
  left.kind = record::Kind::kLoopsLeft;
  left.process = kernel.process;
  left.launch = static_cast<std::uint32_t>(kernel.id);
  record::number::loops_left(left) = kernel.loops_left;
  left.bytes = kernel.bytes;
  left.cycles = kernel.is_told() ? now - kernel.told_at : 0;
  log_.emit(now, left);
  LoopRequest request;
  request.kind = LoopRequest::Kind::kKernelLeft;
  request.cycle = now;
  request.context = launch.context;
  request.loops_left = kernel.loops_left;
  requests->push_back(request);
}

// ---- what happens to thread blocks ---------------------------------------------------------------------------

void DeviceLoops::issued(std::uint32_t leaf, ContextId context, std::uint32_t tb, Cycle start) {
  const Resident resident{context, tb};
  residents_[leaf] = resident;
  Loop& loop = loop_of(resident);
  loop.leaf = leaf;
  loop.phase = Phase::kStarting;
  if (kernel_of(resident).is_killed()) return retire(resident, start + 1);
  events_.set(leaf, start);
}

void DeviceLoops::freeze(std::uint32_t leaf, Cycle now) {
  const Resident resident = residents_[leaf];
  if (resident.tb == kNobody) return;
  Loop& loop = loop_of(resident);
  loop.is_frozen = true;
  if (loop.phase == Phase::kExecuting) loop.began = now - loop.began;
  if (loop.phase == Phase::kReading || loop.phase == Phase::kLeaving) withdraw_move(leaf, now);
  events_.clear(leaf);
  residents_[leaf].tb = kNobody;
}

void DeviceLoops::resume(std::uint32_t leaf, ContextId context, std::uint32_t tb, Cycle now) {
  const Resident resident{context, tb};
  Loop& loop = loop_of(resident);
  if (!loop.is_frozen) return;  // it was over, but for its last cycle
  loop.is_frozen = false;
  loop.leaf = leaf;
  residents_[leaf] = resident;
  if (kernel_of(resident).is_killed()) return retire(resident, now + 1);
  switch (loop.phase) {
    case Phase::kExecuting: {
      if (loop.position == kernel_of(resident).launch->program.end()) return go_on(resident, now);
      const Cycle elapsed = loop.began;
      loop.began = now - elapsed;
      return aim(resident, elapsed);
    }
    case Phase::kPolling:
      return go_on(resident, now);
    case Phase::kReading:
    case Phase::kLeaving:
      return queue_move(leaf, now);
    case Phase::kStarting:
      events_.set(leaf, now);
      return;
    case Phase::kAway:
      return;
  }
}

// ---- what the host says --------------------------------------------------------------------------------------

void DeviceLoops::post(Cycle stamp, const LoopWord& word) {
  const auto later = [](Cycle at, const PostedWord& other) { return at < other.stamp; };
  words_.insert(std::upper_bound(words_.begin(), words_.end(), stamp, later), {stamp, word});
}

void DeviceLoops::take(const LoopWord& word, Cycle now) {
  std::visit(Overloaded{[&](const Yield& said) { yield(said.context, said.launch_number, now); },
                        [&](const IoDone& said) { io_done(said.context, said.tb, now); },
                        [&](const Kill& said) { kill(said.context, said.launch_number, now); }},
             word);
}

void DeviceLoops::yield(ContextId context, std::uint64_t launch_number, Cycle now) {
  Kernel& kernel = kernels_[index(context)];
  if (kernel.told_number != launch_number) kernel.told_at = now;  // of several words the first counts
  kernel.told_number = launch_number;
  if (!kernel.is_active || !kernel.is_told()) return;
  for (std::uint32_t tb = 0; tb < kernel.loops.size(); ++tb) {
    const Loop& loop = kernel.loops[tb];
    if (loop.is_frozen) continue;
    if (loop.phase == Phase::kExecuting) aim({context, tb}, now - loop.began);
    if (loop.phase == Phase::kPolling) events_.set(loop.leaf, now);
  }
}

// The callback that waited may be called, wherever its loop is.
void DeviceLoops::io_done(ContextId context, std::uint32_t tb, Cycle now) {
  Loop& loop = kernels_[index(context)].loops.at(tb);
  loop.awaits_io = false;
  ++loop.position;
  if (loop.phase == Phase::kPolling && !loop.is_frozen) execute({context, tb}, now);
}

// Thread blocks that are on SMs end in the next cycle, the others as soon as they are.
void DeviceLoops::kill(ContextId context, std::uint64_t launch_number, Cycle now) {
  Kernel& kernel = kernels_[index(context)];
  kernel.killed_number = launch_number;
  if (!kernel.is_active || !kernel.is_killed()) return;
  for (std::uint32_t tb = 0; tb < kernel.loops.size(); ++tb) {
    const Loop& loop = kernel.loops[tb];
    if (loop.phase == Phase::kAway || loop.is_frozen) continue;
    if (loop.phase == Phase::kReading || loop.phase == Phase::kLeaving) withdraw_move(loop.leaf, now);
    const Cycle from = loop.phase == Phase::kStarting ? std::max(now, events_.time(loop.leaf)) : now;
    retire({context, tb}, from + 1);
  }
}

// ---- loops ---------------------------------------------------------------------------------------------------

void DeviceLoops::due(Cycle now) {
  for (; !words_.empty() && words_.front().stamp < now; words_.pop_front()) take(words_.front().word, now);
  while (events_.min_time() <= now) {
    const std::uint32_t leaf = EventTree::leaf_of(events_.min());
    const Resident resident = residents_[leaf];
    events_.clear(leaf);
    step_due(resident, now);
  }
}

void DeviceLoops::step_due(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  switch (loop.phase) {
    case Phase::kStarting:
      if (kernel_of(of).launch->num_relaunches > 0) {
        loop.phase = Phase::kReading;
        return queue_move(loop.leaf, now);
      }
      log_.emit(now, about(record::Kind::kLoopResumed, of, now));
      return execute(of, now);
    case Phase::kExecuting:
      loop.position = loop.target.end;
      return reached(of, now);
    case Phase::kPolling:  // and was told to yield
      return leave(of, now);
    case Phase::kReading:
    case Phase::kLeaving:
      return move_done(of, now);
    case Phase::kAway:
      return;
  }
}

void DeviceLoops::execute(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  loop.phase = Phase::kExecuting;
  loop.began = now;
  aim(of, 0);
}

// A loop looks at the flag where a callback has ended: one that has just begun executes one first, so that every launch
// comes further.
void DeviceLoops::aim(const Resident& of, Cycle elapsed) {
  Loop& loop = loop_of(of);
  const Kernel& kernel = kernel_of(of);
  const cooperative::LoopProgram& program = kernel.launch->program;
  loop.target = kernel.is_told() ? program.boundary(loop.position, std::max<Cycle>(1, elapsed), loop.factor_ppm)
                                 : program.stretch(loop.position, loop.factor_ppm);
  events_.set(loop.leaf, std::min(loop.began + std::max(loop.target.cycles, elapsed), kNever));
}

void DeviceLoops::reached(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  Kernel& kernel = kernel_of(of);
  const cooperative::LoopProgram& program = kernel.launch->program;
  if (loop.position == program.end()) return end(of, now);
  const cooperative::Step& step = program.step(loop.position);
  if (step.is_callback()) return leave(of, now);
  // The callback has asked for it before it ended.
  loop.awaits_io = true;
  record::Record asked;
  asked.cycle = now;
  asked.kind = record::Kind::kIoRequested;
  asked.process = kernel.process;
  asked.tb = of.tb;
  asked.bytes = step.bytes;
  record::number::is_write(asked) = step.direction == spec::IoDirection::kWrite ? 1 : 0;
  log_.emit(now, asked);
  requests->push_back({LoopRequest::Kind::kIo, now, of.context, of.tb, step, 0});
  wait_for_io(of, now);
}

void DeviceLoops::wait_for_io(const Resident& of, Cycle now) {
  const Kernel& kernel = kernel_of(of);
  if (kernel.is_told() || kernel.launch->is_blocking) return leave(of, now);
  loop_of(of).phase = Phase::kPolling;
}

// It is on an SM again.
void DeviceLoops::go_on(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  if (loop.position == kernel_of(of).launch->program.end()) {
    // It finds that there is nothing left to do.
    loop.phase = Phase::kExecuting;
    loop.began = now;
    loop.target = {loop.position, 1};
    return events_.set(loop.leaf, now + 1);
  }
  loop.awaits_io ? wait_for_io(of, now) : execute(of, now);
}

void DeviceLoops::leave(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  const LoopLaunch& launch = *kernel_of(of).launch;
  loop.phase = Phase::kLeaving;
  loop.state_bytes = cooperative::state_bytes(launch.slots, launch.state_bytes_per_slot, false);
  queue_move(loop.leaf, now);
}

// It is done, if not before. There is nothing that it would have to find again but that.
void DeviceLoops::end(const Resident& of, Cycle now) {
  Loop& loop = loop_of(of);
  Kernel& kernel = kernel_of(of);
  if (!loop.is_done) --kernel.loops_left;
  loop.is_done = true;
  loop.state_bytes = cooperative::state_bytes(kernel.launch->slots, kernel.launch->state_bytes_per_slot, true);
  note_left(of, 0, now);
  retire(of, now);
}

void DeviceLoops::note_left(const Resident& of, std::uint64_t bytes, Cycle now) {
  record::Record left = about(record::Kind::kLoopLeft, of, now);
  left.bytes = bytes;
  log_.emit(now, left);
  kernel_of(of).bytes += bytes;
}

void DeviceLoops::retire(const Resident& of, Cycle at) {
  Loop& loop = loop_of(of);
  loop.phase = Phase::kAway;
  events_.clear(loop.leaf);
  residents_[loop.leaf].tb = kNobody;
  finish_tb(loop.leaf, at);
}

record::Record DeviceLoops::about(record::Kind kind, const Resident& of, Cycle at) {
  const Loop& loop = loop_of(of);
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.process = kernel_of(of).process;
  record.launch = static_cast<std::uint32_t>(kernel_of(of).id);
  record.sm = static_cast<std::uint16_t>(loop.leaf >> slot_bits_);
  record.slot = static_cast<std::uint16_t>(loop.leaf & ((1U << slot_bits_) - 1));
  record.tb = of.tb;
  record::number::steps(record) = loop.position;
  return record;
}

}  // namespace tessera::tlm_model
