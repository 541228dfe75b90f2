// SPDX-License-Identifier: Apache-2.0
// Each term as docs/concepts/partitioning.md derives it, in cycles of the core, of the SMs, or in ns.
#include "model/realtime/overheads.h"

#include <algorithm>

#include "model/realtime/task_kernels.h"
#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::realtime {
namespace {

constexpr Cycle kDueUnit = 1024;  // docs/concepts/readings.md, EDF
constexpr Cycle kRounding = 4;    // times of the Spec become whole cycles, each on its own
constexpr std::uint64_t kPicosecondsPerNanosecond = 1000;

Cycle ceil_div(Cycle a, Cycle b) { return (a + b - 1) / b; }
Nanoseconds nanoseconds_in(Picoseconds time) {
  return static_cast<Nanoseconds>((time + kPicosecondsPerNanosecond - 1) / kPicosecondsPerNanosecond);
}

class Machine {
 public:
  Machine(const spec::Spec& spec, const std::vector<spec::KernelSpec>& kernels)
      : spec_(spec),
        clock_(spec.gpu.clock_hz),
        one_visit_(spec::kToWrite + 1 + spec::lane_row_wait_cycles(spec)),
        two_visits_(one_visit_ + spec::kVisitCycles + spec::lane_row_wait_cycles(spec)),
        is_drain_(spec.scheduler.technique == spec::TechniqueKind::kDrain) {
    for (const spec::KernelSpec& kernel : kernels) {
      const std::uint32_t tbs = workload::occupancy(spec.gpu, kernel).tbs_per_sm;
      tbs_per_sm_ = std::max(tbs_per_sm_, tbs);
      save_ = std::max(save_, workload::projected_save_time(spec.gpu, kernel));
      if (tbs > 1) unaligned_ = std::max(unaligned_, longest_tb_time(kernel));
    }
  }

  Nanoseconds time_of(Cycle cycles) const { return nanoseconds_in(clock_.time_of(cycles)); }

  // Call, doorbell, command and descriptor, and the dispatcher's look.
  Cycle launch_path() const {
    constexpr Cycle kWays = 1 + 2 * 2;
    return cycles(spec_.host.launch) + kWays * link() + spec_.gpu.framework.dispatch_cycles + kRounding;
  }

  // The dispatcher's look at the fence, its way to memory, the interrupt; later, if the fence came after the kernel.
  Cycle completion_path() const {
    const Cycle dispatch = spec_.gpu.framework.dispatch_cycles;
    const Cycle fence_lead = 2 * link() + dispatch;  // the launch has its descriptor to fetch, and was looked at
    const Cycle call = cycles(spec_.host.synchronise);
    const Cycle late = call > fence_lead ? call - fence_lead : 0;
    return dispatch + link() + std::max<Cycle>(1, cycles(spec_.host.interrupt)) + late + kRounding;
  }

  Cycle inversion() const { return kDueUnit + kRounding; }

  // Until an event that an SM shows has been served: in each batch an event of every SM, an issue job after each, and a
  // move of its SM; beside them the moves at hand. An SM is moved once, and again when an event has changed what it is.
  Cycle service() const {
    const Cycle sms = spec_.gpu.num_sms;
    const Cycle entry = spec::lane_entry_cycles(spec_);
    const Cycle event_job = entry + two_visits_ + 2;  // a refill, and a carry of its number
    const Cycle issue_job = entry + one_visit_ + std::max<Cycle>(spec::kVisitCycles, tbs_per_sm_ + 2);
    const Cycle reserve_jobs =
        2 * two_visits_ + 2 * one_visit_;  // reserve, trap, hand-over, set-up: the longest of moves
    const Cycle events = (tbs_per_sm_ + 1 + stale_events()) * sms * (event_job + issue_job + reserve_jobs);
    return events + sms * (two_visits_ + 2 * one_visit_) + reserve_jobs;
  }

  // Until the search has made so many moves in one of the partitions, in core cycles; activations of all tasks come
  // between. A move may be rejected once, as often as an SM changes: so twice as many steps, and one that finds
  // nothing.
  Cycle search(const Sharing& sharing, const TaskSet& set) const {
    const Cycle step = 1 + spec::walk_core_cycles(spec_) + two_visits_ + spec::longest_job_core_cycles(spec_);
    const Cycle steps = (2 * Cycle{sharing.num_sms} + 1) * sharing.num_partitions + 1;
    const Cycle activation = spec::activation_core_cycles(spec_) + spec::longest_job_core_cycles(spec_);
    Cycle total = steps * step;
    for (;;) {
      Cycle arrivals = 0;
      Nanoseconds longest = 0;
      const Nanoseconds window = time_of(in_sm_cycles(total));
      for (const Task& task : set.tasks) {
        arrivals += static_cast<Cycle>((window + task.period - 1) / task.period) + 1;
        longest = std::max(longest, task.deadline);
      }
      const Cycle next = steps * step + arrivals * activation;
      if (next <= total || window > longest) return total;
      total = next;
    }
  }

