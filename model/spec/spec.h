// SPDX-License-Identifier: Apache-2.0
// The immutable description of one experiment: what every model is built from. Nothing else reads YAML.
// A Spec that left the loader is consistent: every reference resolves and every kernel fits an SM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

enum class PolicyKind { kFcfs, kNpq, kPpq, kDss, kTimeSlice };
enum class TechniqueKind { kContextSwitch, kDrain };
enum class Access { kExclusive, kShared };        // ppq: may lower priorities use SMs left idle?
enum class ExclusiveScope { kNeeded, kAll };      // ppq exclusive: reserve what is needed, or empty the engine
enum class TokenScope { kKernel, kProcess };      // dss: whose budget is it?
enum class Fill { kDepthFirst, kBreadthFirst };   // SM driver: one SM full before the next, or one TB to each
enum class ChannelSharing { kStatic, kFair };     // memory bandwidth between SMs that move contexts
enum class TimeBase { kKernelTime, kTimePerTb };  // design.md section 4
enum class DmaPolicy { kFcfs, kNpq };

// Latencies and sizes of the scheduling framework, the SM driver and the trap routine ([T14] 3.2, 3.3).
// The defaults hold where a GPU file says nothing; their reasons stand in configs/gpus/k20c.yaml.
struct FrameworkSpec {
  std::uint32_t num_ksrs = 0;                  // active kernels; not given: one per SM
  std::uint32_t num_command_buffers = 16;      // contexts that may wait at once
  std::uint32_t tb_id_bits = 32;               // of a TB's number: a kernel has fewer than 2^tb_id_bits TBs
  std::uint32_t search_entry_cycles = 1;       // one step of a policy search (search_width entries); >= 1
  bool pipelined_search = false;               // registers between tables, engines and outcome (search_cycles.h)
  std::uint32_t kernel_activation_cycles = 4;  // command buffer -> KSRT and active queue
  std::uint32_t sm_setup_cycles = 64;          // context, page table, shared memory configuration into the SM; >= 1
  std::uint32_t tb_issue_cycles = 1;           // a slot freed in cycle c holds a TB again from c + this; >= 1
  std::uint32_t pipeline_drain_cycles = 300;   // from the trap to the last instruction in flight; TBs still progress
  std::uint32_t trap_entry_cycles = 20;        // entering the save routine once the pipeline is empty
  std::uint32_t dispatch_cycles = 706;         // dispatcher: from a command's arrival or end to its next look; >= 1
};

// PCI Express: half of the lanes each way, one byte per lane and clock ([T14] Table 2: 8 GB/s each way).
struct PcieSpec {
  std::uint64_t clock_hz = 0;
  std::uint32_t num_lanes = 0;
  std::uint32_t burst_bytes = 4096;  // a copy is moved in bursts of this size
  Picoseconds latency = 500'000;     // one way, for a doorbell, a fetch or a fence

  std::uint64_t bytes_per_second() const { return clock_hz * num_lanes / 2; }
};

struct GpuSpec {
  std::string name;
  std::uint64_t clock_hz = 0;
  std::uint32_t num_sms = 0;
  std::uint32_t max_tbs_per_sm = 0;
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t registers_per_sm = 0;              // 32-bit registers
  std::vector<std::uint32_t> shared_memory_bytes;  // selectable sizes per SM, ascending
  std::uint64_t memory_bandwidth_bytes_per_s = 0;
  std::uint32_t num_hardware_queues = 32;
  std::uint32_t num_dma_engines = 1;  // 1, or 2: one per direction
  PcieSpec pcie;
  FrameworkSpec framework;
};

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

struct ProcessSpec {
  std::string name;
  std::uint32_t application = 0;        // index into Spec::applications
  std::uint32_t priority = 0;           // 0 (lowest) .. 15
  std::optional<std::uint32_t> tokens;  // dss: overrides equal sharing
  bool is_background = false;           // the experiment does not wait for its runs
  Picoseconds start = 0;
};

struct SchedulerSpec {
  PolicyKind policy = PolicyKind::kFcfs;
  TechniqueKind technique = TechniqueKind::kContextSwitch;
  Access access = Access::kExclusive;
  ExclusiveScope exclusive_scope = ExclusiveScope::kNeeded;
  TokenScope token_scope = TokenScope::kKernel;
  std::uint32_t search_width = 1;  // table entries examined per search step, 1 .. num_sms
  Fill fill = Fill::kDepthFirst;
  std::uint32_t tbs_per_cycle = 1;       // SM driver's issue rate over the whole GPU
  Picoseconds time_slice = 500'000'000;  // time_slice: the quantum
};

// API costs on the host CPU ([T14] 4.1 traces them; the values are reconstructed, configs/hosts has the reasons).
struct HostSpec {
  std::string name = "default";
  Picoseconds launch = 5'000'000;       // CPU time of a kernel launch call
  Picoseconds copy = 5'000'000;         // CPU time of a copy call
  Picoseconds synchronise = 2'000'000;  // CPU time of a synchronise call that finds the work done
  Picoseconds interrupt = 3'000'000;    // from the interrupt to the woken process
};

struct StopSpec {
  std::uint32_t min_runs = 3;  // completed runs of every foreground process
  Picoseconds max_time = 60 * kPicosecondsPerSecond;
};

struct ChecksSpec {
  bool enable_invariants = true;
  bool enable_context_check = false;  // move and compare real bytes on every save and restore
};

struct Spec {
  std::string name;
  std::uint64_t seed = 1;
  GpuSpec gpu;
  HostSpec host;
  SchedulerSpec scheduler;
  std::optional<SchedulerSpec> baseline;
  DmaPolicy dma_policy = DmaPolicy::kFcfs;
  ChannelSharing channel_sharing = ChannelSharing::kStatic;
  TimeBase time_base = TimeBase::kKernelTime;
  std::vector<ApplicationSpec> applications;  // each distinct one once
  std::vector<ProcessSpec> processes;
  StopSpec stop;
  ChecksSpec checks;
};

}  // namespace tessera::spec
