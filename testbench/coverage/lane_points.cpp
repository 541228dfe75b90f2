// SPDX-License-Identifier: Apache-2.0
// The refill lane (docs/hardware/timing.md 6.7): entries that it does itself, those that the engine gets, and how the
// two wait for each other.
#include <algorithm>
#include <array>

#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Job = JobEngine::Job;
using Phase = JobEngine::Phase;
using Lane = rtl_model::RefillLane;
using rtl_model::LaneEntry;
using rtl_model::LaneEntryKind;
using rtl_model::SmState;

constexpr std::size_t kUncoveredDelay = 3;  // cycles, from W on

bool is_refill(const Lane::Counted& counted) { return counted.step.is_fresh && counted.step.outstanding == 0; }
bool is_issue(const Lane::Counted& counted) { return counted.step.is_fresh && counted.step.outstanding != 0; }

// Entries, and what becomes of them.
class LaneEntryPoints final : public ICoverGroup {
 public:
  explicit LaneEntryPoints(Coverage& coverage)
      : coverage_(coverage),
        refill_(coverage.add("lane.refill", "a TB that is done is replaced in the lane")),
        counted_reserved_(coverage.add("lane.counted_reserved", "a TB of a reserved SM that is done is counted")),
        counted_dry_(coverage.add("lane.counted_dry", "one of a kernel that has no more to issue")),
        counted_in_rounds_(coverage.add("lane.counted_in_rounds", "one that is replaced by an issue, in rounds")),
        set_up_(coverage.add("lane.set_up_done", "an SM is set up in the lane")),
        issue_(coverage.add("lane.issue", "an SM gets a fresh TB in the lane")),
        burst_(coverage.add("lane.burst", "it gets another one in the next cycle")),
        dropped_(coverage.add("lane.issue_dropped", "an SM that asked wants no TB any more")),
        to_engine_{coverage.add("lane.engine_tb_done", "the engine gets a TB done"),
                   coverage.add("lane.engine_set_up_done", "the engine gets a set-up done"),
                   coverage.add("lane.engine_restore_done", "the engine gets a restore done"),
                   coverage.add("lane.engine_preempted", "the engine gets a preempted"),
                   coverage.add("lane.engine_issue", "the engine gets an issue")},
        stale_(coverage.add("lane.stale", "a set-up done with an old tag is in R")),
        stale_pending_(coverage.add("lane.stale_pending", "one whose SM is to be set up again, not sent yet")),
        in_b_(coverage.add("lane.in_b", "an entry is in B")),
        full_(coverage.add("lane.full", "A, S, B and R are occupied")),
        served_(coverage.add("lane.served", "in rounds an entry leaves A")),
        beside_command_(coverage.add("lane.event_beside_command", "an event is taken while a command is on the pins")),
        crossing_(coverage.add("lane.event_crosses_set_up", "a set-up done, as the SM's next set-up is on the pins")),
        control_and_tb_(coverage.add("lane.control_and_tb", "a command and a TB are on the pins in one cycle")),
        before_set_up_(coverage.add("lane.before_set_up", "the engine gets an entry between two set-ups")),
        waits_for_deal_(coverage.add("lane.waits_for_deal", "an entry is for the engine, and the search deals")) {}

  void reset() override { r_before_ = {}; }

  void sample(const CycleView& now) override {
    const Lane* const lane = now.core.lane();
    if (lane == nullptr) return;
    sample_left(now, *lane);
    sample_held(now, *lane);
    coverage_.hit_if(beside_command_, now.takes_event() && now.out.sm_control.valid);
    coverage_.hit_if(crossing_, now.takes_event() && now.in.sm_event.kind == rtl_model::SmEventKind::kSetupDone &&
                                    now.out.sm_control.valid && now.out.sm_control.sm == now.in.sm_event.sm);
    coverage_.hit_if(control_and_tb_, now.out.sm_control.valid && now.out.dispatch.valid);
    r_before_ = lane->in_r();
    flags_before_ = now.core.tables().smst.flags;
  }

 private:
  // What R's entry of the cycle before has become.
  void sample_left(const CycleView& now, const Lane& lane) {
    if (!r_before_.valid) return;
    const Lane::Counted& x = lane.in_x();
    if (x.valid) return sample_counted(now, x, lane.in_y());
    const std::uint32_t sm = r_before_.sm;
    const rtl_model::SmFlags& flags = now.core.tables().smst.flags;
    const JobEngine& engine = now.core.engine();
    const bool was_picked = engine.phase() == Phase::kSm && engine.job() >= Job::kTbDone && engine.job() <= Job::kIssue;
    const bool is_there = lane.in_r().valid && lane.in_r().sm == sm && lane.in_r().kind == r_before_.kind;
    coverage_.hit_if(before_set_up_, was_picked && flags_before_.set_up_pending.any());
    if (was_picked) return coverage_.hit(to_engine_[static_cast<std::size_t>(r_before_.kind)]);
    const bool was_set_up = flags.active.has(sm) && !flags_before_.active.has(sm);
    coverage_.hit_if(set_up_, r_before_.kind == LaneEntryKind::kSetupDone && was_set_up);
    coverage_.hit_if(dropped_, r_before_.kind == LaneEntryKind::kIssue && !is_there);
  }

