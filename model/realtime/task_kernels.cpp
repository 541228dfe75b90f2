// SPDX-License-Identifier: Apache-2.0
// TBs that take what the formula of a task says.
#include "model/realtime/task_kernels.h"

#include <algorithm>

#include "model/spec/spec.h"
#include "model/spec/task_set_spec.h"
#include "model/workload/kernel_times.h"

namespace tessera::realtime {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;  // parts per million
constexpr Picoseconds kPicosecondsPerTailPart = 1000 / kTailParts;
static_assert(1000 % kTailParts == 0, "b is a whole number of ps");

spec::KernelSpec kernel_of_formula(const spec::TaskSetSpec& set, const spec::TaskSpec& task) {
  const Wide tbs = Wide{task.work} * kTailParts * set.tbs_per_sm / task.tail_parts;
  spec::KernelSpec kernel;
  kernel.name = task.name;
  kernel.num_tbs = static_cast<std::uint32_t>(std::max<Wide>(1, tbs));
  kernel.regs_per_tb = std::max<std::uint32_t>(1, set.gpu.registers_per_sm / set.tbs_per_sm);
  kernel.threads_per_tb = std::max<std::uint32_t>(1, set.gpu.max_threads_per_sm / set.tbs_per_sm);
  kernel.tb_time = static_cast<Picoseconds>(task.tail_parts) * kPicosecondsPerTailPart;
  return kernel;
}

}  // namespace

spec::KernelSpec with_literal_time(const spec::Spec& machine, spec::KernelSpec kernel) {
  const workload::TbTime time = workload::tb_time(machine, kernel);
  kernel.tb_time = Clock(machine.gpu.clock_hz).time_of(time.mean);
  kernel.kernel_time.reset();
  return kernel;
}

spec::Spec machine_of(const spec::TaskSetSpec& set, spec::TechniqueKind technique) {
  spec::Spec machine;
  machine.name = set.name;
  machine.gpu = set.gpu;
  machine.host = set.host;
  machine.scheduler.policy = spec::PolicyKind::kStaticPartition;
  machine.scheduler.order = spec::PartitionOrder::kEdf;
  machine.scheduler.technique = technique;
  machine.scheduler.access = spec::Access::kExclusive;
  const bool is_drain = technique == spec::TechniqueKind::kDrain;
  machine.scheduler.exclusive_scope = is_drain ? spec::ExclusiveScope::kAll : spec::ExclusiveScope::kNeeded;
  machine.scheduler.search_width = set.search_width;
  machine.time_base = set.time_base;
  return machine;
}

std::vector<spec::KernelSpec> kernels_of(const spec::TaskSetSpec& set) {
  const spec::Spec machine = machine_of(set, spec::TechniqueKind::kContextSwitch);
  std::vector<spec::KernelSpec> kernels;
  for (const spec::TaskSpec& task : set.tasks) {
    kernels.push_back(task.kernel ? with_literal_time(machine, *task.kernel) : kernel_of_formula(set, task));
  }
  return kernels;
}

Picoseconds longest_tb_time(const spec::KernelSpec& kernel) {
  Picoseconds time = kernel.tb_time.value_or(0);
  for (const std::uint32_t spread :
       {kernel.tb_time_spread_ppm, kernel.kernel_time_spread_ppm, kernel.neighbour_cpi_spread_ppm}) {
    time = mul_div_ceil(time, kMillion + spread, kMillion);
  }
  return time;
}

TaskSet task_set_of(const spec::TaskSetSpec& set, const std::vector<std::vector<Nanoseconds>>& tables) {
  TaskSet tasks;
  tasks.num_sms = set.gpu.num_sms;
  tasks.contention = set.contention;
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    const spec::TaskSpec& from = set.tasks[i];
    Task& task = tasks.tasks.emplace_back();
    task.name = from.name;
    task.kind = from.kind;
    task.period = from.period;
    task.deadline = from.deadline;
    task.work = from.work;
    task.tail_parts = from.tail_parts;
    task.table = tables.at(i);
  }
  return tasks;
}

}  // namespace tessera::realtime
