// SPDX-License-Identifier: Apache-2.0
// GPU file -> GpuSpec ([T14] Table 2 names the parameters).
// Internal to model/spec.
#include <optional>
#include <string>

#include "model/spec/launch_priorities.h"
#include "model/spec/read_gpu_switch.h"
#include "model/spec/read_links.h"
#include "model/spec/read_memory_latency.h"
#include "model/spec/read_sm_sharing.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr Number kClock{kHzPerMhz / 1000, 10'000 * kHzPerMhz, kFrequencyDigits};
constexpr Number kIssueClock{0, kFastestIssue, kFrequencyDigits};
constexpr Number kCycles{0, 1'000'000};
constexpr Number kPositiveCycles{1, 1'000'000};
constexpr Number kTableSize{1, 4096};
constexpr Number kTbIdBits{4, 32};
constexpr Number kMemoryBytes{1, std::uint64_t{1} << 30};

PcieSpec read_pcie(MappingReader reader) {
  PcieSpec pcie;
  reader.required("clock_mhz", pcie.clock_hz, kClock, "a lane moves a byte a cycle");
  reader.required("num_lanes", pcie.num_lanes, Number{2, 1024}, "half of them each way");  // half of them each way
  reader.optional("burst_bytes", pcie.burst_bytes, kMemoryBytes, "a copy is moved in bursts of this size");
  reader.optional(
      "transfers", pcie.transfers, Choice<Transfers>{},
      "a copy is on the link as a whole, and doorbells, fetches and fences take their latency as if it were not there; "
      "or they go between two of its bursts: they wait for the end of one, and the copy ends later by what they take");
  reader.optional("latency_us", pcie.latency, kTime, "one way, for a doorbell, a fetch or a fence");
  reader.reject_unknown_keys();
  return pcie;
}

// Where `channels` could not be read, nothing is said of what would go with it.
void read_channels(MappingReader& reader, FrameworkSpec& framework) {
  const bool is_read = reader.optional("channels", framework.channels, Choice<Channels>{},
                                       "engines take commands of all contexts, or of one context, a channel, at a time "
                                       "([streams](../concepts/streams.md#channels))");
  reader.optional("channel_quantum_us", framework.channel_quantum, kPositiveTime,
                  "`channels: one`: a channel keeps its turn so long, gaps between its commands included");
  const bool is_all = framework.channels == Channels::kAll && (is_read || !reader.has("channels"));
  if (is_all && reader.has("channel_quantum_us")) {
    reader.reject("channel_quantum_us", "only valid with channels: one");
  }
}

