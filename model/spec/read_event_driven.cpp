// SPDX-License-Identifier: Apache-2.0
// A loop is a list of steps: {callback_us: ..} or {io: .., bytes: ..}.
// Internal to model/spec.
#include "model/spec/read_event_driven.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::spec {
namespace {

constexpr Number kSlots{1, 65'536};
constexpr Number kStateBytes{1, std::uint64_t{1} << 30};
constexpr Number kCount{1, 1'000'000'000};
constexpr Number kIoBytes{1, std::uint64_t{1} << 40};
constexpr std::size_t kMaxSteps = 64;
constexpr std::uint64_t kMostStateBytes = std::uint64_t{1} << 39;  // half of the window of device memory

constexpr std::string_view kWithoutMeaning[] = {
    "kernel_time_us",     "tb_time_us",           "kernel_time_spread", "idempotent_until",  "work_share",
    "segment_cpi_spread", "neighbour_cpi_spread", "persistent",         "dram_bytes_per_tb", "bytes_in_flight_per_tb"};

class LoopReader {
 public:
  LoopReader(const ApplicationContext& context, Report& report) : context_(context), report_(report) {}

  EventDrivenSpec read(MappingReader reader) {
    EventDrivenSpec event_driven;
    reader.optional("mode", event_driven.mode, Choice<LoopMode>{},
                    "a loop with nothing but I/O to wait for looks for it on the SM, or leaves");
    reader.optional("slots", event_driven.slots, kSlots, "for callbacks, of each loop; a control bit each");
    reader.optional("state_bytes_per_slot", event_driven.state_bytes_per_slot, kStateBytes, "what a callback keeps");
    MappingReader loop = reader.mapping("loop", Presence::kRequired, "what each thread block does");
    loop.required("count", event_driven.count, kCount, "times that it goes through the body");
    const std::vector<Node>& body = loop.mappings(
        "body", Presence::kRequired, "steps, one after the other, 64 at most: a callback, or an I/O operation");
    if (body.size() > kMaxSteps) {
      loop.reject("body", "too many steps", fmt::format("{}", body.size()), fmt::format("1 .. {}", kMaxSteps));
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
      event_driven.body.push_back(read_step({body[i], loop.path("body") / i, report_}));
    }
    loop.reject_unknown_keys();
    reader.reject_unknown_keys();
    return event_driven;
  }

 private:
  LoopStep read_step(MappingReader reader) {
    LoopStep step;
    const bool is_io = reader.has("io");
    reader.optional("callback_us", step.callback, kPositiveTime,
                    "the SM computes; thread blocks differ by `tb_time_spread`");
    reader.optional("io", step.direction, Choice<IoDirection>{},
                    "the host reads a file and copies it to the GPU, or the other way round");
    reader.read("bytes", is_io ? Presence::kRequired : Presence::kOptional, step.bytes, kIoBytes,
                "of an I/O operation");
    reader.optional("medium", step.medium, Choice<IoMedium>{}, "of an I/O operation: where the file is");
    reader.reject_unknown_keys();
    reader.require_one_of("callback_us", "io");
    if (is_io && reader.has("callback_us"))
      reader.reject("callback_us", "cannot be combined with io", "", "one of them");
    for (const char* key : {"bytes", "medium"}) {
      if (!is_io && reader.has(key)) reader.reject(key, "not valid for a callback");
    }
    if (is_io && context_.host != nullptr) check_host(reader, step);
    return step;
  }

  void check_host(MappingReader& reader, const LoopStep& step) {
    if (!context_.host->io) {
      reader.reject("io", fmt::format("host '{}' serves no files", context_.host->name), "", "a host with io");
    } else if (step.medium == IoMedium::kDisk && context_.host->io->disk_bytes_per_s == 0) {
      reader.reject("medium", fmt::format("host '{}' has no disk", context_.host->name), "disk",
                    "cache, or a host with io.disk_mbps");
    }
  }

  const ApplicationContext& context_;
  Report& report_;
};

}  // namespace

std::optional<EventDrivenSpec> read_event_driven(MappingReader& reader, const ApplicationContext& context,
                                                 Report& report) {
  const EventDrivenSpec event_driven =
      LoopReader(context, report)
          .read(reader.mapping(
              "event_driven", Presence::kOptional,
              "each of its thread blocks is a loop of callbacks and I/O, and can give the GPU up where a callback ends "
              "([gloop](../concepts/gloop.md)); all of them must fit the machine at once"));
  if (!reader.has("event_driven")) return std::nullopt;
  for (const std::string_view key : kWithoutMeaning) {
    if (reader.has(key)) reader.reject(key, "not valid for an event-driven kernel");
  }
  return event_driven;
}

void check_event_driven(MappingReader& reader, const KernelSpec& kernel, const GpuSpec& gpu) {
  const std::uint64_t at_once = std::uint64_t{workload::occupancy(gpu, kernel).tbs_per_sm} * gpu.num_sms;
  if (at_once > 0 && kernel.num_tbs > at_once) {
    reader.reject(
        "num_tbs",
        fmt::format("kernel '{}' is event-driven, and GPU '{}' does not hold all of its thread blocks at once",
                    kernel.name, gpu.name),
        fmt::format("{}", kernel.num_tbs), fmt::format("at most {}", at_once));
  }
  const EventDrivenSpec& loops = *kernel.event_driven;
  const std::uint64_t per_loop = loops.slots * loops.state_bytes_per_slot;  // 46 bits
  if (per_loop <= kMostStateBytes / kernel.num_tbs) return;
  MappingReader(reader.known_node("event_driven"), reader.path("event_driven"), reader.report())
      .reject("state_bytes_per_slot",
              fmt::format("the callbacks of kernel '{}' keep more than device memory has room for", kernel.name),
              fmt::format("{}", loops.state_bytes_per_slot),
              fmt::format("at most {}", kMostStateBytes / kernel.num_tbs / loops.slots));
}

void check_link_of_event_driven(MappingReader gpu, const Spec& spec) {
  const auto& all = spec.applications;
  if (spec.gpu.pcie.transfers == Transfers::kWhole ||
      std::none_of(all.begin(), all.end(), [](const auto& one) { return one.has_event_driven_kernels(); })) {
    return;
  }
  gpu.known_mapping("pcie").reject("transfers",
                                   "an application has event-driven kernels, whose calls of the host wait for no copy",
                                   "bursts", "whole");
}

void check_event_driven_experiment(MachineReaders readers, const SchedulerSpec& scheduler, const DriverSpec& driver,
                                   const Spec& spec) {
  const bool needs_preemption = driver.kind == DriverKind::kGloop && driver.on_timeout == OnTimeout::kPreempt;
  if (needs_preemption && !info(scheduler.policy).has(kPreempts) && readers.driver.has("on_timeout")) {
    readers.driver.reject("on_timeout", fmt::format("policy {} preempts no kernel", to_string(scheduler.policy)),
                          "preempt", "kill, or another policy");
  }
  const auto& all = spec.applications;
  if (std::none_of(all.begin(), all.end(), [](const auto& one) { return one.has_event_driven_kernels(); })) return;
  const bool serves_loops = driver.kind == DriverKind::kPassThrough || driver.kind == DriverKind::kGloop;
  if (!serves_loops && readers.driver.has("kind")) {
    readers.driver.reject("kind", "does not support event-driven kernels", std::string(to_string(driver.kind)),
                          "pass_through, gloop");
  }
  if (info(scheduler.technique).chooses_victims && readers.scheduler.has("technique")) {
    readers.scheduler.reject("technique", "does not support event-driven kernels",
                             std::string(to_string(scheduler.technique)), "context_switch, drain, flush");
  }
}

void check_queues_for_io(MappingReader reader, const Spec& spec) {
  const std::size_t queues = spec.processes.empty() ? 0 : spec.gpu.num_hardware_queues / spec.processes.size();
  for (const ProcessSpec& process : spec.processes) {
    if (process.application >= spec.applications.size()) return;  // it could not be read
    const ApplicationSpec& application = spec.applications[process.application];
    if (!application.has_io() || application.num_streams() < queues) continue;
    reader.reject("processes",
                  fmt::format("process '{}' has {} hardware queues, and needs one for I/O beside those of its streams",
                              process.name, queues),
                  fmt::format("{} streams", application.num_streams()), "more hardware queues, or fewer streams");
    return;
  }
}

}  // namespace tessera::spec
