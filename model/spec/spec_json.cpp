// SPDX-License-Identifier: Apache-2.0
// Spec -> JSON, part by part in the order of the YAML files, and its hash.
// The inverse of the readers: what json_text makes of it, the loader reads back to the same Spec.
#include "model/spec/spec_json.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "model/spec/driver_json.h"
#include "model/spec/json_decimal.h"
#include "model/spec/json_text.h"
#include "model/spec/names.h"
#include "model/spec/read_links.h"
#include "model/spec/read_memory_latency.h"
#include "model/spec/scalar_rules.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

Json decimal(std::uint64_t value, int digits) { return json_decimal(value, digits); }
Json time_us(Picoseconds time) { return json_time_us(time); }

Json pcie_json(const PcieSpec& pcie) {
  Json json = {{"clock_mhz", decimal(pcie.clock_hz, kFrequencyDigits)},
               {"num_lanes", pcie.num_lanes},
               {"burst_bytes", pcie.burst_bytes},
               {"latency_us", time_us(pcie.latency)}};
  if (pcie.transfers != Transfers::kWhole) json["transfers"] = to_string(pcie.transfers);
  return json;
}

Json dispatcher_json(const std::vector<DispatchClass>& classes) {
  Json json = Json::array();
  for (const DispatchClass& size : classes) {
    json.push_back({{"max_threads", size.max_threads},
                    {"tb_issue_mhz", decimal(size.tb_issue_hz, kFrequencyDigits)},
                    {"turnaround_cycles", size.turnaround_cycles}});
  }
  return json;
}

Json framework_json(const GpuSpec& gpu) {
  const FrameworkSpec& framework = gpu.framework;
  Json json = {{"num_ksrs", framework.num_ksrs},
               {"num_command_buffers", framework.num_command_buffers},
               {"tb_id_bits", framework.tb_id_bits},
               {"search_entry_cycles", framework.search_entry_cycles},
               {"kernel_activation_cycles", framework.kernel_activation_cycles},
               {"sm_setup_cycles", framework.sm_setup_cycles},
               {"tb_issue_cycles", framework.tb_issue_cycles},
               {"pipeline_drain_cycles", framework.pipeline_drain_cycles},
               {"trap_entry_cycles", framework.trap_entry_cycles},
               {"dispatch_cycles", framework.dispatch_cycles}};
  if (framework.engine != Engine::kSerialised) json["engine"] = to_string(framework.engine);
  if (framework.tb_issue_hz > 0) json["tb_issue_mhz"] = decimal(framework.tb_issue_hz, kFrequencyDigits);
  if (!framework.link_cycles.up.empty()) {
    json["link_cycles"] = {{"up", framework.link_cycles.up}, {"down", framework.link_cycles.down}};
  }
  if (framework.setup_tag_bits != 0) json["setup_tag_bits"] = framework.setup_tag_bits;
  if (framework.refill_lane || has_lane_by_default(framework.engine, gpu.num_sms)) {
    json["refill_lane"] = framework.refill_lane;
  }
  if (framework.graph_dispatch_cycles) json["graph_dispatch_cycles"] = *framework.graph_dispatch_cycles;
  if (framework.channels != Channels::kAll) {
    json["channels"] = to_string(framework.channels);
    json["channel_quantum_us"] = time_us(framework.channel_quantum);
  }
  if (framework.shares_sms()) {
    json["sm_sharing"] = to_string(framework.sm_sharing);
    json["dispatcher"] = dispatcher_json(framework.dispatcher);
  }
  if (framework.shares_sms() || framework.beside_others_cycles > 0) {
    json["beside_others_cycles"] = framework.beside_others_cycles;
  }
  Json gpu_switch = to_json(framework.gpu_switch);
  if (!gpu_switch.empty()) json["gpu_switch"] = std::move(gpu_switch);
  return json;
}

Json mig_json(const MigSpec& mig) {
  Json json = {{"slices", mig.slices}, {"memory_slices", mig.memory_slices}, {"instances", Json::array()}};
  for (const MigInstance& instance : mig.instances) {
    json["instances"].push_back(
        {{"slices", instance.slices}, {"memory_slices", instance.memory_slices}, {"sms", instance.sms}});
  }
  return json;
}

