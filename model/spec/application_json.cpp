// SPDX-License-Identifier: Apache-2.0
// An application as JSON: kernels, streams, and the steps of its program.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/spec/json_decimal.h"
#include "model/spec/names.h"
#include "model/spec/scalar_rules.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"

namespace tessera::spec {
namespace {

using Json = nlohmann::ordered_json;

Json event_driven_json(const EventDrivenSpec& event_driven) {
  Json body = Json::array();
  for (const LoopStep& step : event_driven.body) {
    if (step.is_callback()) {
      body.push_back({{"callback_us", json_time_us(step.callback)}});
    } else {
      body.push_back({{"io", to_string(step.direction)}, {"bytes", step.bytes}, {"medium", to_string(step.medium)}});
    }
  }
  return {{"mode", to_string(event_driven.mode)},
          {"slots", event_driven.slots},
          {"state_bytes_per_slot", event_driven.state_bytes_per_slot},
          {"loop", {{"count", event_driven.count}, {"body", std::move(body)}}}};
}

Json kernel_json(const KernelSpec& kernel) {
  Json json = {{"name", kernel.name},
               {"num_tbs", kernel.num_tbs},
               {"regs_per_tb", kernel.regs_per_tb},
               {"smem_bytes_per_tb", kernel.smem_bytes_per_tb - kernel.smem_reserve_bytes},
               {"threads_per_tb", kernel.threads_per_tb}};
  if (kernel.max_tbs_per_sm > 0) json["max_tbs_per_sm"] = kernel.max_tbs_per_sm;
  if (kernel.occupancy_speedup_ppm != 0) {
    json["occupancy_speedup"] = Json::parse(SignedNumber{0, kPpmDigits}.text(kernel.occupancy_speedup_ppm));
  }
  if (kernel.dram_bytes_per_tb > 0) json["dram_bytes_per_tb"] = kernel.dram_bytes_per_tb;
  if (kernel.bytes_in_flight_per_tb > 0) json["bytes_in_flight_per_tb"] = kernel.bytes_in_flight_per_tb;
  if (kernel.loads_all_along) json["loads_all_along"] = true;
  if (kernel.kernel_time) json["kernel_time_us"] = json_time_us(*kernel.kernel_time);
  if (kernel.tb_time) json["tb_time_us"] = json_time_us(*kernel.tb_time);
  if (kernel.kind) json["kind"] = to_string(*kernel.kind);
  if (kernel.idempotent_until_ppm > 0) json["idempotent_until"] = kernel.idempotent_until_ppm;
  if (kernel.is_persistent) {
    json["persistent"] = true;
  } else if (kernel.event_driven) {
    json["tb_time_spread"] = json_decimal(kernel.tb_time_spread_ppm, kPpmDigits);
    json["event_driven"] = event_driven_json(*kernel.event_driven);
  } else {
    json["tb_time_spread"] = json_decimal(kernel.tb_time_spread_ppm, kPpmDigits);
    const auto add_spread = [&json](const char* key, std::uint32_t ppm) {
      if (ppm > 0) json[key] = json_decimal(ppm, kPpmDigits);
    };
    add_spread("kernel_time_spread", kernel.kernel_time_spread_ppm);
    add_spread("work_share", kernel.work_share_ppm);
    add_spread("segment_cpi_spread", kernel.segment_cpi_spread_ppm);
    add_spread("neighbour_cpi_spread", kernel.neighbour_cpi_spread_ppm);
  }
  return json;
}

Json stream_json(const StreamSpec& stream) {
  Json json = {{"name", stream.name}};
  if (stream.priority) json["priority"] = *stream.priority;
  json["non_blocking"] = stream.is_non_blocking;
  return json;
}

Json program_json(const std::vector<HostStep>& steps, const ApplicationSpec& application);

// As the application writes its streams: by name, or by number.
Json reference_to_stream(std::uint32_t stream, const ApplicationSpec& application) {
  if (application.streams.empty()) return stream;
  return stream == 0 ? std::string(kDefaultStreamName) : application.streams.at(stream - 1).name;
}

struct StepToJson {
  const ApplicationSpec& application;

