// SPDX-License-Identifier: Apache-2.0
// Event-driven kernels on the tiny machine, and the way of one from the Spec: on the ideal engine, and on one that does
// a job at a time (docs/hardware/timing.md 5, 6), where the same holds of tlm and of rtl_model.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/spec/core_cycles.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {

inline spec::LoopStep callback(Cycle cycles) {
  spec::LoopStep step;
  step.callback = cycles * kCyclePs;
  return step;
}
inline spec::LoopStep file_io(spec::IoDirection direction, std::uint64_t bytes,
                              spec::IoMedium medium = spec::IoMedium::kCache) {
  spec::LoopStep step;
  step.direction = direction;
  step.bytes = bytes;
  step.medium = medium;
  return step;
}
inline spec::LoopStep file_read(std::uint64_t bytes) { return file_io(spec::IoDirection::kRead, bytes); }

// An SM of the tiny machine holds one of its TBs.
inline spec::KernelSpec loop_kernel(std::uint32_t num_tbs, std::uint32_t count, std::vector<spec::LoopStep> body,
                                    spec::LoopMode mode = spec::LoopMode::kPolling) {
  spec::KernelSpec kernel = kernel_of("loops", num_tbs, 1);
  kernel.tb_time.reset();
  kernel.event_driven.emplace();
  kernel.event_driven->mode = mode;
  kernel.event_driven->count = count;
  kernel.event_driven->body = std::move(body);
  return kernel;
}

// Serves 3 bytes a cycle from its cache, and one in seven cycles from its disk.
inline spec::Spec gloop_platform(std::uint32_t num_sms = 1) {
  spec::Spec spec = tiny_platform(num_sms);
  spec.driver.kind = spec::DriverKind::kGloop;
  spec.driver.threshold = 50'021 * kCyclePs;
  spec.driver.token_switch = 777 * kCyclePs;
  spec.driver.kill = 20'011 * kCyclePs;
  spec.host.io = spec::HostIoSpec{3'000'000'000, 142'857'143, 9001 * kCyclePs, 409 * kCyclePs};
  return spec;
}

inline spec::ProcessSpec& add_loops(spec::Spec& spec, const spec::KernelSpec& kernel) {
  spec::ProcessSpec& process = add_process(spec, {kernel}, {launch(0), synchronise()});
  process.runs = 1;
  return process;
}

// An event-driven kernel of one TB, alone on the GPU.
struct LoopPath {
  explicit LoopPath(const spec::Spec& spec)
      : is_one_job(spec::has_one_job_engine(spec)),
        num_command_buffers(spec.gpu.framework.num_command_buffers),
        host(spec),
        engine(spec),
        threshold(host.clock.cycles_in(spec.driver.threshold)),
        token_switch(host.clock.cycles_in(spec.driver.token_switch)),
        kill(host.clock.cycles_in(spec.driver.kill)) {}

  bool is_one_job;
  Cycle num_command_buffers;
  HostLatencies host;
  tlm_model::test::Latencies engine;
  Cycle threshold, token_switch, kill;

  // From the doorbell to the loop's start: its program is another read.
  Cycle to_start() const {
    return host.to_arrival() + 2 * host.link + (is_one_job ? one_job() : engine.assign() + engine.start());
  }
  // From the command to the first TB's start, alone on the machine (timing.md 5.7, 6.1): BEGIN to the WRITE of the
  // activation; the decision on a queue of one kernel, for one SM; on the pins a cycle after the set-up's job (7),
  // set-up done (7), and the issue latency from the PICK of the issue on.
  Cycle one_job() const {
    const Cycle activated = std::max(engine.activation, num_command_buffers + 8);
    constexpr Cycle kToJudge = 1 + 1 + 3 + 1;  // BEGIN, a step of the walk, DRAIN, JUDGE
    constexpr Cycle kAssign = 4 + 2 + 1;       // PICK ROW LOAD CALC, BURST with an SM and without, WRITE
    const Cycle assigned = activated + kToJudge + kAssign;
    return assigned + 7 + 1 + engine.setup + 7 + engine.issue;
  }
  // From a thread block's end to where it counts: the WRITE of the event's job.
  Cycle to_count() const { return is_one_job ? 6 : 0; }
  // From the end of a kernel's last thread block to the process that waits for it.
  Cycle to_process() const { return to_count() + host.to_process(); }
  // Of a loop that is not done; the SM's share of the bandwidth.
  static Cycle state() { return (8 + 512 + tlm_model::test::kBytesPerCycle - 1) / tlm_model::test::kBytesPerCycle; }
  // From the host's word until the loops have heard it.
  Cycle to_loops() const { return host.link + 1; }
  // From a request to its completion on the host, alone: request, cache, copy.
  Cycle read(std::uint64_t bytes, const spec::Spec& spec) const {
    const Cycle cache = mul_div_ceil(bytes, host.clock.hertz(), spec.host.io->cache_bytes_per_s);
    return host.link + host.clock.cycles_in(spec.host.io->request) + cache + host.to_transfer() + host.transfer(bytes) +
           host.link + host.interrupt;
  }
};

}  // namespace tessera::platform::test
