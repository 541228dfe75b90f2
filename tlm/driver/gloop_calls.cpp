// SPDX-License-Identifier: Apache-2.0
// Host event loops: launch, wait, launch again.
#include <algorithm>
#include <vector>

#include "model/spec/spec.h"
#include "tlm/driver/address_map.h"
#include "tlm/driver/gloop.h"

namespace tessera::tlm_model {

void GloopDriver::open(std::uint32_t process) {
  pass_through_.open(process);
  if (preempts_) gpu_.set_priority(process, 0);  // who has no token
}

void GloopDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) {
  const spec::EventDrivenSpec* const loops = loops_of(process, work);
  if (loops == nullptr) return pass_through_.submit(process, stream, work, ends_group);
  run_loops(process, stream, work, *loops);
}

const spec::EventDrivenSpec* GloopDriver::loops_of(std::uint32_t process, const Work& work) const {
  if (work.kernel == nullptr) return nullptr;
  const spec::ApplicationSpec& application = spec_.applications[spec_.processes[process].application];
  const auto& loops = application.kernels[work.kernel->kernel].event_driven;
  return loops ? &*loops : nullptr;
}

void GloopDriver::run_loops(std::uint32_t process, std::uint32_t stream, const Work& work,
                            const spec::EventDrivenSpec& loops) {
  HostLoop& loop = host_loops_[process];
  HostThread& thread = interrupts_.thread(process);
  // 1. What was submitted to the stream before is done before the token is asked for.
  pass_through_.synchronise(process, stream);
  const spec::ApplicationSpec& application = spec_.applications[spec_.processes[process].application];
  write_program(process, loops, application.kernels[work.kernel->kernel].tb_time_spread_ppm);
  KernelDescriptor kernel = *work.kernel;
  kernel.loop_program = address_map::loop_program(process);
  loop.is_killed = false;
  for (kernel.num_relaunches = 0;; ++kernel.num_relaunches) {
    // 2. A launch, under the token, until the kernel has left.
    acquire(process);
    kernel.launch_number = ++loop.launches;
    const std::uint64_t served_before = loop.io_server ? loop.io_server->num_served() : 0;
    pass_through_.submit(process, stream, {work.command, &kernel}, true);
    pass_through_.synchronise(process, stream);
    release(process);
    if (loop.loops_left == 0) break;
    // 3. Another one, for the loops that are not done; none if it was killed, be it in the cycle in which it left.
    if (loops.mode == spec::LoopMode::kBlocking) wait_until_some_io_is_done(process, served_before);
    thread.spend(std::max<Cycle>(1, time_.clock().cycles_in(spec_.host.launch)));
    if (loop.is_killed) break;
  }
  // 4. Nothing of a killed kernel is left to be served when the next one begins.
  const auto is_pending = [&loop] { return loop.io_server && loop.io_server->num_pending() > 0; };
  wait_while(process, is_pending);
}

void GloopDriver::write_program(std::uint32_t process, const spec::EventDrivenSpec& loops, std::uint32_t spread_ppm) {
  const cooperative::LoopProgram program = cooperative::make_program(loops, time_.clock());
  LoopProgramHeader header;
  header.count = program.count();
  header.state_bytes_per_slot = loops.state_bytes_per_slot;
  header.slots = loops.slots;
  header.num_steps = static_cast<std::uint32_t>(program.round().size());
  header.is_blocking = loops.mode == spec::LoopMode::kBlocking ? 1 : 0;
  header.spread = spread_ppm;
  std::vector<LoopStepWords> steps;
  for (const cooperative::Step& step : program.round()) {
    steps.push_back({step.cycles, step.bytes, step.direction == spec::IoDirection::kWrite ? 1U : 0U,
                     step.medium == spec::IoMedium::kDisk ? 1U : 0U});
  }
  const std::uint64_t address = address_map::loop_program(process);
  gpu_.write_memory(address, &header, sizeof(header));
  gpu_.write_memory(address + sizeof(header), steps.data(), steps.size() * sizeof(LoopStepWords));
}

// Since the launch, or after it has left: one loop at least has a callback to call, unless all wait for a later one.
void GloopDriver::wait_until_some_io_is_done(std::uint32_t process, std::uint64_t served_before) {
  const HostLoop& loop = host_loops_[process];
  if (!loop.io_server) return;
  wait_while(process,
             [&] { return loop.io_server->num_served() == served_before && loop.io_server->num_pending() > 0; });
}

void GloopDriver::wait_while(std::uint32_t process, const std::function<bool()>& waits_for_io) {
  if (!waits_for_io()) return;
  interrupts_.thread(process).sleep_until_told([&] {
    while (waits_for_io()) sc_core::wait(host_loops_[process].io_server->served());
  });
}

void GloopDriver::take_request(const LoopRequest& request) {
  HostLoop& loop = host_loops_[index(request.context)];
  if (request.kind == LoopRequest::Kind::kKernelLeft) {
    loop.loops_left = request.loops_left;
  } else {
    loop.io_server->accept(request);
  }
}

void GloopDriver::acquire(std::uint32_t process) {
  if (!has_token_) return;
  HostLoop& loop = host_loops_[process];
  emit(record::Kind::kTokenRequested, process, time_.now());
  note_change(process, false);
  interrupts_.thread(process).sleep_until_told([&] {
    while (loop.granted_at > time_.now()) sc_core::wait(loop.granted);
  });
}

void GloopDriver::release(std::uint32_t process) {
  if (!has_token_) return;
  HostLoop& loop = host_loops_[process];
  const Cycle held = loop.granted_at > time_.now() ? 0 : time_.now() - loop.granted_at;
  // It has not got the token that it lost and was to have again.
  if (grant_.process == process && grant_.at >= time_.now()) grant_.at = kNever;
  loop.granted_at = kNever;
  emit(record::Kind::kTokenReleased, process, time_.now(), held);
  note_change(process, true);
}

void GloopDriver::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  pass_through_.synchronise(process, stream);
}

void GloopDriver::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  pass_through_.record_event(process, event, stream);
}

void GloopDriver::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  pass_through_.await_event(process, event, stream);
}

void GloopDriver::synchronise_event(std::uint32_t process, std::uint32_t event) {
  pass_through_.synchronise_event(process, event);
}

}  // namespace tessera::tlm_model
