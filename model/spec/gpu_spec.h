// SPDX-License-Identifier: Apache-2.0
// The machine: SMs, memory, PCI Express, and the sizes and latencies of the scheduling framework.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

inline constexpr std::uint32_t kMaxSms = 256;
inline constexpr std::uint32_t kMaxTbsPerSm = 64;
inline constexpr std::uint32_t kThreadsPerWarp = 32;

// Which contexts' commands the engines may have at a time: those of all, or only of the one whose channel is on ([K11]
// 2).
enum class Channels { kAll, kOne };

// Whether a copy uses the link as a whole, without delaying messages, or in bursts between which messages go.
enum class Transfers { kWhole, kBursts };

// How the scheduler and the SM driver handle simultaneous events. kSerialised: one job at a time, each taking the
// cycles of the core in rtl_model and rtl (docs/hardware/timing.md); kIdeal: everything that arrives in a cycle is done
// in it.
enum class Engine { kSerialised, kIdeal };

// The smallest `tb_issue_cycles` of the serialised engine if GPU and core have the same clock (core_cycles.h).
inline constexpr std::uint32_t kSerialisedIssueCycles = 6;
inline constexpr std::uint32_t kIdealIssueCycles = 1;

// Delays between the scheduler and the SMs, by SM; empty: none has links.
struct LinkSpec {
  std::vector<std::uint32_t> up;    // of events and handles
  std::vector<std::uint32_t> down;  // of commands and dispatches

  bool any() const;  // some delay is not 0
};

inline constexpr std::uint32_t kMaxSetupTagBits = 3;

// Whose thread blocks an SM runs: one kernel's at a time ([T14] 3.1), or those of all kernels that find room
// (docs/concepts/shared_sms.md).
enum class SmSharing { kOneKernel, kKernels };

// What a thread block costs the dispatcher of shared SMs, by its size.
struct DispatchClass {
  std::uint32_t max_threads = 0;        // for thread blocks of so many threads, and fewer
  std::uint64_t tb_issue_hz = 0;        // so many a second, over the whole GPU
  std::uint32_t turnaround_cycles = 0;  // from its last instruction to its successor's first; >= 1
};
inline constexpr std::uint32_t kSharedKsrs = 128;  // kernels at a time, measured on an H200 (silicon/h200)

// How contexts are saved and restored: as fast as memory takes their bytes ([T14]), or by microcode that runs on the
// SM's warps.
enum class SaveModel { kBandwidth, kMicrocode };

// An SM's save takes, before its bytes move: `per_warp` x warps + `per_kib` x KiB of shared memory / warps; so does its
// restore, after they have moved. Bytes then move at `bandwidth`, shared between SMs as the memory channel says.
struct MicrocodeSpec {
  Picoseconds save_per_warp = 0, restore_per_warp = 0;
  Picoseconds save_per_kib = 0, restore_per_kib = 0;
  std::uint64_t bandwidth = 0;  // bytes/s
};

// What it costs to hand the whole GPU from one context to another, beside the contexts' own moves.
struct GpuSwitchSpec {
  Picoseconds preempted = 0;  // something was running
  Picoseconds dry = 0;        // nothing was running
  Picoseconds in_slice = 0;   // of either, how much counts for the slice of the context that comes
  SaveModel model = SaveModel::kBandwidth;
  MicrocodeSpec microcode;
};

// Latencies and sizes of the scheduling framework, the SM driver and the trap routine ([T14] 3.2, 3.3).
// Defaults for keys that a GPU file omits; configs/gpus/k20c.yaml gives the reasons.
struct FrameworkSpec {
  Engine engine = Engine::kSerialised;
  std::uint32_t num_ksrs = 0;                  // active kernels; default: one per SM
  std::uint32_t num_command_buffers = 16;      // contexts that may wait at the same time
  std::uint32_t tb_id_bits = 32;               // of a TB's number: a kernel has fewer than 2^tb_id_bits TBs
  std::uint32_t search_entry_cycles = 1;       // one step of a policy search (search_width entries); >= 1
  std::uint32_t kernel_activation_cycles = 4;  // command buffer -> KSRT and active queue
  std::uint32_t sm_setup_cycles = 64;          // context, page table, shared memory configuration into the SM; >= 1
  // A slot freed in cycle c holds a TB again from c + this; must not be below the engine's minimum.
  std::uint32_t tb_issue_cycles = kSerialisedIssueCycles;
  // Ideal engine: over the whole GPU, a TB is given out in each cycle of a clock of this frequency; 0: tbs_per_cycle
  // says.
  std::uint64_t tb_issue_hz = 0;
  std::uint32_t pipeline_drain_cycles = 300;  // from the trap to the last instruction in flight; TBs still progress
  std::uint32_t trap_entry_cycles = 20;       // entering the save routine once the pipeline is empty
  std::uint32_t dispatch_cycles = 706;        // dispatcher: from a command's arrival or end to its next look; >= 1
  LinkSpec link_cycles;                       // in SM cycles
  std::uint32_t setup_tag_bits = 0;           // of the tag that a set-up and its answer carry; links need one
  bool refill_lane = false;                   // thread blocks that end and start go beside the engine's jobs
  GpuSwitchSpec gpu_switch;                   // time_slice with a kept turn
  // From the end of a graph's node to its successors; empty: dispatch_cycles. >= 1
  std::optional<std::uint32_t> graph_dispatch_cycles{};
  Channels channels = Channels::kAll;
  Picoseconds channel_quantum = 500'000'000;  // kOne: length of a channel's turn, gaps included
  SmSharing sm_sharing = SmSharing::kOneKernel;
  // Of the card; used if kernels share SMs. By size, ascending; the last one is for all that are larger too.
  std::vector<DispatchClass> dispatcher;
  // dispatch_cycles and graph_dispatch_cycles behind a kernel grow by this while a kernel of another queue runs.
  std::uint32_t beside_others_cycles = 0;

