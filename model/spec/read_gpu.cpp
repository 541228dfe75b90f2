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
constexpr Number kSlices{1, 64};
constexpr Number kMemoryBytes{1, std::uint64_t{1} << 30};

PcieSpec read_pcie(MappingReader reader) {
  PcieSpec pcie;
  reader.required("clock_mhz", pcie.clock_hz, kClock);
  reader.required("num_lanes", pcie.num_lanes, Number{2, 1024});  // half of them each way
  reader.optional("burst_bytes", pcie.burst_bytes, kMemoryBytes);
  reader.optional("transfers", pcie.transfers, Choice<Transfers>{});
  reader.optional("latency_us", pcie.latency, kTime);
  reader.reject_unknown_keys();
  return pcie;
}

// Where `channels` could not be read, nothing is said of what would go with it.
void read_channels(MappingReader& reader, FrameworkSpec& framework) {
  const bool is_read = reader.optional("channels", framework.channels, Choice<Channels>{});
  reader.optional("channel_quantum_us", framework.channel_quantum, kPositiveTime);
  const bool is_all = framework.channels == Channels::kAll && (is_read || !reader.has("channels"));
  if (is_all && reader.has("channel_quantum_us")) {
    reader.reject("channel_quantum_us", "only valid with channels: one");
  }
}

FrameworkSpec read_framework(MappingReader reader, std::uint32_t num_sms) {
  FrameworkSpec framework;
  framework.num_ksrs = num_sms;
  reader.optional("engine", framework.engine, Choice<Engine>{});
  reader.optional("num_ksrs", framework.num_ksrs, kTableSize);
  reader.optional("num_command_buffers", framework.num_command_buffers, kTableSize);
  reader.optional("tb_id_bits", framework.tb_id_bits, kTbIdBits);
  reader.optional("search_entry_cycles", framework.search_entry_cycles, kPositiveCycles);
  reader.optional("kernel_activation_cycles", framework.kernel_activation_cycles, kCycles);
  reader.optional("sm_setup_cycles", framework.sm_setup_cycles, kPositiveCycles);
  if (framework.engine == Engine::kIdeal) framework.tb_issue_cycles = kIdealIssueCycles;
  reader.optional("tb_issue_cycles", framework.tb_issue_cycles, kPositiveCycles);
  reader.optional("tb_issue_mhz", framework.tb_issue_hz, kIssueClock);
  reader.optional("pipeline_drain_cycles", framework.pipeline_drain_cycles, kCycles);
  reader.optional("trap_entry_cycles", framework.trap_entry_cycles, kCycles);
  read_links(reader, num_sms, framework);
  read_sm_sharing(reader, framework);
  reader.optional("dispatch_cycles", framework.dispatch_cycles, kPositiveCycles);
  reader.optional("graph_dispatch_cycles", framework.graph_dispatch_cycles, kPositiveCycles);
  read_channels(reader, framework);
  framework.gpu_switch = read_gpu_switch(reader.mapping("gpu_switch", Presence::kOptional));
  reader.reject_unknown_keys();
  return framework;
}

std::vector<std::uint32_t> read_shared_memory(MappingReader& reader, Report& report) {
  std::vector<std::uint32_t> sizes;
  const std::vector<Node>& entries = reader.list("shared_memory_bytes", Presence::kRequired, kMemoryBytes.form());
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
  reader.required("slices", instance.slices, kSlices);
  reader.required("memory_slices", instance.memory_slices, kSlices);
  reader.required("sms", instance.sms, Number{1, kMaxSms});
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
  MappingReader reader = gpu.mapping("mig", Presence::kOptional);
  MigSpec mig;
  const Presence needed = gpu.has("mig") ? Presence::kRequired : Presence::kOptional;
  reader.read("slices", needed, mig.slices, kSlices);
  reader.read("memory_slices", needed, mig.memory_slices, kSlices);
  const std::vector<Node>& instances = reader.list("instances", needed, {"mapping", ""});
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
  read_schema_version(reader, node);
  reader.required("name", gpu.name, Text{});
  reader.required("clock_mhz", gpu.clock_hz, kClock);
  reader.required("num_sms", gpu.num_sms, Number{1, kMaxSms});
  reader.required("max_tbs_per_sm", gpu.max_tbs_per_sm, Number{1, kMaxTbsPerSm});
  reader.required("max_threads_per_sm", gpu.max_threads_per_sm, Number{1, 65'536});
  reader.required("registers_per_sm", gpu.registers_per_sm, Number{1, std::uint64_t{1} << 28});
  gpu.shared_memory_bytes = read_shared_memory(reader, report);
  reader.optional("shared_memory_choice", gpu.shared_memory_choice, Choice<SharedMemoryChoice>{});
  reader.optional("shared_memory_reserve_bytes", gpu.shared_memory_reserve_bytes, Number{0, 65'536});
  reader.optional("register_allocation_warps", gpu.register_allocation_warps, Number{1, 32});
  reader.required("memory_bandwidth_gbps", gpu.memory_bandwidth_bytes_per_s, kMemoryRate);
  reader.optional("num_hardware_queues", gpu.num_hardware_queues, Number{1, 1024});
  reader.optional("num_dma_engines", gpu.num_dma_engines, Number{1, 2});
  reader.optional("stream_priorities", gpu.stream_priorities, Number{1, kPriorityLevels});
  gpu.pcie = read_pcie(reader.mapping("pcie", Presence::kRequired));
  gpu.framework = read_framework(reader.mapping("framework", Presence::kOptional), gpu.num_sms);
  gpu.memory_latency = read_memory_latency(reader, gpu.num_sms, report);
  gpu.mig = read_mig(reader, report);
  reader.reject_unknown_keys();
  return gpu;
}

}  // namespace tessera::spec
