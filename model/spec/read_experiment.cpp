// SPDX-License-Identifier: Apache-2.0
// Experiment -> Spec: the parts put together, and the rules that hold between them.
// Internal to model/spec.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "model/spec/core_cycles.h"
#include "model/spec/read_contention.h"
#include "model/spec/read_engine.h"
#include "model/spec/read_event_driven.h"
#include "model/spec/read_memory_latency.h"
#include "model/spec/read_occupancy_speed.h"
#include "model/spec/read_partitions.h"
#include "model/spec/read_policy_keys.h"
#include "model/spec/read_sm_sharing.h"
#include "model/spec/read_stream_priorities.h"
#include "model/spec/read_turn.h"
#include "model/spec/read_workload.h"
#include "model/spec/read_xsched.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

// Of the foreground processes with `runs`, the one with the fewest; none has: null.
const ProcessSpec* first_to_end(const std::vector<ProcessSpec>& processes) {
  const ProcessSpec* first = nullptr;
  for (const ProcessSpec& process : processes) {
    if (process.is_background || !process.runs) continue;
    if (first == nullptr || *process.runs < *first->runs) first = &process;
  }
  return first;
}

void read_stop(MappingReader reader, Spec& spec) {
  const bool is_given = reader.optional("min_runs", spec.stop.min_runs, kRuns,
                                        "runs that ended, of every process that is not in the background");
  reader.optional("max_time_us", spec.stop.max_time, kPositiveTime, "simulated time, whatever has completed by then");
  reader.reject_unknown_keys();
  const ProcessSpec* ends_first = first_to_end(spec.processes);
  if (ends_first == nullptr || spec.stop.min_runs <= *ends_first->runs) return;
  if (is_given) {
    reader.reject("min_runs", fmt::format("process '{}' ends before it has so many runs", ends_first->name),
                  fmt::format("{}", spec.stop.min_runs), fmt::format("at most its runs: {}", *ends_first->runs));
  }
  spec.stop.min_runs = *ends_first->runs;
}

void read_checks(MappingReader checks, Spec& spec) {
  checks.optional("enable_invariants", spec.checks.enable_invariants, Boolean{},
                  "the rules of the machine, on every record");
  checks.optional("enable_context_check", spec.checks.enable_context_check, Boolean{},
                  "every save and restore moves real bytes, which are compared");
  checks.reject_unknown_keys();
}

// A policy that orders by deadlines needs one; processes without come last. `reader`: that of the scheduler.
void require_deadlines(MappingReader reader, const SchedulerSpec& scheduler, const Spec& spec) {
  const bool has_deadlines = std::any_of(spec.processes.begin(), spec.processes.end(),
                                         [](const ProcessSpec& process) { return process.deadline.has_value(); });
  const bool has_order = info(scheduler.policy).order == PolicyOrder::kPartition;
  if (is_partitioned(scheduler) && spec.partitions.empty()) return;  // reported already
  if (has_deadlines || !orders_by(scheduler, PolicyOrder::kDeadline) || !(reader.has("policy") || reader.has("order")))
    return;
  reader.reject(has_order && reader.has("order") ? "order" : "policy", "orders by deadlines, and no process has one",
                std::string(has_order ? to_string(scheduler.order) : to_string(scheduler.policy)),
                fmt::format("deadline_us in one of workload.processes, or another {}", has_order ? "order" : "policy"));
}

// Partitions are the scheduler's, and processes are in those. `reader`: that of the baseline.
void require_partitions(MappingReader reader, const SchedulerSpec& baseline, const Spec& spec) {
  if (!is_partitioned(baseline) || is_partitioned(spec.scheduler)) return;
  reader.reject("policy", "the scheduler has no partitions", std::string(to_string(baseline.policy)),
                "another policy, or it in the scheduler too");
}

// Who has a budget of 0 runs in debt only, and two of them wait for each other. `reader`: that of the scheduler.
void require_budgets(MappingReader reader, const SchedulerSpec& scheduler, const Spec& spec) {
  const bool may_wait_for_ever = scheduler.debt == Debt::kLone || scheduler.debt == Debt::kNever;
  if (info(scheduler.policy).order != PolicyOrder::kTokens || !may_wait_for_ever || !reader.has("debt")) return;
  const std::size_t share = spec.processes.empty() ? 1 : spec.gpu.num_sms / spec.processes.size();
  for (const ProcessSpec& process : spec.processes) {
    if (process.tokens.value_or(share) > 0) continue;
    reader.reject("debt", fmt::format("process '{}' has a budget of 0 SMs, and may never get one", process.name),
                  std::string(to_string(scheduler.debt)), "always, gap");
    return;
  }
}

