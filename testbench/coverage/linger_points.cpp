// SPDX-License-Identifier: Apache-2.0
// How lingers start and end, and what they keep from whom (docs/hardware/timing.md 3.8).
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using rtl_model::ControlRegister;
using rtl_model::Linger;
using rtl_model::MoveKind;

class LingerPoints final : public ICoverGroup {
 public:
  explicit LingerPoints(Coverage& coverage)
      : coverage_(coverage),
        first_(coverage.add("linger.first", "a linger starts")),
        same_(coverage.add("linger.same_priority", "one starts afresh as another SM is left at its priority")),
        higher_(coverage.add("linger.higher_priority", "one of a higher priority takes the place of another")),
        lower_(coverage.add("linger.lower_priority", "a kernel of lower priority leaves an SM meanwhile")),
        again_(coverage.add("linger.kept_again", "one keeps what was left at that priority before it")),
        over_(coverage.add("linger.over", "the timer ends a linger")),
        over_at_start_(coverage.add("linger.over_at_start", "the timer of the linger before is over as one starts")),
        policy_write_(coverage.add("linger.policy_write", "a policy write ends a linger")),
        to_nobody_(coverage.add("linger.handed_to_nobody", "an SM is kept that is handed over to nobody")),
        taken_(coverage.add("linger.taken", "a kernel gets an SM that was kept for it")),
        skipped_(coverage.add("linger.skipped", "a kernel gets an SM behind one that is kept from it")),
        held_back_(coverage.add("linger.held_back", "a decision ends: all idle SMs are kept from a kernel")) {}

  void reset() override { before_ = Before{}; }

  void sample(const CycleView& now) override {
    const Linger& linger = now.core.tables().linger;
    sample_start(now, linger);
    sample_end(now, linger);
    sample_moves(now);
    coverage_.hit_if(held_back_, now.out.events.policy_decided && linger.is_on() && is_held_back(now, linger));
    before_ = {linger.is_on(), linger.priority(), linger.kept()};
  }

 private:
  // The cycle before.
  struct Before {
    bool is_on = false;
    std::uint32_t priority = 0;
    rtl_model::SmSet kept;
  };

  void sample_start(const CycleView& now, const Linger& linger) {
    const bool starts = now.out.linger_start;
    const bool is_same = linger.priority() == before_.priority;
    const bool is_left = now.out.kernel_done.valid || (now.out.events.released && !now.out.events.preempted);
    coverage_.hit_if(first_, starts && !before_.is_on);
    coverage_.hit_if(same_, starts && before_.is_on && is_same && before_.kept.any());
    coverage_.hit_if(higher_, starts && before_.is_on && !is_same);
    coverage_.hit_if(lower_, is_left && !starts && before_.is_on && linger.is_on());
    coverage_.hit_if(again_, starts && !before_.is_on && is_same && before_.kept.any());
    coverage_.hit_if(over_at_start_, now.in.linger_over && starts);
    coverage_.hit_if(to_nobody_, now.out.events.released && now.out.events.preempted && linger.is_on());
  }

  void sample_end(const CycleView& now, const Linger& linger) {
    if (!before_.is_on || linger.is_on()) return;
    const bool is_written =
        now.in_before.control.valid && now.in_before.control.reg == ControlRegister::kPolicy;  // and was taken
    coverage_.hit_if(policy_write_, is_written);
    coverage_.hit_if(over_, !is_written);
  }

  void sample_moves(const CycleView& now) {
    const rtl_model::EventPins& events = now.out.events;
    if (!events.moved || events.move != MoveKind::kAssign || !before_.is_on) return;
    coverage_.hit_if(taken_, before_.kept.has(events.sm));
    const std::uint32_t kept = before_.kept.lowest();
    const bool is_below = now.core.tables().ksrt.traits(events.ksr).priority < before_.priority;
    coverage_.hit_if(skipped_, kept < events.sm && is_below && !before_.kept.has(events.sm));
  }

  static bool is_held_back(const CycleView& now, const Linger& linger) {
    const rtl_model::Tables& tables = now.core.tables();
    if (!tables.smst.idle().any() || tables.smst.idle().without(linger.kept()).any()) return false;
    for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
      const std::uint32_t ksr = tables.active_queue.at(i);
      if (tables.ksrt.is_uncovered(ksr) && tables.ksrt.traits(ksr).priority < linger.priority()) return true;
    }
    return false;
  }

  Coverage& coverage_;
  Coverage::Id first_, same_, higher_, lower_, again_, over_, over_at_start_, policy_write_, to_nobody_, taken_,
      skipped_, held_back_;
  Before before_;
};

}  // namespace

std::unique_ptr<ICoverGroup> linger_points(Coverage& coverage) { return std::make_unique<LingerPoints>(coverage); }

}  // namespace tessera::testbench