  bool shares_sms() const { return sm_sharing == SmSharing::kKernels; }
  // Of a thread block of so many threads. Requires a dispatcher.
  const DispatchClass& dispatch_class(std::uint32_t threads) const;
  std::uint32_t graph_dispatch() const { return graph_dispatch_cycles.value_or(dispatch_cycles); }
};

// PCI Express: half of the lanes each way, one byte per lane and clock ([T14] Table 2: 8 GB/s each way).
struct PcieSpec {
  std::uint64_t clock_hz = 0;
  std::uint32_t num_lanes = 0;
  std::uint32_t burst_bytes = 4096;  // a copy is moved in bursts of this size
  Picoseconds latency = 500'000;     // one way, for a doorbell, a fetch or a fence
  Transfers transfers = Transfers::kWhole;

  std::uint64_t bytes_per_second() const { return clock_hz * num_lanes / 2; }
};

// Which of its shared memory sizes an SM uses for a kernel: the smallest that holds one thread block ([T14] Table 2),
// or the smallest of those with the most resident thread blocks, as CUDA's driver chooses since Volta.
enum class SharedMemoryChoice { kSmallestThatFits, kMostResident };

// Memory bandwidth between SMs that move contexts. kLoadedLatency: between all that use memory, by how much later it
// answers (docs/concepts/loaded_memory.md).
enum class ChannelSharing { kStatic, kFair, kLoadedLatency };

// How much later memory answers, and how much of it SMs and threads ask for at once.
struct LatencyPoint {
  std::uint64_t bytes_per_s = 0;  // traffic of the whole GPU
  std::uint32_t factor_ppm = 0;   // of the unloaded latency; 10^6 or more
};
struct MemoryLatencySpec {
  Picoseconds unloaded = 0;
  std::uint32_t bytes_per_thread = 64;  // that it has on their way, if its kernel does not say
  std::uint64_t sm_bytes_per_s = 0;     // that an SM gets at most at the unloaded latency
  std::vector<LatencyPoint> curve;      // ascending; the last one is never exceeded
};

// An instance of Multi-Instance GPU as the card lists it (`nvidia-smi mig -lgip`): its compute slices, memory slices
// and SMs.
struct MigInstance {
  std::uint32_t slices = 0;
  std::uint32_t memory_slices = 0;
  std::uint32_t sms = 0;
};
struct MigSpec {
  std::uint32_t slices = 0;
  std::uint32_t memory_slices = 0;
  std::vector<MigInstance> instances;  // by slices, ascending
};

struct GpuSpec {
  std::string name;
  std::uint64_t clock_hz = 0;
  std::uint32_t num_sms = 0;
  std::uint32_t max_tbs_per_sm = 0;
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t registers_per_sm = 0;              // 32-bit registers
  std::vector<std::uint32_t> shared_memory_bytes;  // selectable sizes per SM, ascending
  SharedMemoryChoice shared_memory_choice = SharedMemoryChoice::kSmallestThatFits;
  std::uint32_t shared_memory_reserve_bytes = 0;  // the system's share in each thread block
  std::uint32_t register_allocation_warps = 1;    // granularity of register allocation, in warps
  std::uint64_t memory_bandwidth_bytes_per_s = 0;
  std::uint32_t num_hardware_queues = 32;
  std::uint32_t num_dma_engines = 1;  // 1, or 2: one per direction
  // Of streams, 0 to one less than so many; empty: the card's number is not known.
  std::optional<std::uint32_t> stream_priorities{};
  PcieSpec pcie;
  FrameworkSpec framework;
  std::optional<MemoryLatencySpec> memory_latency{};  // empty: not known
  std::optional<MigSpec> mig{};                       // empty: the card has no MIG, or its instances are not known
};

}  // namespace tessera::spec