// A size or latency of the framework, or where it would stand in the GPU at `path`.
void reject_framework(const Node& gpu, const KeyPath& path, std::string_view key, std::string problem,
                      std::uint64_t value, std::uint64_t least, Report& report) {
  const Node* const framework = gpu.find("framework");
  const Node* const given = framework != nullptr ? framework->find(key) : nullptr;
  report.add((given != nullptr ? *given : gpu).where, path / "framework" / key, std::move(problem),
             fmt::format("{}", value), fmt::format("at least {}", least));
}

// Kernels of a partition never wait for a table entry that one of another partition has.
void require_room_for_partitions(const Node& gpu, const KeyPath& path, const Spec& spec, Report& report) {
  if (spec.partitions.empty() || spec.processes.empty()) return;
  const std::size_t queues_per_process = spec.gpu.num_hardware_queues / spec.processes.size();
  std::size_t num_kernels = 0;
  for (const ProcessSpec& process : spec.processes) {
    num_kernels += std::min<std::size_t>(queues_per_process, spec.applications.at(process.application).num_streams());
  }
  const FrameworkSpec& framework = spec.gpu.framework;
  if (framework.num_command_buffers < spec.processes.size()) {
    reject_framework(gpu, path, "num_command_buffers", "with static_partition, each process needs one",
                     framework.num_command_buffers, spec.processes.size(), report);
  }
  if (framework.num_ksrs < num_kernels) {
    reject_framework(gpu, path, "num_ksrs", "with static_partition, each stream of a process needs one",
                     framework.num_ksrs, num_kernels, report);
  }
}

// Not again for a baseline that has it from the scheduler.
void require_search_width(MappingReader reader, const SchedulerSpec& scheduler) {
  if (is_search_width(scheduler.search_width) || !reader.has("search_width")) return;
  reader.reject("search_width", "the core does not have it", fmt::format("{}", scheduler.search_width), "1, 2, 4");
}

template <typename E>
void read_single_choice(MappingReader reader, std::string_view key, E& out, Meaning meaning) {
  reader.optional(key, out, Choice<E>{}, meaning);
  reader.reject_unknown_keys();
}

}  // namespace

