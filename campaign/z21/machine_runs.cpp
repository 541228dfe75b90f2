// SPDX-License-Identifier: Apache-2.0
#include "campaign/z21/machine_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/realtime/generation.h"
#include "model/realtime/partition_experiment.h"
#include "model/realtime/task_kernels.h"
#include "model/workload/draws.h"
#include "platform/simulation.h"

namespace tessera::campaign::z21 {

// On their way between processes.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LateJob, task, run, has_ended, response_ms, deadline_ms, busy_ms, lost_ms)

void to_json(nlohmann::json& json, const MachineOutcome& o) {
  json = {o.is_rejected,    o.jobs,
          o.missed,         o.worst_of_deadline,
          o.worst_of_bound, o.first_late ? nlohmann::json(*o.first_late) : nlohmann::json(nullptr),
          o.effort,         o.faults};
}

void from_json(const nlohmann::json& json, MachineOutcome& o) {
  std::size_t i = 0;
  const auto next = [&](auto& field) { json.at(i++).get_to(field); };
  next(o.is_rejected);
  next(o.jobs);
  next(o.missed);
  next(o.worst_of_deadline);
  next(o.worst_of_bound);
  if (const nlohmann::json& late = json.at(i++); !late.is_null()) o.first_late = late.get<LateJob>();
  next(o.effort);
  next(o.faults);
}

namespace {

using realtime::Nanoseconds;

constexpr std::uint32_t kLevels = 16;                 // of priorities
constexpr std::uint64_t kOffsets = 0x6F666673657473;  // the stream of draws of first releases
constexpr std::size_t kNamedFaults = 3;

// The shortest deadlines first, as many to a level as have to be.
void set_deadline_monotonic(std::vector<spec::ProcessSpec>& processes) {
  std::set<Picoseconds> deadlines;
  for (const spec::ProcessSpec& process : processes) deadlines.insert(*process.deadline);
  for (spec::ProcessSpec& process : processes) {
    const auto rank = static_cast<std::size_t>(std::distance(deadlines.begin(), deadlines.find(*process.deadline)));
    const std::size_t level = deadlines.size() <= kLevels ? rank : rank * kLevels / deadlines.size();
    process.priority = static_cast<std::uint32_t>(kLevels - 1 - level);
  }
}

realtime::MachinePartitioning whole_gpu(const realtime::TaskSet& set) {
  realtime::MachinePartitioning whole;
  realtime::Partition& partition = whole.partitions.emplace_back().partition;
  for (std::uint32_t i = 0; i < set.tasks.size(); ++i) partition.tasks.push_back(i);
  partition.num_sms = set.num_sms;
  return whole;
}

std::vector<spec::KernelSpec> kernels_of(const spec::TaskSetSpec& set, std::uint32_t granularity) {
  std::vector<spec::KernelSpec> kernels = realtime::kernels_of(set);
  for (spec::KernelSpec& kernel : kernels) {
    kernel.num_tbs *= granularity;
    *kernel.tb_time /= granularity;
  }
  return kernels;
}

std::vector<std::string> names_of(std::size_t number) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < number; ++i) names.push_back(fmt::format("p{}", i));
  return names;
}

bool is_of_those_that_meet(ContentionOf contention) {
  return contention == ContentionOf::kMetInPartition || contention == ContentionOf::kMetOnGpu;
}

// Partitions, their processes and how long thread blocks take; under another policy the GPU is one partition until the
// scheme's policy takes it over.
spec::Spec experiment_of(const spec::TaskSetSpec& set, const realtime::MachineTasks& of, const Scheme& scheme,
                         const Conditions& conditions, const realtime::MachinePartitioning& partitioning) {
  const realtime::MachinePartitioning whole = whole_gpu(*of.tasks);
  const bool is_co_running = is_of_those_that_meet(conditions.contention);
  const auto made = [&](const realtime::MachinePartitioning& partitions) {
    return realtime::experiment_of(
        set, of, partitions, names_of(partitions.partitions.size()),
        is_co_running ? realtime::SimulatedContention::kCoRunning : realtime::SimulatedContention::kAssumed);
  };
  spec::Spec experiment = made(scheme.has_partitions ? partitioning : whole);
  if (conditions.contention == ContentionOf::kGpu) experiment.applications = made(whole).applications;
  if (conditions.contention == ContentionOf::kMetOnGpu) experiment.contention.domain = spec::ContentionDomain::kGpu;
  if (!scheme.has_partitions) {
    experiment.partitions.clear();
    experiment.scheduler.policy = scheme.policy;
    experiment.scheduler.access = spec::Access::kShared;
    experiment.scheduler.exclusive_scope = spec::ExclusiveScope::kNeeded;
    set_deadline_monotonic(experiment.processes);
  }
  return experiment;
}

