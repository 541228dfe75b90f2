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

// Whose commands the engines may have at a time: those of all contexts, or of one, whose channel is on ([K11] 2).
enum class Channels { kAll, kOne };

// Is a copy on the link as a whole, which messages do not notice, or in bursts that they go between?
enum class Transfers { kWhole, kBursts };

// How the scheduler and the SM driver work through what comes at the same time. kSerialised: one job at a time, each in
// the cycles of the core that rtl_model and rtl are (docs/hardware/timing.md); kIdeal: all that comes in a cycle is
// done in it.
enum class Engine { kSerialised, kIdeal };

// The least `tb_issue_cycles` of the serialised engine where the GPU's and the core's clock are one (core_cycles.h).
inline constexpr std::uint32_t kSerialisedIssueCycles = 6;
inline constexpr std::uint32_t kIdealIssueCycles = 1;

// Latencies and sizes of the scheduling framework, the SM driver and the trap routine ([T14] 3.2, 3.3).
// The defaults hold where a GPU file says nothing; their reasons stand in configs/gpus/k20c.yaml.
struct FrameworkSpec {
  Engine engine = Engine::kSerialised;
  std::uint32_t num_ksrs = 0;                  // active kernels; not given: one per SM
  std::uint32_t num_command_buffers = 16;      // contexts that may wait at once
  std::uint32_t tb_id_bits = 32;               // of a TB's number: a kernel has fewer than 2^tb_id_bits TBs
  std::uint32_t search_entry_cycles = 1;       // one step of a policy search (search_width entries); >= 1
  std::uint32_t kernel_activation_cycles = 4;  // command buffer -> KSRT and active queue
  std::uint32_t sm_setup_cycles = 64;          // context, page table, shared memory configuration into the SM; >= 1
  // A slot freed in cycle c holds a TB again from c + this; at least what the engine takes.
  std::uint32_t tb_issue_cycles = kSerialisedIssueCycles;
  std::uint32_t pipeline_drain_cycles = 300;  // from the trap to the last instruction in flight; TBs still progress
  std::uint32_t trap_entry_cycles = 20;       // entering the save routine once the pipeline is empty
  std::uint32_t dispatch_cycles = 706;        // dispatcher: from a command's arrival or end to its next look; >= 1
  // From a node of a graph that is done to those behind it; none: dispatch_cycles. >= 1
  std::optional<std::uint32_t> graph_dispatch_cycles{};
  Channels channels = Channels::kAll;
  Picoseconds channel_quantum = 500'000'000;  // kOne: a channel keeps its turn so long, gaps included

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

// Which of its sizes of shared memory an SM has for a kernel: the smallest that holds one thread block ([T14] Table 2),
// or, as CUDA's driver chooses since Volta, the smallest of those that let most thread blocks be resident.
enum class SharedMemoryChoice { kSmallestThatFits, kMostResident };

enum class ChannelSharing { kStatic, kFair };  // memory bandwidth between SMs that move contexts

// Instances of Multi-Instance GPU that a card lists (`nvidia-smi mig -lgip`): so many compute slices and memory slices
// of those that it has, and SMs.
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
  std::uint32_t shared_memory_reserve_bytes = 0;  // the system's, in each thread block
  std::uint32_t register_allocation_warps = 1;    // an SM's registers hold a multiple of so many warps
  std::uint64_t memory_bandwidth_bytes_per_s = 0;
  std::uint32_t num_hardware_queues = 32;
  std::uint32_t num_dma_engines = 1;  // 1, or 2: one per direction
  PcieSpec pcie;
  FrameworkSpec framework;
  std::optional<MigSpec> mig{};  // none: the card has no MIG, or its instances are not known
};

}  // namespace tessera::spec