Spec read_experiment(const Node& root, Cores cores, UnreadKeys unread, Report& report) {
  Spec spec;
  MappingReader reader(root, {}, report);
  read_schema_version(reader, root);
  reader.required("name", spec.name, FolderName{}, "names the results folder");
  reader.optional("seed", spec.seed, Number{},
                  "of the random draws: durations and progress of thread blocks, random releases");

  const std::size_t before_gpu = report.size();
  const Node& gpu = reader.node("gpu", Presence::kRequired, gpu_form, "the machine: a GPU file, or its keys");
  spec.gpu = read_gpu(gpu, reader.path("gpu"), report);
  const bool is_gpu_good = report.size() == before_gpu && is_sound(gpu);
  const Node& framework = reader.node(
      "framework", Presence::kOptional, [] { return keys_form("gpu.framework"); },
      "keys of the GPU's `framework`, over those that its file has: `framework: {engine: ideal}`. `--set "
      "gpu.framework.engine=..` stands over both");
  const MappingReader check(framework, reader.path("framework"),
                            report);  // keys are read with the GPU's own (references.h)
  const Node& host = reader.node("host", Presence::kOptional, host_form,
                                 "what API calls cost: a host file, or its keys; left out: the defaults of one");
  const std::size_t before_host = report.size();
  spec.host = read_host(host, reader.path("host"), report);
  const bool is_host_good = report.size() == before_host && (!reader.has("host") || is_sound(host));

  const std::uint32_t num_sms = spec.gpu.num_sms > 0 ? spec.gpu.num_sms : kMaxSms;  // while the GPU is not known
  const Node& scheduler =
      reader.node("scheduler", Presence::kRequired, mapping_form, "who decides, and how SMs are preempted");
  const MappingReader scheduler_reader(scheduler, reader.path("scheduler"), report);
  const std::size_t before_scheduler = report.size();
  spec.scheduler = read_scheduler(scheduler_reader, Presence::kRequired, {}, num_sms, cores, &spec, report);
  const bool is_scheduler_good = report.size() == before_scheduler && is_sound(scheduler);
  MappingReader baseline_reader =
      reader.mapping("baseline", Presence::kOptional,
                     "the same workload is simulated under this scheduler too; it has the keys of `scheduler`, and "
                     "what it leaves out is as there; its `driver` has the keys of `driver`, in the same way");
  const MappingReader baseline_driver_reader =
      baseline_reader.mapping("driver", Presence::kOptional, "as `driver`; what it leaves out is as there");
  const SchedulerSpec baseline =
      read_scheduler(baseline_reader, Presence::kOptional, spec.scheduler, num_sms, cores, nullptr, report);
  if (reader.has("baseline")) spec.baseline = baseline;
  const bool are_schedulers_good = report.size() == before_scheduler && is_sound(scheduler);
  read_single_choice(reader.mapping("dma", Presence::kOptional, "the copy engines"), "policy", spec.dma_policy,
                     "which copy is next: the first to come, or that of the highest priority");
  const MappingReader memory_channel_reader =
      reader.mapping("memory_channel", Presence::kOptional, "the memory bandwidth that saves and restores share");
  read_single_choice(
      memory_channel_reader, "sharing", spec.channel_sharing,
      "each SM has its share always, or those that move contexts have it all; or all that use memory share it, since "
      "it answers later the more is asked of it ([loaded_memory](../concepts/loaded_memory.md)): at transaction level, "
      "with the techniques `context_switch` and `drain`, not with event-driven kernels, and with a GPU that has "
      "`memory_latency`");
  const MappingReader contention_reader = reader.mapping(
      "contention", Presence::kOptional,
      "how kernels that run side by side slow each other down ([partitions.md](../concepts/partitions.md#contention)); "
      "at transaction level, with the techniques `context_switch` and `drain`, and not with event-driven kernels");
  spec.contention = read_co_running(contention_reader);
  const std::size_t before_workload = report.size();
  const MappingReader workload_reader = reader.mapping("workload", Presence::kRequired, "who runs what");
  const GoodParts good{is_gpu_good ? &spec.gpu : nullptr, is_host_good ? &spec.host : nullptr, is_scheduler_good};
  read_workload(workload_reader, good, cores, spec, report);
  const Node* const workload = root.find("workload");
  const bool is_workload_good = report.size() == before_workload && workload != nullptr && is_sound(*workload);
  const MappingReader driver_reader =
      reader.mapping("driver", Presence::kOptional,
                     "what stands between processes and hardware queues ([drivers](../concepts/drivers.md))");
  spec.driver = read_driver(driver_reader, {}, spec, report);
  spec.baseline_driver = read_driver(baseline_driver_reader, spec.driver, spec, report);
  check_co_running({contention_reader, scheduler_reader, baseline_reader}, cores, is_workload_good, spec);
  check_loaded_latency({reader, memory_channel_reader, scheduler_reader, baseline_reader},
                       {is_gpu_good, are_schedulers_good, is_workload_good}, cores, spec);
  require_deadlines(scheduler_reader, spec.scheduler, spec);
  require_deadlines(baseline_reader, baseline, spec);
  if (is_scheduler_good) require_partitions(baseline_reader, baseline, spec);
  if (are_schedulers_good) {
    check_run_list(driver_reader, spec.driver, spec.scheduler);
    if (spec.baseline) check_run_list(baseline_driver_reader, spec.baseline_driver, *spec.baseline);
  }
  if (is_workload_good) {
    check_priority_levels(workload_reader, spec);
    if (are_schedulers_good) check_occupancy_speed(scheduler_reader, baseline_reader, spec);
    check_driver_of_priorities(driver_reader, spec.driver, spec);
    if (spec.baseline) check_driver_of_priorities(baseline_driver_reader, spec.baseline_driver, spec);
  }
  if (unread == UnreadKeys::kRefused && are_schedulers_good && is_workload_good) {
    settle_policy_keys(root, spec, report);
  }
  if (is_gpu_good && are_schedulers_good && is_workload_good) {
    check_turn({scheduler_reader, baseline_reader, workload_reader}, cores, spec);
  }
  if (is_gpu_good && is_scheduler_good && is_workload_good) {
    require_room_for_partitions(gpu, reader.path("gpu"), spec, report);
  }
  if (is_gpu_good) {
    const MappingReader gpu_reader(gpu, path_within(gpu, reader.path("gpu")), report);
    read_engine({gpu_reader, scheduler_reader, baseline_reader}, cores, is_scheduler_good, spec);
    if (are_schedulers_good && is_workload_good) {
      check_sm_sharing({gpu_reader, scheduler_reader, baseline_reader, driver_reader, baseline_driver_reader,
                        contention_reader, workload_reader},
                       cores, spec);
    }
    check_link_of_event_driven(gpu_reader, spec);
    check_event_driven_experiment({scheduler_reader, driver_reader}, spec.scheduler, spec.driver, spec);
    if (spec.baseline) {
      check_event_driven_experiment({baseline_reader, baseline_driver_reader}, *spec.baseline, spec.baseline_driver,
                                    spec);
    }
    check_queues_for_io(workload_reader, spec);
    require_budgets(scheduler_reader, spec.scheduler, spec);
    require_budgets(baseline_reader, baseline, spec);
  }
  if (includes(cores, Cores::kClocked)) {
    require_search_width(scheduler_reader, spec.scheduler);
    if (spec.baseline) require_search_width(baseline_reader, *spec.baseline);
  }
  read_stop(reader.mapping("stop", Presence::kOptional, "when the experiment ends"), spec);
  read_checks(reader.mapping("checks", Presence::kOptional, "what is checked during the run"), spec);
  reader.reject_unknown_keys();
  return spec;
}

}  // namespace tessera::spec
