// SPDX-License-Identifier: Apache-2.0
// Loops of some callbacks, thresholds that often come in the middle of one.
#include "verification/random/random_loops.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::verification {
namespace {

constexpr std::uint64_t kMaxIoBytes = 60'000;
constexpr std::uint32_t kMaxBlockingTbs = 4;

spec::LoopStep loop_step(Draws& draw) {
  spec::LoopStep step;
  if (!draw.one_in(4)) {
    step.callback = draw.nanoseconds(100, 20'000);
    return step;
  }
  step.direction = draw.any<spec::IoDirection>();
  step.medium = draw.any<spec::IoMedium>();
  step.bytes = draw.in(1, kMaxIoBytes);
  return step;
}

spec::KernelSpec loop_kernel(Draws& draw, const spec::GpuSpec& gpu) {
  spec::KernelSpec kernel;
  kernel.name = "loops";
  kernel.regs_per_tb = draw.in32(16, 16'384);
  kernel.smem_bytes_per_tb = draw.one_in(2) ? 0 : draw.in32(1, 16'000);
  kernel.threads_per_tb = draw.in32(1, 512);
  // All at once on the machine.
  const std::uint32_t at_once = workload::occupancy(gpu, kernel).tbs_per_sm * gpu.num_sms;
  kernel.num_tbs = draw.in32(1, std::min(at_once, draw.of(std::array<std::uint32_t, 2>{8, 60})));
  kernel.tb_time_spread_ppm = draw.one_in(2) ? 0 : draw.in32(0, 500'000);
  spec::EventDrivenSpec& loops = kernel.event_driven.emplace();
  loops.mode = draw.any<spec::LoopMode>();
  // All loops of a blocking kernel come back when one has something to do, and most leave within some ten cycles:
  // faster than a decision, of which nothing could be said then.
  if (loops.mode == spec::LoopMode::kBlocking) kernel.num_tbs = std::min(kernel.num_tbs, kMaxBlockingTbs);
  loops.slots = draw.in32(1, 128);
  loops.state_bytes_per_slot = draw.in(1, 8'192);
  loops.count = draw.in32(1, draw.of(std::array<std::uint32_t, 2>{4, 40}));
  for (std::uint64_t left = draw.in(1, 4); left > 0; --left) loops.body.push_back(loop_step(draw));
  return kernel;
}

// One that every run launches, somewhere.
void add_loops(Draws& draw, const spec::GpuSpec& gpu, spec::ApplicationSpec& application) {
  const auto kernel = static_cast<std::uint32_t>(application.kernels.size());
  application.kernels.push_back(loop_kernel(draw, gpu));
  for (std::uint64_t left = draw.in(1, 2); left > 0; --left) {
    const auto place = static_cast<std::ptrdiff_t>(draw.in(0, application.program.size()));
    application.program.insert(application.program.begin() + place, spec::Launch{kernel, 0});
  }
}

void add_token(Draws& draw, spec::Spec& spec) {
  spec.driver.kind = spec::DriverKind::kGloop;
  spec.driver.threshold = draw.nanoseconds(5'000, 300'000);
  spec.driver.token_switch = draw.one_in(2) ? 0 : draw.nanoseconds(0, 50'000);
  spec.driver.kill = draw.nanoseconds(5'000, 200'000);
  if (draw.one_in(3)) spec.driver.slice = draw.nanoseconds(20'000, 300'000);
  const bool may_preempt = spec::info(spec.scheduler.policy).has(spec::kPreempts);
  if (draw.one_in(4) && may_preempt) spec.driver.on_timeout = spec::OnTimeout::kPreempt;
}

}  // namespace

void add_random_loops(Draws& draw, spec::Spec& spec) {
  spec.host.io = spec::HostIoSpec{1'000'000'000 * draw.in(1, 20), 1'000'000 * draw.in(50, 2'000),
                                  draw.nanoseconds(0, 20'000), draw.nanoseconds(0, 3'000)};
  const std::size_t with_loops = draw.in(0, spec.applications.size() - 1);
  for (std::size_t i = 0; i < spec.applications.size(); ++i) {
    const bool has_them = draw.one_in(2);
    if (has_them || i == with_loops) add_loops(draw, spec.gpu, spec.applications[i]);
  }
  // A queue of each process is for its files.
  const auto num_processes = static_cast<std::uint32_t>(spec.processes.size());
  spec.gpu.num_hardware_queues = std::max(spec.gpu.num_hardware_queues, 2 * num_processes);
  if (!draw.one_in(3)) add_token(draw, spec);
}

}  // namespace tessera::verification