Json gpu_json(const GpuSpec& gpu) {
  Json json = {{"schema_version", kSchemaVersion},
               {"name", gpu.name},
               {"clock_mhz", decimal(gpu.clock_hz, kFrequencyDigits)},
               {"num_sms", gpu.num_sms},
               {"max_tbs_per_sm", gpu.max_tbs_per_sm},
               {"max_threads_per_sm", gpu.max_threads_per_sm},
               {"registers_per_sm", gpu.registers_per_sm},
               {"shared_memory_bytes", gpu.shared_memory_bytes}};
  const GpuSpec plain;  // what a file without these keys says
  if (gpu.shared_memory_choice != plain.shared_memory_choice) {
    json["shared_memory_choice"] = to_string(gpu.shared_memory_choice);
  }
  if (gpu.shared_memory_reserve_bytes != plain.shared_memory_reserve_bytes) {
    json["shared_memory_reserve_bytes"] = gpu.shared_memory_reserve_bytes;
  }
  if (gpu.register_allocation_warps != plain.register_allocation_warps) {
    json["register_allocation_warps"] = gpu.register_allocation_warps;
  }
  json["memory_bandwidth_gbps"] = decimal(gpu.memory_bandwidth_bytes_per_s, kRateDigits);
  json["num_hardware_queues"] = gpu.num_hardware_queues;
  json["num_dma_engines"] = gpu.num_dma_engines;
  if (gpu.framework.shares_sms() && gpu.stream_priorities) json["stream_priorities"] = *gpu.stream_priorities;
  json["pcie"] = pcie_json(gpu.pcie);
  json["framework"] = framework_json(gpu);
  if (gpu.mig) json["mig"] = mig_json(*gpu.mig);
  return json;
}

// Only where it is used: results of other experiments do not hang on it.
Json memory_latency_json(const MemoryLatencySpec& memory) {
  Json json = {{"unloaded_ns", decimal(memory.unloaded, kLatencyDigits)},
               {"bytes_per_thread", memory.bytes_per_thread},
               {"sm_gbps", decimal(memory.sm_bytes_per_s, kRateDigits)},
               {"curve", Json::array()}};
  for (const LatencyPoint& point : memory.curve) {
    json["curve"].push_back(
        {{"gbps", decimal(point.bytes_per_s, kRateDigits)}, {"latency", decimal(point.factor_ppm, kPpmDigits)}});
  }
  return json;
}

Json host_io_json(const HostIoSpec& io) {
  Json json = {{"cache_gbps", decimal(io.cache_bytes_per_s, kRateDigits)}};
  if (io.disk_bytes_per_s > 0) {
    json["disk_mbps"] = decimal(io.disk_bytes_per_s, kFrequencyDigits);  // mega, as those
    json["disk_switch_us"] = time_us(io.disk_switch);
  }
  json["request_us"] = time_us(io.request);
  return json;
}

Json host_json(const HostSpec& host) {
  Json json = {{"schema_version", kSchemaVersion},
               {"name", host.name},
               {"launch_us", time_us(host.launch)},
               {"copy_us", time_us(host.copy)},
               {"synchronise_us", time_us(host.synchronise)},
               {"interrupt_us", time_us(host.interrupt)}};
  if (host.cpu) {
    json["cores"] = host.cpu->num_cores;
    json["threads_per_core"] = host.cpu->threads_per_core;
    json["wake_us"] = time_us(host.cpu->wake);
  }
  if (host.io) json["io"] = host_io_json(*host.io);
  return json;
}

// Keys of a kept turn, where a mapping without them would say something else. `inherited`: what it has by itself.
void add_turn(Json& json, const SchedulerSpec& scheduler, const SchedulerSpec& inherited) {
  const auto add = [&](const char* key, auto member) {
    const auto value = scheduler.*member;
    if (value != SchedulerSpec{}.*member || value != inherited.*member) json[key] = to_string(value);
  };
  add("turn", &SchedulerSpec::turn);
  add("switch_scope", &SchedulerSpec::switch_scope);
  add("dry_owner", &SchedulerSpec::dry_owner);
  add("slice_renewal", &SchedulerSpec::slice_renewal);
  add("next_turn", &SchedulerSpec::next_turn);
}