FrameworkSpec read_framework(MappingReader reader, std::uint32_t num_sms) {
  FrameworkSpec framework;
  framework.num_ksrs = num_sms;
  reader.optional(
      "engine", framework.engine, Choice<Engine>{},
      "how the scheduler and the SM driver work through what comes at once: one job after the other, each in the "
      "cycles of the core, or all in one cycle ([architecture](../concepts/architecture.md#two-engines)). `rtl_model` "
      "and `rtl` are the serialised engine. `chimera`, `dual_kernel` and masks that overlap need the ideal one");
  reader.optional("num_ksrs", framework.num_ksrs, kTableSize,
                  {"kernels that may be active at once; with `sm_sharing: kernels` 128 unless given", "`num_sms`"});
  reader.optional("num_command_buffers", framework.num_command_buffers, kTableSize, "contexts that may wait at once");
  reader.optional("tb_id_bits", framework.tb_id_bits, kTbIdBits, "a kernel has fewer than 2^this thread blocks");
  reader.optional(
      "search_entry_cycles", framework.search_entry_cycles, kPositiveCycles,
      "a step of a policy search, beside what the core takes for it ([timing.md](../hardware/timing.md), 5.7)");
  reader.optional(
      "kernel_activation_cycles", framework.kernel_activation_cycles, kCycles,
      "from the command buffer to the active queue; the core takes `num_command_buffers` + 8 of its clock at least");
  reader.optional("sm_setup_cycles", framework.sm_setup_cycles, kPositiveCycles,
                  "context, page table and shared-memory configuration into an SM");
  if (framework.engine == Engine::kIdeal) framework.tb_issue_cycles = kIdealIssueCycles;
  reader.optional(
      "tb_issue_cycles", framework.tb_issue_cycles, kPositiveCycles,
      {"from a free slot to the next thread block in it; the least that the engine can do, which is the default: "
       "`serialised` ceil(6 / `tbs_per_cycle`), the larger one of scheduler and baseline, `ideal` 1",
       "by engine"});
  reader.optional("tb_issue_mhz", framework.tb_issue_hz, kIssueClock,
                  "`ideal`: thread blocks that are issued in a microsecond over the whole GPU, also fewer than one a "
                  "cycle; at most `tbs_per_cycle` in each; 0: as many");
  reader.optional("pipeline_drain_cycles", framework.pipeline_drain_cycles, kCycles,
                  "from the trap to the last instruction in flight");
  reader.optional("trap_entry_cycles", framework.trap_entry_cycles, kCycles,
                  "into the save routine once the pipeline is empty");
  read_links(reader, num_sms, framework);
  read_sm_sharing(reader, framework);
  reader.optional("dispatch_cycles", framework.dispatch_cycles, kPositiveCycles,
                  "of the dispatcher: from a command's arrival or end to its next look");
  reader.optional(
      "graph_dispatch_cycles", framework.graph_dispatch_cycles, kPositiveCycles,
      "of the dispatcher: from a node of a graph that is done to those behind it; left out: `dispatch_cycles`");
  read_channels(reader, framework);
  framework.gpu_switch = read_gpu_switch(reader.mapping(
      "gpu_switch", Presence::kOptional,
      "what it costs to hand the GPU from one context to another (`turn: kept`), beside what becomes of thread blocks; "
      "and how contexts are saved, under any policy ([timing.md](../hardware/timing.md), 3.12, 7.6)"));
  reader.reject_unknown_keys();
  return framework;
}

std::vector<std::uint32_t> read_shared_memory(MappingReader& reader, Report& report) {
  std::vector<std::uint32_t> sizes;
  const std::vector<Node>& entries = reader.list(
      "shared_memory_bytes", Presence::kRequired, form_maker(kMemoryBytes),
      "the sizes that an SM can be configured for, ascending; the smallest that holds a thread block is taken");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const KeyPath path = reader.path("shared_memory_bytes") / i;
    if (entries[i].kind == Node::Kind::kInvalid) continue;
    auto size = kMemoryBytes.parse(entries[i]);
    if (auto* problem = std::get_if<Problem>(&size)) {
      report.add(entries[i].where, path, problem->problem, describe(entries[i]), problem->allowed);
      continue;
    }
    const auto bytes = static_cast<std::uint32_t>(std::get<std::uint64_t>(size));
    const bool is_ascending = sizes.empty() || sizes.back() < bytes;
    if (!is_ascending) report.add(entries[i].where, path, "is not ascending", describe(entries[i]));
    sizes.push_back(bytes);
  }
  return sizes;
}

MigInstance read_mig_instance(MappingReader reader, const MigSpec& mig) {
  MigInstance instance;
  reader.required("slices", instance.slices, kSlices, "compute slices of such an instance");
  reader.required("memory_slices", instance.memory_slices, kSlices, "its memory slices");
  reader.required("sms", instance.sms, Number{1, kMaxSms}, "its SMs");
  reader.reject_unknown_keys();
  const auto check = [&](const char* key, std::uint32_t of_instance, std::uint32_t of_card) {
    if (of_card == 0 || of_instance <= of_card) return;
    reader.reject(key, "is more than the card has", std::to_string(of_instance), "at most " + std::to_string(of_card));
  };
  check("slices", instance.slices, mig.slices);
  check("memory_slices", instance.memory_slices, mig.memory_slices);
  return instance;
}