  // From an arrival or an end in a partition until who is first there has the SMs that it wants, filled. Under context
  // switch they may be restoring, and then have to be saved.
  Nanoseconds until_first_runs(const Sharing& sharing, const TaskSet& set) const {
    const spec::FrameworkSpec& framework = spec_.gpu.framework;
    // An idle SM may still owe answers to set-ups before it gets another one.
    const Cycle owed = has_links() ? 1 : 0;
    const Cycle services = (is_drain_ ? 4 : 7) + owed;
    const Cycle core = search(sharing, set) + services * service() + Cycle{spec_.gpu.num_sms} * tbs_per_sm_;
    const Cycle on_links = (services + 1) * round_trip() + owed * framework.sm_setup_cycles;
    const Cycle sm = framework.sm_setup_cycles + framework.tb_issue_cycles + on_links + kRounding;
    const Cycle trap = is_drain_ ? 0 : framework.pipeline_drain_cycles + framework.trap_entry_cycles;
    const Picoseconds contexts = is_drain_ ? 0 : 2 * save_;
    return time_of(in_sm_cycles(core) + sm + trap) + nanoseconds_in(contexts);
  }

  Nanoseconds per_job(const Sharing& sharing, const TaskSet& set) const {
    const Nanoseconds restore = is_drain_ ? 0 : nanoseconds_in(save_);
    const Nanoseconds unaligned = is_drain_ ? nanoseconds_in(unaligned_) : 0;
    return 2 * until_first_runs(sharing, set) + restore + unaligned;
  }

  Nanoseconds per_tb() const {
    return time_of(in_sm_cycles(service()) + spec_.gpu.framework.tb_issue_cycles + round_trip() + kRounding);
  }

 private:
  Cycle cycles(Picoseconds time) const { return clock_.cycles_in(time); }
  Cycle link() const { return cycles(spec_.gpu.pcie.latency); }
  // Links between the scheduler and SMs (docs/hardware/timing.md 3.11): the longest, and what an SM may still send of a
  // preemption and of set-ups that were superseded.
  bool has_links() const { return spec_.gpu.framework.link_cycles.any(); }
  Cycle round_trip() const {
    const auto longest = [](const std::vector<std::uint32_t>& delays) {
      return Cycle{*std::max_element(delays.begin(), delays.end())};
    };
    const spec::LinkSpec& links = spec_.gpu.framework.link_cycles;
    return has_links() ? longest(links.up) + longest(links.down) : 0;
  }
  Cycle stale_events() const { return has_links() ? 1 + (Cycle{1} << spec_.gpu.framework.setup_tag_bits) : 0; }
  Cycle in_sm_cycles(Cycle core) const { return ceil_div(core, spec_.scheduler.tbs_per_cycle); }

  const spec::Spec& spec_;
  Clock clock_;
  Cycle one_visit_, two_visits_;  // lengths of jobs, from PICK to the next PICK (docs/hardware/timing.md 6)
  bool is_drain_;
  std::uint32_t tbs_per_sm_ = 1;  // the most that an SM holds
  Picoseconds save_ = 0;          // the longest, and the longest restore
  Picoseconds unaligned_ = 0;     // the longest TB of those that share an SM
};

}  // namespace

Overheads overheads_of(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Sharing& sharing) {
  const Machine of(machine, kernels);
  return {of.time_of(of.launch_path()), of.time_of(of.completion_path()), of.time_of(of.inversion()),
          of.per_job(sharing, set), of.per_tb()};
}

TaskSet with_overheads(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Overheads& overheads) {
  const bool is_drain = machine.scheduler.technique == spec::TechniqueKind::kDrain;
  TaskSet adjusted = set;
  for (std::size_t i = 0; i < adjusted.tasks.size(); ++i) {
    Task& task = adjusted.tasks[i];
    const spec::KernelSpec& kernel = kernels.at(i);
    const Wide num_tbs = kernel.num_tbs;
    const Wide tbs_per_sm = workload::occupancy(machine.gpu, kernel).tbs_per_sm;
    const Nanoseconds tb = nanoseconds_in(longest_tb_time(kernel));
    const Nanoseconds outside = overheads.launch_path + overheads.completion_path + overheads.inversion;
    task.deadline = std::max<Nanoseconds>(1, task.deadline - outside);  // 1: nothing is as short
    task.overhead += overheads.per_job;
    if (task.table.empty()) {
      task.work += static_cast<Nanoseconds>((num_tbs * overheads.per_tb + tbs_per_sm - 1) / tbs_per_sm);
      task.tail_parts += overheads.per_tb * kTailParts;
    }
    for (std::size_t m = 1; m <= task.table.size(); ++m) {
      const Wide slots = tbs_per_sm * static_cast<Wide>(m);
      const auto unaligned = static_cast<Nanoseconds>((num_tbs * tb + slots - 1) / slots) + tb;
      if (is_drain) task.table[m - 1] = std::max(task.table[m - 1], unaligned);
      task.table[m - 1] += static_cast<Nanoseconds>((num_tbs + slots - 1) / slots) * overheads.per_tb;
    }
    if (is_drain) task.blocking_parts = (tb + overheads.per_tb) * kTailParts;
  }
  return adjusted;
}

}  // namespace tessera::realtime