Json scheduler_json(const SchedulerSpec& scheduler, const SchedulerSpec& inherited) {
  Json json = {{"policy", to_string(scheduler.policy)},
               {"technique", to_string(scheduler.technique)},
               {"access", to_string(scheduler.access)},
               {"exclusive_scope", to_string(scheduler.exclusive_scope)},
               {"token_scope", to_string(scheduler.token_scope)},
               {"search_width", scheduler.search_width},
               {"fill", to_string(scheduler.fill)},
               {"tbs_per_cycle", scheduler.tbs_per_cycle},
               {"time_slice_us", time_us(scheduler.time_slice)}};
  if (scheduler.technique == TechniqueKind::kFlush) {
    json["flush_fallback"] = to_string(scheduler.flush_fallback);
    json["max_flushes_per_tb"] = scheduler.max_flushes_per_tb;
  }
  if (info(scheduler.technique).chooses_victims) {
    json["max_flushes_per_tb"] = scheduler.max_flushes_per_tb;
    json["latency_limit_us"] = time_us(scheduler.latency_limit);
    json["estimator"] = to_string(scheduler.estimator);
    json["switch_pricing"] = to_string(scheduler.switch_pricing);
    json["enable_escalation"] = scheduler.enable_escalation;
    if (scheduler.candidate_sets != CandidateSets::kDecision)
      json["candidate_sets"] = to_string(scheduler.candidate_sets);
  }
  if (scheduler.technique == TechniqueKind::kChimera) json["chimera_mix"] = to_string(scheduler.chimera_mix);
  if (scheduler.debt != Debt::kAlways) json["debt"] = to_string(scheduler.debt);
  if (scheduler.remainder != Remainder::kPool) json["remainder"] = to_string(scheduler.remainder);
  add_turn(json, scheduler, inherited);
  if (scheduler.linger > 0) json["linger_us"] = time_us(scheduler.linger);
  if (info(scheduler.policy).order == PolicyOrder::kPartition) json["order"] = to_string(scheduler.order);
  return json;
}

Json contention_json(const ContentionSpec& contention) {
  return {{"model", to_string(contention.model)},
          {"domain", to_string(contention.domain)},
          {"compute", decimal(contention.factor_ppm_of(KernelKind::kCompute), kPpmDigits)},
          {"memory", decimal(contention.factor_ppm_of(KernelKind::kMemory), kPpmDigits)}};
}

Json preset_json(const PresetSpec& preset, const std::vector<PartitionSpec>& partitions) {
  const bool is_mig = preset.kind == PresetKind::kMig;
  Json json = {{"preset", to_string(preset.kind)}};
  if (is_mig && preset.is_hypothetical) json["slice_sms"] = preset.slice_sms;
  Json& entries = json[is_mig ? "instances" : "clients"];
  for (const PartitionSpec& partition : partitions) {
    Json share = is_mig ? Json(partition.share) : decimal(partition.share, kPercentDigits);
    entries.push_back({{"name", partition.name}, {is_mig ? "slices" : "percent", std::move(share)}});
  }
  return json;
}

Json partitions_json(const Spec& spec) {
  if (spec.preset) return preset_json(*spec.preset, spec.partitions);
  Json json = Json::array();
  for (const PartitionSpec& partition : spec.partitions) {
    json.push_back({{"name", partition.name}, {"sms", partition.sms}});
  }
  return json;
}

// Times of a file are written out, so that the results need nothing beside them.
void add_releases(Json& json, const ReleaseSpec& releases) {
  json["arrivals"] = to_string(releases.arrivals);
  if (releases.arrivals != Arrivals::kFile) json["period_us"] = time_us(releases.period);
  if (releases.arrivals == Arrivals::kUniform) json["period_spread"] = decimal(releases.period_spread_ppm, kPpmDigits);
  json["offset_us"] = time_us(releases.offset);
  json["overrun"] = to_string(releases.overrun);
  for (const Picoseconds time : releases.times) json["arrival_times_us"].push_back(time_us(time));
}

