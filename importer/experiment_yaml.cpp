// SPDX-License-Identifier: Apache-2.0
// As the files in configs/ are written.
#include "importer/experiment_yaml.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/spec/core_cycles.h"
#include "model/spec/decimal.h"
#include "model/spec/json_text.h"
#include "model/spec/names.h"
#include "model/spec/spec_json.h"

namespace tessera::importer {
namespace {

std::string mega(std::uint64_t hz) { return spec::format_decimal(hz, 6); }
std::string giga(std::uint64_t rate) { return spec::format_decimal(rate, 9); }
std::string in_us(Picoseconds time) { return spec::format_decimal(time, 6); }

// Keys that not every file has.
std::string further_keys(const spec::GpuSpec& gpu) {
  const spec::FrameworkSpec& framework = gpu.framework;
  std::string text;
  if (framework.engine == spec::Engine::kSerialised) {
    text += fmt::format("  setup_tag_bits: {}\n  refill_lane: {}\n", framework.setup_tag_bits, framework.refill_lane);
  }
  if (const spec::LinkSpec& links = framework.link_cycles; links.any()) {
    text += fmt::format("  link_cycles: {{up: [{}], down: [{}]}}\n", fmt::join(links.up, ", "),
                        fmt::join(links.down, ", "));
  }
  if (framework.num_ksrs != gpu.num_sms) text += fmt::format("  num_ksrs: {}\n", framework.num_ksrs);
  if (framework.tb_issue_hz > 0) text += fmt::format("  tb_issue_mhz: {}\n", mega(framework.tb_issue_hz));
  const nlohmann::ordered_json gpu_switch = spec::to_json(framework.gpu_switch);
  if (!gpu_switch.empty()) text += fmt::format("  gpu_switch: {}\n", spec::json_text(gpu_switch));
  return text;
}

std::string memory_latency(const spec::MemoryLatencySpec& memory) {
  std::string text =
      fmt::format("memory_latency:\n  unloaded_ns: {}\n  bytes_per_thread: {}\n  sm_gbps: {}\n  curve:\n",
                  spec::format_decimal(memory.unloaded, 3), memory.bytes_per_thread, giga(memory.sm_bytes_per_s));
  for (const spec::LatencyPoint& point : memory.curve) {
    text += fmt::format("    - {{gbps: {}, latency: {}}}\n", giga(point.bytes_per_s),
                        spec::format_decimal(point.factor_ppm, 6));
  }
  return text;
}

}  // namespace

std::string gpu_yaml(const spec::GpuSpec& gpu) {
  const spec::FrameworkSpec& framework = gpu.framework;
  std::string text = fmt::format(
      "# The GPU of an imported profile: {0} of configs/gpus, with what the profile says of its sizes and its pace.\n"
      "schema_version: 1\nname: {0}\nclock_mhz: {1}\nnum_sms: {2}\nmax_tbs_per_sm: {3}\nmax_threads_per_sm: {4}\n"
      "registers_per_sm: {5}\nregister_allocation_warps: {10}\nshared_memory_bytes: [{6}]\n"
      "shared_memory_choice: {11}\nshared_memory_reserve_bytes: {12}\nmemory_bandwidth_gbps: {7}\n"
      "num_hardware_queues: {8}\nnum_dma_engines: {9}\n",
      gpu.name, mega(gpu.clock_hz), gpu.num_sms, gpu.max_tbs_per_sm, gpu.max_threads_per_sm, gpu.registers_per_sm,
      fmt::join(gpu.shared_memory_bytes, ", "), giga(gpu.memory_bandwidth_bytes_per_s), gpu.num_hardware_queues,
      gpu.num_dma_engines, gpu.register_allocation_warps, spec::to_string(gpu.shared_memory_choice),
      gpu.shared_memory_reserve_bytes);
  text += fmt::format("pcie: {{clock_mhz: {}, num_lanes: {}, burst_bytes: {}, latency_us: {}}}\n",
                      mega(gpu.pcie.clock_hz), gpu.pcie.num_lanes, gpu.pcie.burst_bytes, in_us(gpu.pcie.latency));
  if (gpu.memory_latency) text += memory_latency(*gpu.memory_latency);
  return text +
         fmt::format(
             "framework:\n  engine: {}\n  num_command_buffers: {}\n  tb_id_bits: {}\n  search_entry_cycles: {}\n"
             "  kernel_activation_cycles: {}\n  sm_setup_cycles: {}\n"
             "  tb_issue_cycles: {}\n  pipeline_drain_cycles: {}\n  trap_entry_cycles: {}\n  dispatch_cycles: {}\n"
             "  graph_dispatch_cycles: {}\n",
             spec::to_string(framework.engine), framework.num_command_buffers, framework.tb_id_bits,
             framework.search_entry_cycles, framework.kernel_activation_cycles, framework.sm_setup_cycles,
             framework.tb_issue_cycles, framework.pipeline_drain_cycles, framework.trap_entry_cycles,
             framework.dispatch_cycles, framework.graph_dispatch()) +
         further_keys(gpu);
}

std::string host_yaml(const spec::HostSpec& host) {
  return fmt::format(
      "# What API calls cost at least; what recorded calls took beyond that is CPU time in the applications.\n"
      "schema_version: 1\nname: {}\nlaunch_us: {}\ncopy_us: {}\nsynchronise_us: {}\ninterrupt_us: {}\n",
      host.name, in_us(host.launch), in_us(host.copy), in_us(host.synchronise), in_us(host.interrupt));
}

std::string experiment_yaml(const std::string& name, const std::string& file, const spec::GpuSpec& gpu,
                            const std::vector<ExperimentProcess>& processes, double max_time_us, bool has_bytes) {
  const bool is_alone = processes.size() == 1;
  std::string text = fmt::format("schema_version: 1\nname: {}\nseed: 1\ngpu: {}\nhost: host.yaml\n", name, file);
  // A core looks at a few kernels a cycle. The ideal engine looks at SMs: with one a cycle a search of 100 takes as
  // long as the shortest recorded kernels.
  const bool is_ideal = gpu.framework.engine == spec::Engine::kIdeal;
  const std::string rest = fmt::format("search_width: {}", is_ideal ? gpu.num_sms : spec::kWidestSearch);
  if (is_alone && processes.front().has_urgent_streams) {
    text += fmt::format("scheduler: {{policy: ppq, technique: drain, access: shared, {}}}\n", rest);
  } else if (is_alone) {
    text += fmt::format("scheduler: {{policy: fcfs, {}}}\n", rest);
  } else {
    text += fmt::format("scheduler: {{policy: ppq, technique: context_switch, access: shared, {}}}\n", rest);
    text += fmt::format("baseline: {{policy: fcfs, {}}}\ndma: {{policy: npq}}\n", rest);
  }
  if (has_bytes) text += "memory_channel: {sharing: loaded_latency}\n";
  text += "workload:\n  time_base: kernel_time\n  processes:\n";
  for (const ExperimentProcess& process : processes) {
    text += fmt::format("    - {{name: {}, application: {}, priority: {}}}\n", process.name, process.application,
                        process.priority);
  }
  const double bounded = std::clamp(max_time_us, 1e6, 1e9);
  return text + fmt::format("stop: {{min_runs: 1, max_time_us: {}}}\n", static_cast<std::uint64_t>(bounded));
}

}  // namespace tessera::importer
