// SPDX-License-Identifier: Apache-2.0
// Thread blocks are placed, and end.
#include "tlm/execution_engine/tb_dispatcher/tb_dispatcher.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

namespace tessera::tlm_model {
namespace {

// A rule of SmArray::run_ends(): who comes next is decided when the place is free.
struct NoRefill {
  static constexpr bool kPaces = false;
  static constexpr bool kStretches = false;
  void over(const TbEnd&) const {}
  Cycle start_of_next(const TbEnd&, const Sm&, const KernelRun&) const { return kNever; }
  Cycle duration_of_next(const TbEnd&, const KernelRun& kernel) const { return kernel.next_duration; }
};

std::vector<spec::IssueTurns::Step> steps_of(const spec::GpuSpec& gpu) {
  const std::uint64_t parts = spec::parts_of_a_cycle(gpu);
  std::vector<spec::IssueTurns::Step> steps;
  for (const spec::DispatchClass& size : gpu.framework.dispatcher) {
    const Uint128 step = Uint128{gpu.clock_hz} * parts / size.tb_issue_hz;
    steps.push_back({static_cast<Cycle>(step / parts), static_cast<std::uint64_t>(step % parts)});
  }
  return steps;
}

}  // namespace

TbDispatcher::TbDispatcher(SmParts& parts)
    : gpu_(parts.spec.gpu),
      is_partitioned_(spec::is_partitioned(parts.spec.scheduler)),
      tables_(parts.tables),
      array_(parts.array),
      owners_(parts.owners),
      exits_(parts),
      line_(parts.spec.scheduler, parts.tables),
      room_(gpu_),
      holdings_(parts.log, gpu_.num_sms),
      turns_(spec::IssueRate{spec::parts_of_a_cycle(gpu_), 1}),
      steps_(steps_of(gpu_)),
      may_fit_(gpu_.framework.num_ksrs),
      takes_turns_(spec::keeps_turn(parts.spec.scheduler)),
      away_(parts.spec.processes.size(), AwayFromSms(gpu_.num_sms)) {
  for (std::uint32_t i = 0; i < gpu_.num_sms; ++i) {
    const auto id = SmId(i);
    all_sms_.set(i);
    owners_.sm(id).phase = SmPhase::kRunning;
    owners_.sm(id).launch = LaunchId{record::kNoNumber};
    array_.meter(id).set_up(gpu_.max_tbs_per_sm, none_waits_from_, 0);
  }
}

void TbDispatcher::set_scheduler(const spec::SchedulerSpec& scheduler) {
  owners_.set_scheduler(scheduler);
  line_.set_scheduler(scheduler);
  is_partitioned_ = spec::is_partitioned(scheduler);
  takes_turns_ = owners_.keeps_turn();
}

void TbDispatcher::assign(SmId, KsrId, Cycle) { throw std::logic_error("a shared SM is assigned"); }
void TbDispatcher::reserve(SmId, KsrId, Cycle) { throw std::logic_error("a shared SM is reserved"); }
void TbDispatcher::retarget(SmId, KsrId, Cycle) { throw std::logic_error("a shared SM is retargeted"); }

// ---- the line ------------------------------------------------------------------------------------------------

void TbDispatcher::kernel_activated(KsrId ksr) {
  const KernelRun& kernel = array_.kernel(ksr);
  room_.begin(ksr, kernel.id, kernel.launch, kernel.tbs_per_sm);
  may_fit_[index(ksr)] = all_sms_;
  line_.enter(ksr);
  wake(array_.now());
}

// Whatever has been written is in the tables now: priorities, partitions.
void TbDispatcher::decision_over(Cycle now) {
  if (line_.is_empty()) return;
  line_.sort();
  if (is_partitioned_) std::fill(may_fit_.begin(), may_fit_.end(), all_sms_);
  wake(now);
}

bool TbDispatcher::may_run(KsrId kernel) const {
  return !takes_turns_ || (turn_.gives_sms && tables_.ksr(kernel).context == turn_.owner);
}

bool TbDispatcher::has_work() const {
  const std::vector<KsrId>& line = line_.kernels();
  return std::any_of(line.begin(), line.end(), [this](KsrId kernel) { return may_run(kernel); });
}

// A kernel that comes is in the line from the next cycle on.
void TbDispatcher::wake(Cycle now) {
  is_blocked_ = false;
  plan(now + 1);
}

// When somebody may be placed next.
void TbDispatcher::plan(Cycle earliest) {
  const bool waits = has_work();
  if (waits != (none_waits_from_ == kNever)) {
    for (std::uint32_t i = 0; waits && i < gpu_.num_sms; ++i) array_.meter(SmId(i)).count_until(array_.now());
    none_waits_from_ = waits ? kNever : array_.now();
  }
  next_issue_ = holdings_.are_wanted() ? std::max(room_.next(), earliest) : kNever;
  if (waits) next_issue_ = std::min(next_issue_, std::max(turns_.next(), is_blocked_ ? room_.next() : earliest));
}

// ---- thread blocks are placed --------------------------------------------------------------------------------

void TbDispatcher::issue_due(Cycle now) {
  array_.set_now(now);
  // 1. Places whose thread blocks have ended a while ago are free.
  take_places_back(now);
  // 2. As many thread blocks as the dispatcher's rate lets it place now.
  while (!is_blocked_ && turns_.next() <= now) {
    const Choice choice = choose();
    is_blocked_ = choice.kernel == kNoKsr;
    if (!is_blocked_) place(choice, now);
  }
  holdings_.tell(now);
  plan(now + 1);
}

void TbDispatcher::take_places_back(Cycle now) {
  room_.take_back(now, [this](const SmRoom::Left& left) {
    for (const KsrId kernel : line_.kernels()) may_fit_[index(kernel)].set(bit(left.sm));
    holdings_.change(left.sm, left.launch, -1, left.share_ppm);
    is_blocked_ = false;
  });
}

// The first in the line. While it finds no room, nobody else gets any of its SMs.
TbDispatcher::Choice TbDispatcher::choose() {
  SmSet open = all_sms_;
  for (const KsrId kernel : line_.kernels()) {
    if (!may_run(kernel)) continue;
    SmSet mine = open;
    if (is_partitioned_) {
      open.for_each([&](std::uint32_t sm) {
        if (!tables_.is_in_partition(kernel, SmId(sm))) mine.clear(sm);
      });
    }
    const SmId sm = sm_with_room(kernel, mine);
    if (sm != kNoSm) return {kernel, sm};
    if (!is_partitioned_) return {};
    mine.for_each([&](std::uint32_t its) { open.clear(its); });
    if (!open.any()) return {};
  }
  return {};
}

// From the SM behind the last one on, so that each gets one before any gets a second.
SmId TbDispatcher::sm_with_room(KsrId kernel, const SmSet& open) {
  SmSet& may_fit = may_fit_[index(kernel)];
  SmSet candidates;
  for (std::uint32_t i = 0; i < SmSet::kMax / 64; ++i) candidates.set_word(i, may_fit.word(i) & open.word(i));
  while (candidates.any()) {
    const std::uint32_t sm = candidates.next_in_turn(next_sm_);
    if (!leaving_.has(sm) && !returning_.has(sm) && room_.fits(SmId(sm), kernel)) return SmId(sm);
    candidates.clear(sm);
    may_fit.clear(sm);
  }
  return kNoSm;
}

void TbDispatcher::place(const Choice& choice, Cycle now) {
  const KernelRun& kernel = array_.kernel(choice.kernel);
  const std::uint32_t slot = lowest(~array_.sm(choice.sm).occupied);
  turns_.claim(now, steps_[room_.size_of(choice.kernel)]);
  room_.take(choice.sm, choice.kernel);
  holdings_.change(choice.sm, kernel.id, +1, room_.share_ppm(choice.kernel));
  array_.start_fresh(choice.sm, {slot, slot}, choice.kernel, now, kernel.next_duration);
  next_sm_ = (bit(choice.sm) + 1) % gpu_.num_sms;
  if (!kernel.has_fresh()) line_.leave(choice.kernel);
}

// ---- and end -------------------------------------------------------------------------------------------------

void TbDispatcher::run_ends(Cycle before) {
  NoRefill rule;
  while (owners_.report().finished.empty()) {
    const std::optional<TbEnd> end = array_.run_ends(std::min(before, next_issue_), rule);
    if (!end) return;
    tb_over(*end);
  }
}

void TbDispatcher::tb_over(const TbEnd& end) {
  array_.vacate(end.sm, slot_bit(end.slot), end.cycle);
  room_.ended(end.sm, end.kernel, array_.kernel(end.kernel).id, end.cycle);
  const TbCounts& tbs = array_.kernel(end.kernel).tbs;
  if (tbs.finished == tbs.total) owners_.kernel_is_over(end.kernel, end.cycle, [](SmId) {});
  if (leaving_.has(bit(end.sm)) && exits_.have_all_left(end.sm)) have_left(end.sm, end.cycle);
  if (is_blocked_ && none_waits_from_ == kNever) next_issue_ = std::max(turns_.next(), room_.next());
  // What the log tells waits for no turn of the dispatcher.
  if (holdings_.are_wanted()) next_issue_ = std::min(next_issue_, std::max(room_.next(), end.cycle));
}

}  // namespace tessera::tlm_model
