// SPDX-License-Identifier: Apache-2.0
// Calibration of TB durations against a list schedule of the empty machine.
#include "model/workload/kernel_times.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "model/spec/core_cycles.h"
#include "model/spec/search_cycles.h"
#include "model/spec/spec.h"
#include "model/workload/tb_durations.h"

namespace tessera::workload {
namespace {

// Draws that the mean is taken over: enough TBs for the whole waves of small kernels to average out. The last of
// 4 TBs ends 10 % early or late (one sigma) where they spread by 30 %: 0.3 % after 1024 draws.
constexpr std::uint32_t kTbsToDraw = 20'000;
// Where 64 neighbours share a draw more TBs are needed: 0.4 % (one sigma) where those spread by 50 %.
constexpr std::uint32_t kTbsToDrawOfNeighbours = 16 * kTbsToDraw;
constexpr std::uint32_t kMaxDraws = 1024;
// After so many TBs the rate is steady: the rest of a larger kernel is not scheduled one by one.
constexpr std::uint32_t kMaxScheduledTbs = 1U << 18;
constexpr int kMaxIterations = 8;

// What the scheduler takes on an empty machine, in cycles of its clock.
struct SchedulerTimes {
  explicit SchedulerTimes(const spec::Spec& spec) : activation(spec::given_activation_cycles(spec)) {
    if (!spec::has_one_job_engine(spec)) {
      per_sm = spec::search_core_cycles(spec);
      return;
    }
    constexpr Cycle kJob = spec::kToWrite + 1;
    activation = spec::activation_core_cycles(spec);
    per_sm = 1 + spec::walk_core_cycles(spec) + kJob;
    around_set_up = 1 + 2 * kJob;
    per_refill = kJob;
  }