// By task: the bound of its response, where there is one.
std::vector<std::optional<Nanoseconds>> bounds_of(const realtime::MachinePartitioning& partitioning,
                                                  std::size_t num_tasks) {
  std::vector<std::optional<Nanoseconds>> bounds(num_tasks);
  for (const realtime::AnalysedPartition& one : partitioning.partitions) {
    for (std::size_t i = 0; i < one.responses.size(); ++i) bounds[one.partition.tasks[i]] = one.responses[i];
  }
  return bounds;
}

MachineOutcome run(const spec::Spec& experiment, const std::vector<std::optional<Nanoseconds>>& bounds,
                   const std::string& name, const std::function<bool()>& is_interrupted) {
  FirstLate first_late(experiment);
  const record::RunResult result = platform::simulate(experiment, {&first_late}, is_interrupted);
  MachineOutcome outcome;
  const Clock clock(experiment.gpu.clock_hz);
  for (std::size_t i = 0; i < experiment.processes.size(); ++i) {
    const record::FrameResult& frames = result.processes.at(i).frames;
    outcome.jobs += frames.judged;
    outcome.missed += frames.missed;
    const auto response_ns = static_cast<double>(clock.time_of(frames.worst)) / 1e3;
    const auto deadline_ns = static_cast<double>(*experiment.processes[i].deadline) / 1e3;
    outcome.worst_of_deadline = std::max(outcome.worst_of_deadline, response_ns / deadline_ns);
    if (!bounds.at(i)) continue;
    outcome.worst_of_bound = std::max(outcome.worst_of_bound, response_ns / static_cast<double>(*bounds[i]));
  }
  outcome.first_late = first_late.late();
  outcome.effort = effort_of(result, experiment);
  for (const auto& [invariant, verdict] : result.invariants) {
    if (verdict != "ok" && verdict != "not checked" && outcome.faults.size() < kNamedFaults) {
      outcome.faults.push_back(name + ": " + invariant + ": " + verdict);
    }
  }
  return outcome;
}

}  // namespace

spec::TaskSetSpec task_set(const spec::Spec& base, const Conditions& conditions, std::uint32_t num_tasks,
                           std::uint32_t utilisation, std::uint64_t number) {
  realtime::GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  options.num_sms = base.gpu.num_sms;
  options.time_unit = conditions.time_unit;
  const realtime::TaskSet drawn = realtime::generate(options, base.seed, number);
  spec::TaskSetSpec set;
  set.name = fmt::format("u{}_{}", utilisation, number);
  set.gpu = base.gpu;
  set.host = base.host;
  set.time_base = spec::TimeBase::kTimePerTb;
  set.search_width = base.scheduler.search_width;
  if (conditions.contention == ContentionOf::kNobody) set.contention.factor.fill(realtime::kFactorParts);
  const std::uint64_t key = workload::mix64(workload::mix64(base.seed ^ kOffsets) + number);
  for (const realtime::Task& task : drawn.tasks) {
    spec::TaskSpec& one = set.tasks.emplace_back();
    one.name = task.name;
    one.kind = task.kind;
    one.period = task.period;
    one.deadline = task.deadline;
    one.work = task.work;
    one.tail_parts = task.tail_parts;
    if (!conditions.has_offsets) continue;
    const auto index = static_cast<std::uint64_t>(set.tasks.size());
    one.offset = static_cast<Nanoseconds>(workload::draw_below(key, index, static_cast<std::uint64_t>(task.period)));
  }
  return set;
}

MachineOutcome outcome_of(const spec::TaskSetSpec& set, const Scheme& scheme, const Conditions& conditions,
                          const std::string& name, const std::function<bool()>& is_interrupted) {
  if (is_interrupted()) return {};
  const spec::Spec machine = realtime::machine_of(set, scheme.technique);
  const std::vector<spec::KernelSpec> kernels = kernels_of(set, conditions.granularity);
  const realtime::TaskSet tasks = realtime::task_set_of(set, std::vector<std::vector<Nanoseconds>>(set.tasks.size()));
  const realtime::MachineTasks of{&tasks, &machine, &kernels, conditions.has_overheads};
  realtime::MachinePartitioning partitioning;
  if (scheme.has_partitions) {
    partitioning = realtime::partition_on_machine(of, {});
    if (!partitioning.is_schedulable) {
      MachineOutcome rejected;
      rejected.is_rejected = true;
      return rejected;
    }
  }
  return run(experiment_of(set, of, scheme, conditions, partitioning), bounds_of(partitioning, set.tasks.size()), name,
             is_interrupted);
}

}  // namespace tessera::campaign::z21