std::optional<MigSpec> read_mig(MappingReader& gpu, Report& report) {
  MappingReader reader = gpu.mapping("mig", Presence::kOptional,
                                     "instances of Multi-Instance GPU that the card lists; left out: it has none, or "
                                     "they are not known ([partitions](../concepts/partitions.md#presets))");
  MigSpec mig;
  const Presence needed = gpu.has("mig") ? Presence::kRequired : Presence::kOptional;
  reader.read("slices", needed, mig.slices, kSlices, "compute slices of the card");
  reader.read("memory_slices", needed, mig.memory_slices, kSlices, "memory slices of the card");
  const std::vector<Node>& instances = reader.mappings("instances", needed, "by their slices, ascending");
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const KeyPath path = reader.path("instances") / i;
    mig.instances.push_back(read_mig_instance(MappingReader(instances[i], path, report), mig));
    const bool is_ascending = i == 0 || mig.instances[i].slices > mig.instances[i - 1].slices;
    if (!is_ascending && is_sound(instances[i])) {
      report.add(instances[i].where, path, "has no more slices than the one before it");
    }
  }
  reader.reject_unknown_keys();
  return gpu.has("mig") ? std::optional(mig) : std::nullopt;
}

}  // namespace

GpuSpec read_gpu(const Node& node, const KeyPath& path, Report& report) {
  GpuSpec gpu;
  MappingReader reader(node, path_within(node, path), report);
  read_schema_version(reader, node, kVersionOfPart);
  reader.required("name", gpu.name, Text{}, "as results name it");
  reader.required("clock_mhz", gpu.clock_hz, kClock, "of SMs and scheduling framework");
  reader.required("num_sms", gpu.num_sms, Number{1, kMaxSms}, "streaming multiprocessors");
  reader.required("max_tbs_per_sm", gpu.max_tbs_per_sm, Number{1, kMaxTbsPerSm}, "slots for thread blocks");
  reader.required("max_threads_per_sm", gpu.max_threads_per_sm, Number{1, 65'536},
                  "threads of all thread blocks of an SM");
  reader.required("registers_per_sm", gpu.registers_per_sm, Number{1, std::uint64_t{1} << 28}, "32-bit registers");
  gpu.shared_memory_bytes = read_shared_memory(reader, report);
  reader.optional(
      "shared_memory_choice", gpu.shared_memory_choice, Choice<SharedMemoryChoice>{},
      "which of these an SM has for a kernel: the smallest that holds one thread block, as [T14]'s GPU, or of those "
      "that let most thread blocks be resident the smallest, as CUDA's driver chooses since Volta");
  reader.optional("shared_memory_reserve_bytes", gpu.shared_memory_reserve_bytes, Number{0, 65'536},
                  "the system's, in each thread block: allocated and saved beside what the kernel asks for; NVIDIA: "
                  "1024 since Ampere");
  reader.optional("register_allocation_warps", gpu.register_allocation_warps, Number{1, 32},
                  "registers of an SM are given to a multiple of so many warps; NVIDIA: 1 for compute capability 1.x, "
                  "2 for 2.x and 6.0, 4 for 3, 5, 6.1, 6.2, 7 and later");
  reader.required("memory_bandwidth_gbps", gpu.memory_bandwidth_bytes_per_s, kMemoryRate,
                  "of device memory; contexts are saved and restored through it");
  reader.optional("num_hardware_queues", gpu.num_hardware_queues, Number{1, 1024},
                  "a process has at least one to itself");
  reader.optional("num_dma_engines", gpu.num_dma_engines, Number{1, 2}, "1, or 2: one for each direction");
  reader.optional("stream_priorities", gpu.stream_priorities, Number{1, kPriorityLevels},
                  "priorities that the card has for streams, from 0; a stream with another one is a mistake, and, "
                  "where kernels share SMs, a process; left out: not known");
  gpu.pcie = read_pcie(reader.mapping("pcie", Presence::kRequired, "PCI Express"));
  gpu.framework = read_framework(
      reader.mapping("framework", Presence::kOptional,
                     "sizes and latencies of the scheduling framework, the SM driver and the trap routine"),
      gpu.num_sms);
  gpu.memory_latency = read_memory_latency(reader, gpu.num_sms, report);
  gpu.mig = read_mig(reader, report);
  reader.reject_unknown_keys();
  return gpu;
}

}  // namespace tessera::spec