  Cycle activation;
  Cycle per_sm = 0;         // until it is a kernel's: the policy assigns one after another
  Cycle around_set_up = 0;  // of an SM: its command, and its answer
  Cycle per_refill = 1;     // of a slot
};

// When each SM of the empty machine is ready for a kernel's TBs.
std::vector<Cycle> ready_cycles(const spec::Spec& spec, std::uint32_t num_tbs, std::uint32_t tbs_per_sm) {
  const SchedulerTimes times(spec);
  const bool is_spread = spec.scheduler.fill == spec::Fill::kBreadthFirst;
  const std::uint32_t wanted = is_spread ? num_tbs : (num_tbs + tbs_per_sm - 1) / tbs_per_sm;
  std::vector<Cycle> ready;
  for (std::uint32_t i = 0; i < std::min(wanted, spec.gpu.num_sms); ++i) {
    const Cycle core_cycles = times.activation + (i + 1) * times.per_sm + times.around_set_up;
    ready.push_back(core_cycles / spec.scheduler.tbs_per_cycle + spec.gpu.framework.sm_setup_cycles);
  }
  return ready;
}

// TBs go, in order, to the slot that is free first; the driver starts a TB a cycle of its clock, or refills as slowly
// as it has to.
Cycle list_schedule(const spec::Spec& spec, std::uint32_t num_tbs, std::uint32_t tbs_per_sm,
                    const TbDurations& durations) {
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> free_slots;
  for (const Cycle ready : ready_cycles(spec, num_tbs, tbs_per_sm)) {
    for (std::uint32_t slot = 0; slot < tbs_per_sm; ++slot) free_slots.push(ready);
  }
  const Cycle per_refill = SchedulerTimes(spec).per_refill;
  const std::size_t num_slots = free_slots.size();
  const Cycle ratio = spec.scheduler.tbs_per_cycle;
  Cycle end = 0;
  Cycle driver = 0;  // free from this core cycle on
  for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
    const Cycle earliest = free_slots.top() + spec.gpu.framework.tb_issue_cycles;
    free_slots.pop();
    const Cycle issue = std::max(earliest * ratio, driver);
    driver = issue + (tb < num_slots ? 1 : per_refill);
    const Cycle done = (ratio == 1 ? issue : issue / ratio) + durations.of(tb);  // a division takes long
    free_slots.push(done);
    end = std::max(end, done);
  }
  return end;
}

// Where TBs are issued as fast as the driver can, and end faster still, the time alone hardly grows with the mean at
// first: proportional correction overshoots there, and halving an interval does not.
constexpr std::uint64_t kGoodShare = 200;  // a 200th of the target

bool is_near(Cycle alone, Cycle target) {
  const Cycle error = alone > target ? alone - target : target - alone;
  return error <= target / kGoodShare;
}

template <typename AloneAt>
Cycle mean_by_halving(const AloneAt& alone_at, Cycle target) {
  Cycle low = 1;
  Cycle high = target;
  while (low < high) {
    const Cycle middle = low + (high - low) / 2;
    if (alone_at(middle) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TbTime with_spread(Cycle mean, std::uint32_t spread_ppm) {
  return {mean, std::min(mul_div_round(mean, spread_ppm, 1'000'000), mean - 1)};
}

}  // namespace

Cycle cycles_alone(const spec::Spec& spec, const spec::KernelSpec& kernel, const TbTime& time) {
  const std::uint32_t tbs_per_sm = occupancy(spec.gpu, kernel).tbs_per_sm;
  const bool have_neighbours = kernel.neighbour_cpi_spread_ppm > 0;
  const std::uint32_t tbs_to_draw = have_neighbours ? kTbsToDrawOfNeighbours : kTbsToDraw;
  const std::uint32_t num_draws = time.half_spread == 0 && !have_neighbours
                                      ? 1
                                      : std::clamp(tbs_to_draw / kernel.num_tbs, std::uint32_t{1}, kMaxDraws);
  Cycle sum = 0;
  for (std::uint32_t draw = 0; draw < num_draws; ++draw) {
    sum += list_schedule(spec, std::min(kernel.num_tbs, kMaxScheduledTbs), tbs_per_sm,
                         TbDurations(time, launch_key(0, draw, 0, 0), kernel.neighbour_cpi_spread_ppm));
  }
  const std::uint64_t num_slots = std::uint64_t{spec.gpu.num_sms} * tbs_per_sm;
  const std::uint64_t rest = kernel.num_tbs - std::min(kernel.num_tbs, kMaxScheduledTbs);
  const Cycle at_full_rate = mul_div_floor(rest, SchedulerTimes(spec).per_refill, spec.scheduler.tbs_per_cycle);
  return sum / num_draws + std::max(mul_div_floor(rest, time.mean, num_slots), at_full_rate);
}

TbTime tb_time(const spec::Spec& spec, const spec::KernelSpec& kernel, const IsInterrupted& is_interrupted) {
  if (kernel.is_persistent || kernel.event_driven) return {kNever, 0};
  const Clock clock(spec.gpu.clock_hz);
  if (spec.time_base == spec::TimeBase::kTimePerTb || !kernel.kernel_time) {
    return with_spread(std::max<Cycle>(1, clock.cycles_in(*kernel.tb_time)), kernel.tb_time_spread_ppm);
  }
  // The time alone grows in proportion to the mean, but for overheads and the grain of waves: a few steps of
  // proportional correction reach it.
  const Cycle target = clock.cycles_in(*kernel.kernel_time);
  const Cycle overhead = cycles_alone(spec, kernel, {1, 0});
  Cycle mean = std::max<Cycle>(1, target / std::max<Cycle>(1, cycles_alone(spec, kernel, {1000, 0}) / 1000));
  // Interrupted, every mean is good enough.
  const auto alone_at = [&](Cycle tb_mean) {
    if (is_interrupted && is_interrupted()) return target;
    return cycles_alone(spec, kernel, with_spread(tb_mean, kernel.tb_time_spread_ppm));
  };
  for (int i = 0; i < kMaxIterations; ++i) {
    const Cycle alone = alone_at(mean);
    const Cycle work = alone > overhead ? alone - overhead : 1;
    const Cycle wanted = target > overhead ? target - overhead : 1;
    const Cycle next = std::max<Cycle>(1, mul_div_round(mean, wanted, work));
    if (next == mean) break;
    mean = next;
  }
  if (target > overhead && !is_near(alone_at(mean), target)) mean = mean_by_halving(alone_at, target);
  return with_spread(mean, kernel.tb_time_spread_ppm);
}

KernelTimes::KernelTimes(const spec::Spec& spec, const IsInterrupted& is_interrupted) {
  for (const spec::ApplicationSpec& application : spec.applications) {
    std::vector<TbTime>& times = times_.emplace_back();
    for (const spec::KernelSpec& kernel : application.kernels) {
      const bool is_wanted = !is_interrupted || !is_interrupted();
      times.push_back(is_wanted ? tb_time(spec, kernel, is_interrupted) : TbTime{1, 0});
    }
  }
}

}  // namespace tessera::workload