  void sample_counted(const CycleView& now, const Lane::Counted& x, const Lane::Counted& y) {
    coverage_.hit_if(refill_, is_refill(x));
    coverage_.hit_if(issue_, is_issue(x));
    coverage_.hit_if(burst_, is_issue(x) && y.valid && is_issue(y) && y.sm == x.sm);
    if (x.step.is_fresh) return;
    const bool is_reserved = now.core.tables().smst.row(x.sm).state == SmState::kReserved;
    const bool is_fresh = now.core.tables().ksrt.is_fresh(x.ksr);
    coverage_.hit(is_reserved ? counted_reserved_ : is_fresh ? counted_in_rounds_ : counted_dry_);
  }

  void sample_held(const CycleView& now, const Lane& lane) {
    coverage_.hit_if(in_b_, lane.in_b().valid);
    coverage_.hit_if(full_, lane.in_a().valid && lane.in_s().valid && lane.in_b().valid && lane.in_r().valid);
    coverage_.hit_if(served_, now.core.params().issues_in_rounds && lane.in_a().valid && !lane.in_b().valid);
    coverage_.hit_if(waits_for_deal_, lane.offered() != nullptr && now.core.search().is_dealing());
    const LaneEntry& r = lane.in_r();
    if (!r.valid || r.kind != LaneEntryKind::kSetupDone) return;
    coverage_.hit_if(stale_, r.tag != now.board.sm(r.sm).tag);
    coverage_.hit_if(stale_pending_, now.core.tables().smst.flags.set_up_pending.has(r.sm));
  }

  Coverage& coverage_;
  Coverage::Id refill_, counted_reserved_, counted_dry_, counted_in_rounds_, set_up_, issue_, burst_, dropped_;
  std::array<Coverage::Id, 5> to_engine_;  // by kind of entry
  Coverage::Id stale_, stale_pending_, in_b_, full_, served_, beside_command_, crossing_, control_and_tb_,
      before_set_up_, waits_for_deal_;
  LaneEntry r_before_;
  rtl_model::SmFlags flags_before_;
};

// Counters, and the engine.
class LaneRowPoints final : public ICoverGroup {
 public:
  explicit LaneRowPoints(Coverage& coverage)
      : coverage_(coverage),
        forwarded_{coverage.add("lane.forwarded_from_1", "counters come from the entry before"),
                   coverage.add("lane.forwarded_from_2", "from the one two cycles before"),
                   coverage.add("lane.forwarded_from_3", "from the one three cycles before")},
        near_next_(coverage.add("lane.near_carry_of_next", "the number of the next TB comes near a carry")),
        near_left_(coverage.add("lane.near_carry_of_left", "TBs left come near a carry, or none")),
        engine_carries_(coverage.add("lane.engine_past_carry", "the engine brings a kernel back to the lane")),
        row_waits_{coverage.add("lane.row_waits_1", "ROW waits for the lane for a cycle"),
                   coverage.add("lane.row_waits_2", "for two cycles"),
                   coverage.add("lane.row_waits_3", "for three, or more")},
        row_passes_(coverage.add("lane.row_passes", "a trap's or a set-up's ROW does not")),
        stalled_row_(coverage.add("lane.stalled_row", "an entry in R, and the engine is in ROW")),
        stalled_issues_(coverage.add("lane.stalled_issues", "the engine is about to issue")),
        stalled_ksr_(coverage.add("lane.stalled_ksr", "it visits the entry's KSR")),
        stalled_sm_(coverage.add("lane.stalled_sm", "its job is of the entry's SM")),
        stalled_trap_(coverage.add("lane.stalled_trap", "which it traps")),
        stalled_eviction_(coverage.add("lane.stalled_eviction", "it takes all SMs away")),
        uncovered_by_refill_(coverage.add("lane.uncovered_by_refill", "a refill covers its kernel")),
        uncovered_by_issue_(coverage.add("lane.uncovered_by_issue", "an issue changes `uncovered`, breadth first")),
        uncovered_by_count_(coverage.add("lane.uncovered_by_count", "a TB that is done covers its kernel")) {}

  void reset() override {
    w_ = {};
    num_rows_ = 0;
    refills_.clear();
    uncovered_.clear();
  }

  void sample(const CycleView& now) override {
    const Lane* const lane = now.core.lane();
    if (lane == nullptr) return;
    sample_forwarding(*lane);
    sample_refills(now);
    sample_row(now, *lane);
    if (lane->in_r().valid) sample_stalls(now, lane->in_r());
    sample_uncovered(now);
    std::rotate(w_.rbegin(), w_.rbegin() + 1, w_.rend());
    w_[0] = lane->in_w();
  }

