// SPDX-License-Identifier: Apache-2.0
// An application: its kernels, and the host program that copies, launches and waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

struct KernelSpec {
  std::string name;
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;  // 32-bit registers
  std::uint32_t smem_bytes_per_tb = 0;
  std::uint32_t threads_per_tb = 0;
  std::optional<Picoseconds> kernel_time;  // alone on the machine, overheads included
  std::optional<Picoseconds> tb_time;      // residency of one TB, taken literally
  std::uint32_t tb_time_spread_ppm = 0;    // TB durations are uniform in mean * (1 +- spread)
  bool is_persistent = false;              // its TBs never end by themselves
};

// One step of a host program. `stream` numbers are the application's own, from 0.
struct CpuPhase {
  Picoseconds time = 0;
};
enum class CopyDirection { kToGpu, kToHost };
struct Copy {
  CopyDirection direction = CopyDirection::kToGpu;
  std::uint64_t bytes = 0;
  std::uint32_t stream = 0;
  bool is_async = false;  // a synchronous copy blocks the process until it is done
};
struct Launch {
  std::uint32_t kernel = 0;
  std::uint32_t stream = 0;
};  // index into ApplicationSpec::kernels
struct Synchronise {
  std::optional<std::uint32_t> stream;
};  // none: the whole device
struct Loop;
using HostStep = std::variant<CpuPhase, Copy, Launch, Synchronise, Loop>;
struct Loop {
  std::uint32_t count = 0;
  std::vector<HostStep> body;
};

struct ApplicationSpec {
  std::string name;
  std::vector<KernelSpec> kernels;
  std::vector<HostStep> program;
  std::uint32_t num_streams() const;  // highest stream used + 1
};

}  // namespace tessera::spec
