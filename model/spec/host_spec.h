// SPDX-License-Identifier: Apache-2.0
// Costs of the host's API, and the processes that use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

enum class Arrivals { kPeriodic, kPoisson, kFile };
enum class Overrun { kQueue, kSkip };  // releases during an active run: they wait, or are dropped

// Release times of a process's runs, if they do not follow one another back to back.
struct ReleaseSpec {
  Arrivals arrivals = Arrivals::kPeriodic;
  Picoseconds period = 0;  // poisson: the mean; file: 0
  Picoseconds offset = 0;  // from the start of the process
  Overrun overrun = Overrun::kQueue;
  std::vector<Picoseconds> times{};  // file: relative to the offset, ascending
};

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
  std::optional<ReleaseSpec> releases{};  // empty: a run starts when the previous one has ended
  // time_slice with a kept turn: its own quantum, and what becomes of its SMs when that ends.
  std::optional<Picoseconds> time_slice{};
  SliceEnd slice_end = SliceEnd::kTechnique;
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

// API costs on the host CPU ([T14] 4.1 traces them; the values are reconstructed, configs/hosts has the reasons).
struct HostSpec {
  std::string name = "default";
  Picoseconds launch = 5'000'000;       // CPU time of a kernel launch call
  Picoseconds copy = 5'000'000;         // CPU time of a copy call
  Picoseconds synchronise = 2'000'000;  // CPU time of a synchronise call that finds the work done
  Picoseconds interrupt = 3'000'000;    // from the interrupt to the woken process
  std::optional<HostIoSpec> io{};       // empty: no file service
};

}  // namespace tessera::spec
