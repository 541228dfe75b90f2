// SPDX-License-Identifier: Apache-2.0
// A list schedule of the empty machine.
#include "model/workload/kernel_alone.h"

#include <algorithm>
#include <functional>
#include <numeric>
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

// Of SMs whose links differ: to the nearest cycle. Exact where they are alike.
Cycle mean_delay(const std::vector<std::uint32_t>& delays) {
  if (delays.empty()) return 0;
  return (std::accumulate(delays.begin(), delays.end(), Cycle{0}) + delays.size() / 2) / delays.size();
}

}  // namespace

KernelAlone::KernelAlone(const spec::Spec& spec, const spec::KernelSpec& kernel)
    : num_tbs_(kernel.num_tbs),
      neighbour_cpi_spread_ppm_(kernel.neighbour_cpi_spread_ppm),
      tbs_per_sm_(occupancy(spec.gpu, kernel).tbs_per_sm),
      num_sms_(spec.gpu.num_sms),
      is_spread_(spec.scheduler.fill == spec::Fill::kBreadthFirst),
      sm_setup_cycles_(spec.gpu.framework.sm_setup_cycles),
      tb_issue_cycles_(spec.gpu.framework.tb_issue_cycles),
      first_issue_cycles_(tb_issue_cycles_),
      link_up_(mean_delay(spec.gpu.framework.link_cycles.up)),
      link_down_(mean_delay(spec.gpu.framework.link_cycles.down)),
      core_ratio_(spec.scheduler.tbs_per_cycle),
      activation_(spec::given_activation_cycles(spec)) {
  rate_ = {core_ratio_, 1};
  if (spec.gpu.framework.shares_sms()) {
    const spec::DispatchClass& size = spec.gpu.framework.dispatch_class(kernel.threads_per_tb);
    rate_ = {size.tb_issue_hz, spec.gpu.clock_hz};
    sm_setup_cycles_ = 0;
    tb_issue_cycles_ = size.turnaround_cycles;
    first_issue_cycles_ = 1;  // a kernel is in line from the cycle on in which it is activated
    return;
  }
  if (!spec::has_one_job_engine(spec)) {
    rate_ = spec::issue_rate(spec);
    assign_ = spec::search_core_cycles(spec);
    return;
  }
  constexpr Cycle kJob = spec::kToWrite + 1;
  activation_ = spec::activation_core_cycles(spec);
  assign_ = 1 + spec::walk_step_cycles(spec) + spec::kWalkBeyondSteps + kJob - 1;  // one kernel waits
  per_assigned_ = 1;
  per_set_up_ = kJob;
  if (spec.gpu.framework.refill_lane) {
    constexpr Cycle kToActive = 4;  // entry, A, S, R
    constexpr Cycle kAsks = 2;
    answer_latency_ = kToActive + kAsks;
    per_refill_ = is_spread_ && core_ratio_ > 1 ? 2 : 1;  // rounds: the end of one and its successor
  } else {
    per_answer_ = 2 * kJob;  // set-up done, issue
    per_refill_ = kJob;
  }
}

KernelAlone::Key KernelAlone::key() const {
  return {num_tbs_,         neighbour_cpi_spread_ppm_,
          tbs_per_sm_,      num_sms_,
          is_spread_,       sm_setup_cycles_,
          tb_issue_cycles_, first_issue_cycles_,
          core_ratio_,      activation_,
          assign_,          per_assigned_,
          per_set_up_,      per_answer_,
          answer_latency_,  per_refill_,
          link_up_,         link_down_,
          rate_.tbs,        rate_.cycles};
}

// When each SM of the empty machine is ready for a kernel's TBs.
std::vector<Cycle> KernelAlone::ready_cycles(std::uint32_t num_tbs) const {
  const std::uint32_t wanted = is_spread_ ? num_tbs : (num_tbs + tbs_per_sm_ - 1) / tbs_per_sm_;
  const std::uint32_t num_sms = std::min(wanted, num_sms_);
  const Cycle assigned = activation_ + assign_ + num_sms * per_assigned_;
  const Cycle answer = (link_down_ + sm_setup_cycles_ + link_up_) * core_ratio_;
  Cycle free = per_answer_ == 0 ? 0 : assigned + num_sms * per_set_up_;  // set-ups come before events
  std::vector<Cycle> ready;
  for (std::uint32_t i = 0; i < num_sms; ++i) {
    const Cycle answered = assigned + (i + 1) * per_set_up_ + answer;
    free = std::max(answered, free) + per_answer_;
    ready.push_back((free + answer_latency_) / core_ratio_);
  }
  return ready;
}

// TBs go, in order, to the slot that is free first, as far as the driver knows; it starts a TB a cycle of its clock, or
// refills as slowly as it has to.
Cycle KernelAlone::list_schedule(std::uint32_t num_tbs, const TbTime& time, std::uint32_t draw) const {
  const TbDurations durations(time, launch_key(0, draw, 0, 0), neighbour_cpi_spread_ppm_);
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> free_slots;
  for (const Cycle ready : ready_cycles(num_tbs)) {
    for (std::uint32_t slot = 0; slot < tbs_per_sm_; ++slot) free_slots.push(ready);
  }
  const std::size_t num_slots = free_slots.size();
  Cycle end = 0;
  spec::IssueTurns driver(rate_);
  const spec::IssueTurns::Step start = driver.step(1), refill = driver.step(per_refill_);
  for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
    const Cycle earliest = free_slots.top() + (tb < num_slots ? first_issue_cycles_ : tb_issue_cycles_);
    free_slots.pop();
    const Cycle sent = driver.claim(earliest, tb < num_slots ? start : refill);
    const Cycle done = sent + link_down_ + durations.of(tb) + link_up_;
    free_slots.push(done);
    end = std::max(end, done);
  }
  return end;
}

Cycle KernelAlone::cycles(const TbTime& time) const {
  const bool have_neighbours = neighbour_cpi_spread_ppm_ > 0;
  const std::uint32_t tbs_to_draw = have_neighbours ? kTbsToDrawOfNeighbours : kTbsToDraw;
  const std::uint32_t num_draws =
      time.half_spread == 0 && !have_neighbours ? 1 : std::clamp(tbs_to_draw / num_tbs_, std::uint32_t{1}, kMaxDraws);
  const std::uint32_t scheduled = std::min(num_tbs_, kMaxScheduledTbs);
  Cycle sum = 0;
  for (std::uint32_t draw = 0; draw < num_draws; ++draw) sum += list_schedule(scheduled, time, draw);
  const std::uint64_t num_slots = std::uint64_t{num_sms_} * tbs_per_sm_;
  const std::uint64_t rest = num_tbs_ - scheduled;
  const Cycle at_full_rate = mul_div_floor(rest, per_refill_ * rate_.cycles, rate_.tbs);
  const Cycle per_tb = time.mean + link_down_ + link_up_;
  return sum / num_draws + std::max(mul_div_floor(rest, per_tb, num_slots), at_full_rate);
}

}  // namespace tessera::workload