Json process_json(const ProcessSpec& process, const Spec& spec) {
  Json json = {{"name", process.name},
               {"application", spec.applications.at(process.application).name},
               {"priority", process.priority}};
  if (process.tokens) json["tokens"] = *process.tokens;
  if (!spec.partitions.empty()) json["partition"] = spec.partitions.at(process.partition).name;
  if (process.deadline) json["deadline_us"] = time_us(*process.deadline);
  if (process.time_slice) json["time_slice_us"] = time_us(*process.time_slice);
  if (process.slice_end != SliceEnd::kTechnique) json["slice_end"] = to_string(process.slice_end);
  json["background"] = process.is_background;
  json["start_us"] = time_us(process.start);
  if (process.runs) json["runs"] = *process.runs;
  if (process.pause > 0) json["pause_us"] = time_us(process.pause);
  if (process.pause_spread_ppm > 0) json["pause_spread"] = decimal(process.pause_spread_ppm, kPpmDigits);
  if (process.releases) add_releases(json, *process.releases);
  if (spec.host.cpu) {
    if (!process.cores.empty()) json["cores"] = process.cores;
    json["cpu_priority"] = process.cpu_priority;
    json["wait"] = to_string(process.wait);
  }
  return json;
}

Json workload_json(const Spec& spec) {
  Json processes = Json::array();
  for (const ProcessSpec& process : spec.processes) processes.push_back(process_json(process, spec));
  return {{"time_base", to_string(spec.time_base)}, {"processes", std::move(processes)}};
}

}  // namespace

Json to_json(const GpuSwitchSpec& costs) {
  Json json = Json::object();
  if (costs.preempted > 0) json["preempted_us"] = time_us(costs.preempted);
  if (costs.dry > 0) json["dry_us"] = time_us(costs.dry);
  if (costs.in_slice > 0) json["in_slice_us"] = time_us(costs.in_slice);
  if (costs.model == SaveModel::kMicrocode) {
    json["model"] = to_string(costs.model);
    json["save_us_per_warp"] = time_us(costs.microcode.save_per_warp);
    json["restore_us_per_warp"] = time_us(costs.microcode.restore_per_warp);
    json["save_us_per_kib"] = time_us(costs.microcode.save_per_kib);
    json["restore_us_per_kib"] = time_us(costs.microcode.restore_per_kib);
    json["bandwidth_gbps"] = decimal(costs.microcode.bandwidth, kRateDigits);
  }
  return json;
}

nlohmann::ordered_json to_json(const Spec& spec) {
  Json json = {{"schema_version", kSchemaVersion},
               {"name", spec.name},
               {"seed", spec.seed},
               {"gpu", gpu_json(spec.gpu)},
               {"host", host_json(spec.host)},
               {"scheduler", scheduler_json(spec.scheduler, {})}};
  if (spec.channel_sharing == ChannelSharing::kLoadedLatency && spec.gpu.memory_latency) {
    json["gpu"]["memory_latency"] = memory_latency_json(*spec.gpu.memory_latency);
  }
  if (!spec.partitions.empty()) json["scheduler"]["partitions"] = partitions_json(spec);
  if (spec.driver.kind != DriverKind::kPassThrough) json["driver"] = driver_json(spec.driver, spec);
  if (spec.baseline) {
    json["baseline"] = scheduler_json(*spec.baseline, spec.scheduler);
    const bool has_own_driver = driver_json(spec.driver, spec) != driver_json(spec.baseline_driver, spec);
    if (has_own_driver) json["baseline"]["driver"] = driver_json(spec.baseline_driver, spec);
  }
  json["dma"] = {{"policy", to_string(spec.dma_policy)}};
  json["memory_channel"] = {{"sharing", to_string(spec.channel_sharing)}};
  if (spec.contention.is_on()) json["contention"] = contention_json(spec.contention);
  json["applications"] = Json::array();
  for (const ApplicationSpec& application : spec.applications) json["applications"].push_back(to_json(application));
  json["workload"] = workload_json(spec);
  json["stop"] = {{"min_runs", spec.stop.min_runs}, {"max_time_us", time_us(spec.stop.max_time)}};
  json["checks"] = {{"enable_invariants", spec.checks.enable_invariants},
                    {"enable_context_check", spec.checks.enable_context_check}};
  return json;
}

std::string content_hash(const Spec& spec) { return text_hash(json_text(to_json(spec))); }

std::string text_hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  constexpr int kBits = 48;
  const std::uint64_t folded = (hash >> kBits) ^ (hash & ((std::uint64_t{1} << kBits) - 1));
  return fmt::format("{:012x}", folded);
}

}  // namespace tessera::spec