  Json stream(std::uint32_t number) const { return reference_to_stream(number, application); }
  const std::string& event(std::uint32_t number) const { return application.events.at(number); }

  Json operator()(const CpuPhase& cpu) const { return {{"cpu", {{"time_us", json_time_us(cpu.time)}}}}; }
  Json operator()(const Copy& copy) const {
    return {{"copy",
             {{"direction", to_string(copy.direction)},
              {"bytes", copy.bytes},
              {"stream", stream(copy.stream)},
              {"mode", to_string(copy.is_async ? CopyMode::kAsync : CopyMode::kSync)}}}};
  }
  Json operator()(const Launch& launch) const {
    Json json = {{"kernel", application.kernels.at(launch.kernel).name}, {"stream", stream(launch.stream)}};
    if (launch.start > 0) json["start_us"] = json_time_us(launch.start);
    if (launch.time_factor_ppm != Launch{}.time_factor_ppm) {
      json["time_factor"] = json_decimal(launch.time_factor_ppm, kPpmDigits);
    }
    if (launch.notifies) json["notify"] = true;
    return {{"launch", std::move(json)}};
  }
  Json operator()(const Synchronise& synchronise) const {
    Json json = Json::object();
    if (synchronise.stream) json["stream"] = stream(*synchronise.stream);
    if (synchronise.event) json["event"] = event(*synchronise.event);
    return {{"synchronise", std::move(json)}};
  }
  Json operator()(const RecordEvent& record) const {
    return {{"record", {{"event", event(record.event)}, {"stream", stream(record.stream)}}}};
  }
  Json operator()(const WaitForEvent& wait) const {
    return {{"wait", {{"event", event(wait.event)}, {"stream", stream(wait.stream)}}}};
  }
  Json operator()(const Loop& loop) const {
    return {{"loop", {{"count", loop.count}, {"body", program_json(loop.body, application)}}}};
  }
  Json operator()(const Group& group) const { return {{"group", program_json(group.work, application)}}; }
  Json operator()(const Graph& graph) const {
    Json nodes = Json::array();
    for (const HostStep& node : graph.nodes) nodes.push_back(node_json(node));
    Json json = {{"stream", stream(graph.stream)}, {"nodes", std::move(nodes)}};
    if (graph.edges) {
      json["edges"] = Json::array();
      for (const GraphEdge& edge : *graph.edges) json["edges"].push_back({edge.from, edge.to});
    }
    return {{"graph", std::move(json)}};
  }
  // A node as a graph writes it: it has no stream, and no copy waits.
  Json node_json(const HostStep& node) const {
    Json json = std::visit(*this, node);
    for (const char* const kind : {"launch", "copy"}) {
      if (!json.contains(kind)) continue;
      json[kind].erase("stream");
      json[kind].erase("mode");
    }
    if (const auto* loop = std::get_if<Loop>(&node)) {
      json["loop"]["body"] = Json::array();
      for (const HostStep& inner : loop->body) json["loop"]["body"].push_back(node_json(inner));
    }
    return json;
  }
};

Json program_json(const std::vector<HostStep>& steps, const ApplicationSpec& application) {
  Json json = Json::array();
  for (const HostStep& step : steps) json.push_back(std::visit(StepToJson{application}, step));
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const ApplicationSpec& application) {
  Json kernels = Json::array();
  for (const KernelSpec& kernel : application.kernels) kernels.push_back(kernel_json(kernel));
  Json json = {{"schema_version", kSchemaVersion}, {"name", application.name}, {"kernels", std::move(kernels)}};
  if (application.in_flight_share_ppm > 0) {
    json["in_flight_share"] = json_decimal(application.in_flight_share_ppm, kPpmDigits);
  }
  if (application.default_stream != DefaultStream::kPerThread) {
    json["default_stream"] = to_string(application.default_stream);
  }
  for (const StreamSpec& stream : application.streams) json["streams"].push_back(stream_json(stream));
  json["program"] = program_json(application.program, application);
  return json;
}

}  // namespace tessera::spec
