// SPDX-License-Identifier: Apache-2.0
// How SMs are emptied as a kept turn passes with scope GPU (docs/hardware/timing.md 3.12.7 to 9, 6.4).
#include <array>
#include <string>

#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using rtl_model::SmState;
using rtl_model::Turn;
using Phase = JobEngine::Phase;
using TurnState = Turn::State;

constexpr std::array kSliceEnds = {"technique", "drain", "wait", "context_switch"};

class SliceEndPoints final : public ICoverGroup {
 public:
  explicit SliceEndPoints(Coverage& coverage)
      : coverage_(coverage),
        none_(coverage.add("evict.no_kernel", "an eviction that is due finds no kernel that holds an SM")),
        one_(coverage.add("evict.one_kernel", "an eviction takes SMs from one kernel")),
        many_(coverage.add("evict.many_kernels", "an eviction takes SMs from several kernels")),
        lost_(coverage.add("evict.too_late", "the last kernel that held an SM finishes before the eviction's job")),
        reserved_(coverage.add("evict.reserved", "an SM that is evicted was reserved")),
        set_up_(coverage.add("evict.set_up", "an SM that is evicted is still being set up")),
        restoring_(coverage.add("evict.restoring", "an SM that is evicted is restoring")),
        empty_(coverage.add("evict.empty", "an SM that is evicted holds no TB")),
        found_(coverage.add("evict.from_nobody", "SMs are evicted that nobody had the turn for")),
        assigned_late_(coverage.add("evict.assigned_late", "an SM is assigned after the turn has passed, and evicted")),
        held_back_(coverage.add("leaving.command_held_back", "a command of who leaves is not activated")),
        waits_assign_(coverage.add("leaving.waits_assign", "an SM is assigned to a kernel of who leaves")),
        waits_kernel_(
            coverage.add("leaving.waits_for_kernel", "all SMs are idle, and a kernel of who leaves is active")),
        not_listed_(coverage.add("owned.not_listed", "an SM is idle that a kernel of an unlisted owner could have")) {
    for (std::size_t i = 0; i < kSliceEnds.size(); ++i) {
      const std::string end = kSliceEnds[i];
      ends_[i] = coverage.add("leaving." + end, "who leaves has the slice end " + end);
      if (i != kWait) evicts_[i] = coverage.add("evict." + end, "an eviction by the slice end " + end);
    }
    overridden_ = coverage.add("evict.saved_under_drain", "by the slice end context_switch, under the technique drain");
  }

  void reset() override { num_visits_ = 0; }

  void sample(const CycleView& now) override {
    const Turn& turn = now.core.turn();
    if (!now.params.has_kept_turn || !turn.is_kept()) return;
    if (now.core.search().state() == Search::State::kEvict) {
      sample_visits(now);
    } else {
      num_visits_ = 0;
    }
    const Turn::Registers& is = turn.registers();
    const bool is_due = is.evicts && now.core.search().state() == Search::State::kBegin;
    coverage_.hit_if(none_, is_due && !now.core.tables().ksrt.holding().any());
    if (is.state == TurnState::kLeaving) sample_leaving(now);
    const bool is_unlisted = is.state == TurnState::kOwned && !turn.listed().has(is.turn);
    coverage_.hit_if(not_listed_, is_unlisted && has_uncovered(now, is.turn) && now.core.tables().smst.idle().any());
  }

 private:
  static constexpr std::size_t kWait = 2;

  // Before the last WRITE, SMs are still as they were.
  void sample_visits(const CycleView& now) {
    const JobEngine& engine = now.core.engine();
    const bool is_of_job = engine.job() == JobEngine::Job::kEvict && engine.phase() == Phase::kWrite;
    if (!is_of_job) return;
    const rtl_model::SmSet holding = now.core.tables().ksrt.holding();
    if (holding.any()) ++num_visits_;
    if (holding.size() > 1) return;
    coverage_.hit(num_visits_ == 0 ? lost_ : num_visits_ == 1 ? one_ : many_);
    const Turn& turn = now.core.turn();
    const auto end = static_cast<std::size_t>(turn.slice_end(turn.turn()));
    const bool is_passed = turn.registers().passed;
    coverage_.hit_if(found_, !is_passed);
    if (is_passed && end != kWait) coverage_.hit(evicts_[end]);
    coverage_.hit_if(overridden_, is_passed && end == 3 && now.core.search().policy().is_draining());
    const rtl_model::Smst& smst = now.core.tables().smst;
    for (std::uint32_t sm = 0; sm < now.params.num_sms; ++sm) {
      const rtl_model::SmRow& row = smst.row(sm);
      coverage_.hit_if(reserved_, row.state == SmState::kReserved);
      if (row.state != SmState::kRunning) continue;
      coverage_.hit_if(set_up_, !smst.flags.active.has(sm));
      coverage_.hit_if(restoring_, smst.flags.restoring.has(sm));
      coverage_.hit_if(empty_, smst.flags.active.has(sm) && row.running == 0);
    }
  }

  void sample_leaving(const CycleView& now) {
    const Turn& turn = now.core.turn();
    const Turn::Registers& is = turn.registers();
    const bool is_assigned = now.out.events.moved && now.out.events.move == rtl_model::MoveKind::kAssign;
    if (now.out.events.turn_passed) coverage_.hit(ends_[static_cast<std::size_t>(turn.slice_end(is.turn))]);
    coverage_.hit_if(assigned_late_, is_assigned && is.evicts);
    if (!turn.holds_commands_back()) return;
    coverage_.hit_if(waits_assign_, is_assigned && !now.out.events.turn_passed);
    coverage_.hit_if(waits_kernel_, !is.evicts && now.core.tables().smst.are_all_idle() &&
                                        now.core.tables().contexts.active().has(is.turn));
    const bool is_scan_over =
        now.state_before == Search::State::kScan && now.core.search().state() == Search::State::kWalk;
    coverage_.hit_if(held_back_, is_scan_over && now.core.tables().command_buffers.contexts().has(is.turn));
  }

  static bool has_uncovered(const CycleView& now, std::uint32_t context) {
    const rtl_model::Tables& tables = now.core.tables();
    for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
      const std::uint32_t ksr = tables.active_queue.at(i);
      if (tables.ksrt.is_uncovered(ksr) && tables.ksrt.traits(ksr).context == context) return true;
    }
    return false;
  }

  Coverage& coverage_;
  Coverage::Id none_, one_, many_, lost_, reserved_, set_up_, restoring_, empty_, found_, assigned_late_, held_back_,
      waits_assign_, waits_kernel_, not_listed_, overridden_ = 0;
  std::array<Coverage::Id, kSliceEnds.size()> ends_{}, evicts_{};
  unsigned num_visits_ = 0;
};

}  // namespace

std::unique_ptr<ICoverGroup> slice_end_points(Coverage& coverage) { return std::make_unique<SliceEndPoints>(coverage); }

}  // namespace tessera::testbench
