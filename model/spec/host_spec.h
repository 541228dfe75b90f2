// SPDX-License-Identifier: Apache-2.0
// What the host's API costs, and the processes that use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

enum class Arrivals { kPeriodic, kPoisson, kFile };
enum class Overrun { kQueue, kSkip };  // of releases that pass while a run goes on: they wait, or are not run

// When the runs of a process are released, where they do not follow one another back to back.
struct ReleaseSpec {
  Arrivals arrivals = Arrivals::kPeriodic;
  Picoseconds period = 0;  // poisson: the mean; file: 0
  Picoseconds offset = 0;  // from the start of the process
  Overrun overrun = Overrun::kQueue;
  std::vector<Picoseconds> times{};  // file: from there, none before the one ahead of it
};

struct ProcessSpec {
  std::string name;
  std::uint32_t application = 0;        // index into Spec::applications
  std::uint32_t priority = 0;           // 0 (lowest) .. 15
  std::optional<std::uint32_t> tokens;  // dss: overrides equal sharing
  std::uint32_t partition = 0;          // static_partition: index into Spec::partitions
  bool is_background = false;           // the experiment does not wait for its runs
  Picoseconds start = 0;
  // Of each of its kernels, from its arrival at the command buffers; of each run too, from its release, where there
  // are releases.
  std::optional<Picoseconds> deadline{};
  std::optional<std::uint32_t> runs{};    // after so many it ends; none: it runs again and again
  std::optional<ReleaseSpec> releases{};  // none: a run starts when the one before it has ended
};

// 1 or more; 0: it has none.
inline Cycle deadline_cycles(const ProcessSpec& process, const Clock& clock) {
  return process.deadline ? std::max<Cycle>(1, clock.cycles_in(*process.deadline)) : 0;
}

// What serves the files of event-driven kernels ([G16] 5): the operating system's cache of them, and one disk.
struct HostIoSpec {
  std::uint64_t cache_bytes_per_s = 0;
  std::uint64_t disk_bytes_per_s = 0;  // 0: there is no disk
  Picoseconds disk_switch = 0;         // from one process's file to another's
  Picoseconds request = 0;             // CPU time of a request, of the thread that serves those of its process
};

// API costs on the host CPU ([T14] 4.1 traces them; the values are reconstructed, configs/hosts has the reasons).
struct HostSpec {
  std::string name = "default";
  Picoseconds launch = 5'000'000;       // CPU time of a kernel launch call
  Picoseconds copy = 5'000'000;         // CPU time of a copy call
  Picoseconds synchronise = 2'000'000;  // CPU time of a synchronise call that finds the work done
  Picoseconds interrupt = 3'000'000;    // from the interrupt to the woken process
  std::optional<HostIoSpec> io{};       // none: it serves no files
};

}  // namespace tessera::spec
