// SPDX-License-Identifier: Apache-2.0
// Costs of the host's API, and the processes that use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

enum class Arrivals { kPeriodic, kUniform, kPoisson, kFile };
enum class Overrun { kQueue, kSkip };  // releases during an active run: they wait, or are dropped

// Release times of a process's runs, if they do not follow one another back to back.
struct ReleaseSpec {
  Arrivals arrivals = Arrivals::kPeriodic;
  Picoseconds period = 0;  // uniform, poisson: the mean; file: 0
  Picoseconds offset = 0;  // from the start of the process
  Overrun overrun = Overrun::kQueue;
  std::vector<Picoseconds> times{};     // file: relative to the offset, ascending
  std::uint32_t period_spread_ppm = 0;  // uniform: gaps are uniform in period * (1 +- spread)
};

enum class WaitKind { kSleep, kSpin };  // how a process waits for the GPU: without its core, or holding it

struct ProcessSpec {
  std::string name;
  std::uint32_t application = 0;        // index into Spec::applications
  std::uint32_t priority = 0;           // 0 (lowest) .. 15
  std::optional<std::uint32_t> tokens;  // dss: overrides equal sharing
  std::uint32_t partition = 0;          // static_partition: index into Spec::partitions
  bool is_background = false;           // the experiment does not wait for its runs
  Picoseconds start = 0;
  // Deadline of each of its kernels, from its arrival at the command buffers; with releases also of each run, from its
  // release.
  std::optional<Picoseconds> deadline{};
  std::optional<std::uint32_t> runs{};    // number of runs; empty: it runs repeatedly
  std::optional<ReleaseSpec> releases{};  // empty: a run starts when the previous one has ended, and the pause
  Picoseconds pause = 0;                  // before each run, the first too: uniform in pause * (1 +- spread)
  std::uint32_t pause_spread_ppm = 0;
  // time_slice with a kept turn: its own quantum, and what becomes of its SMs when that ends.
  std::optional<Picoseconds> time_slice{};
  SliceEnd slice_end = SliceEnd::kTechnique;
  // With HostSpec::cpu.
  std::vector<std::uint32_t> cores{};  // hardware threads that it may run on, ascending; empty: all
  std::uint32_t cpu_priority = 0;      // 0 (lowest) .. 99
  WaitKind wait = WaitKind::kSleep;
};

// At least 1; 0: no deadline.
inline Cycle deadline_cycles(const ProcessSpec& process, const Clock& clock) {
  return process.deadline ? std::max<Cycle>(1, clock.cycles_in(*process.deadline)) : 0;
}

// File service for event-driven kernels ([G16] 5): the operating system's file cache and one disk.
struct HostIoSpec {
  std::uint64_t cache_bytes_per_s = 0;
  std::uint64_t disk_bytes_per_s = 0;  // 0: there is no disk
  Picoseconds disk_switch = 0;         // time to switch to another process's file
  Picoseconds request = 0;             // CPU time per request, in the thread that serves its process
};

// Cores for which the processes compete (docs/concepts/host_cores.md). Hardware threads are numbered from 0.
struct CpuSpec {
  std::uint32_t num_cores = 1;
  std::uint32_t threads_per_core = 1;
  Picoseconds wake = 0;  // from the interrupt until a process that sleeps is runnable; at least HostSpec::interrupt

  std::uint32_t num_threads() const { return num_cores * threads_per_core; }
};

// The hardware threads that a process may run on, ascending.
inline std::vector<std::uint32_t> cores_of(const ProcessSpec& process, const CpuSpec& cpu) {
  if (!process.cores.empty()) return process.cores;
  std::vector<std::uint32_t> all(cpu.num_threads());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// API costs on the host CPU ([T14] 4.1 traces them; the values are reconstructed, configs/hosts has the reasons).
struct HostSpec {
  std::string name = "default";
  Picoseconds launch = 5'000'000;       // CPU time of a kernel launch call
  Picoseconds copy = 5'000'000;         // CPU time of a copy call
  Picoseconds synchronise = 2'000'000;  // CPU time of a synchronise call that finds the work done
  Picoseconds interrupt = 3'000'000;    // from the interrupt to the woken process
  std::optional<HostIoSpec> io{};       // empty: no file service
  std::optional<CpuSpec> cpu{};         // empty: every process has a core whenever it needs one
};

}  // namespace tessera::spec