 private:
  void sample_forwarding(const Lane& lane) {
    const Lane::Counted& x = lane.in_x();
    if (!x.valid) return;
    const std::array<const Lane::Counted*, 3> before = {&lane.in_y(), &lane.in_w(), &w_[0]};
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i]->valid && before[i]->ksr == x.ksr) return coverage_.hit(forwarded_[i]);
    }
  }

  // W of the cycle before has cleared it, or a WRITE has set it again.
  void sample_refills(const CycleView& now) {
    const rtl_model::Ksrt& ksrt = now.core.tables().ksrt;
    refills_.resize(ksrt.size());
    const std::uint32_t below = (1U << lane_bits(now.params)) - kTbsOnTheWay, low_mask = below + kTbsOnTheWay - 1;
    for (std::uint32_t ksr = 0; ksr < ksrt.size(); ++ksr) {
      const bool was_so = refills_[ksr];
      refills_[ksr] = ksrt.is_valid(ksr) && ksrt.refills(ksr);
      if (was_so && !refills_[ksr] && w_[0].valid && w_[0].ksr == ksr) {
        coverage_.hit_if(near_next_, (ksrt.row(ksr).next_tb & low_mask) >= below);
        coverage_.hit_if(near_left_, (~std::uint32_t{ksrt.row(ksr).remaining} & low_mask) >= below);
      }
      coverage_.hit_if(engine_carries_, !was_so && refills_[ksr] && ksrt.row(ksr).outstanding != 0);
    }
  }
  static constexpr std::uint32_t kTbsOnTheWay = 5;
  static unsigned lane_bits(const rtl_model::Params& params) {
    return std::min(params.tb_width, std::max(12U, params.slot_count_width()));
  }

  void sample_row(const CycleView& now, const Lane& lane) {
    const JobEngine& engine = now.core.engine();
    const bool is_row = engine.phase() == Phase::kRow;
    if (is_row) coverage_.hit_if(row_passes_, !is_of_counters(engine) && lane.counts_for(engine.ksr()));
    if (!is_row && num_rows_ > 1)
      coverage_.hit(row_waits_[std::min<std::size_t>(num_rows_ - 1, row_waits_.size()) - 1]);
    num_rows_ = is_row ? num_rows_ + 1 : 0;
  }

  static bool is_of_counters(const JobEngine& engine) {
    return engine.job() != Job::kTrap && engine.job() != Job::kSetUp;
  }

  void sample_stalls(const CycleView& now, const LaneEntry& r) {
    const JobEngine& engine = now.core.engine();
    const Phase phase = engine.phase();
    const Job job = engine.job();
    const bool is_of_sm = job != Job::kActivate && job != Job::kDeal && job != Job::kEvict;
    coverage_.hit_if(stalled_row_, phase == Phase::kRow && is_of_counters(engine));
    coverage_.hit_if(stalled_issues_,
                     (job == Job::kTbDone || job == Job::kIssue) && phase >= Phase::kLoad && phase <= Phase::kBurst);
    coverage_.hit_if(stalled_ksr_, phase >= Phase::kLoad && is_of_counters(engine) && engine.ksr() == r.ksr);
    const bool is_its_sm = phase >= Phase::kSm && is_of_sm && engine.sm() == r.sm;
    coverage_.hit_if(stalled_sm_, is_its_sm);
    coverage_.hit_if(stalled_trap_, is_its_sm && job == Job::kTrap);
    coverage_.hit_if(stalled_eviction_, phase >= Phase::kFind && job == Job::kEvict);
  }

  void sample_uncovered(const CycleView& now) {
    const rtl_model::Ksrt& ksrt = now.core.tables().ksrt;
    uncovered_.resize(ksrt.size());
    const Lane::Counted& w = w_[kUncoveredDelay - 1];
    for (std::uint32_t ksr = 0; ksr < ksrt.size(); ++ksr) {
      const bool was_so = uncovered_[ksr];
      uncovered_[ksr] = ksrt.is_valid(ksr) && ksrt.is_uncovered(ksr);
      if (was_so == uncovered_[ksr] || !w.valid || w.ksr != ksr) continue;
      coverage_.hit(is_refill(w) ? uncovered_by_refill_ : is_issue(w) ? uncovered_by_issue_ : uncovered_by_count_);
    }
  }

  Coverage& coverage_;
  std::array<Coverage::Id, 3> forwarded_;
  Coverage::Id near_next_, near_left_, engine_carries_;
  std::array<Coverage::Id, 3> row_waits_;
  Coverage::Id row_passes_, stalled_row_, stalled_issues_, stalled_ksr_, stalled_sm_, stalled_trap_, stalled_eviction_,
      uncovered_by_refill_, uncovered_by_issue_, uncovered_by_count_;
  std::array<Lane::Counted, kUncoveredDelay> w_;  // of the cycles before, the last one first
  std::size_t num_rows_ = 0;                      // cycles of ROW, so far
  std::vector<bool> refills_, uncovered_;         // by KSR, in the cycle before
};

}  // namespace

std::unique_ptr<ICoverGroup> lane_entry_points(Coverage& coverage) {
  return std::make_unique<LaneEntryPoints>(coverage);
}
std::unique_ptr<ICoverGroup> lane_row_points(Coverage& coverage) { return std::make_unique<LaneRowPoints>(coverage); }

}  // namespace tessera::testbench
