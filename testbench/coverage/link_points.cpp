// SPDX-License-Identifier: Apache-2.0
// What links bring about: late answers, and SMs that have none yet (docs/hardware/timing.md 3.11).
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using rtl_model::SmControlKind;
using rtl_model::SmEventKind;

class LinkPoints final : public ICoverGroup {
 public:
  explicit LinkPoints(Coverage& coverage)
      : coverage_(coverage),
        stale_(coverage.add("link.stale", "a set-up done answers a superseded set-up")),
        stale_reserved_(coverage.add("link.stale_reserved", "the same, of an SM that is reserved again")),
        stands_for_(coverage.add("link.stands_for_earlier", "an answer stands for set-ups that were not answered")),
        full_(coverage.add("link.full", "as many set-ups of an SM are unanswered as there are tags")),
        withheld_(coverage.add("link.withheld", "a decision ends while an idle SM can not be set up")),
        free_again_(coverage.add("link.free_again", "an idle SM can be set up again")),
        late_preempted_(coverage.add("link.late_preempted", "a preempted comes after the SM's next set-up was sent")),
        late_restore_(coverage.add("link.late_restore_done", "a restore done comes after the next set-up was sent")) {}

  void sample(const CycleView& now) override {
    if (now.params.tag_width == 0) return;
    const std::uint32_t num_tags = now.params.max_unanswered();
    const auto& out = now.out;
    const bool is_set_up = out.sm_control.valid && out.sm_control.kind == SmControlKind::kSetup;
    coverage_.hit_if(full_, is_set_up && now.board.sm(out.sm_control.sm).unanswered == num_tags);
    if (now.takes_event()) sample_event(now, now.board.sm(now.in.sm_event.sm));
    const rtl_model::SmSet idle = now.core.tables().smst.idle();
    const bool was_full = was_full_;
    was_full_ = false;
    for (std::uint32_t sm = 0; sm < now.params.num_sms; ++sm) {
      was_full_ = was_full_ || (idle.has(sm) && now.board.sm(sm).unanswered == num_tags);
    }
    coverage_.hit_if(withheld_, out.events.policy_decided && was_full_);
    coverage_.hit_if(free_again_, was_full && !was_full_);
  }
  void reset() override { was_full_ = false; }

 private:
  void sample_event(const CycleView& now, const Scoreboard::Sm& sm) {
    const auto& event = now.in.sm_event;
    const bool is_being_set_up = sm.set_up == Scoreboard::SetUp::kSent;
    coverage_.hit_if(late_preempted_, event.kind == SmEventKind::kPreempted && is_being_set_up);
    coverage_.hit_if(late_restore_, event.kind == SmEventKind::kRestoreDone && is_being_set_up);
    if (event.kind != SmEventKind::kSetupDone) return;
    const bool is_stale = event.tag != sm.tag;
    coverage_.hit_if(stale_, is_stale);
    coverage_.hit_if(stale_reserved_, is_stale && sm.owning == Scoreboard::Owning::kReserved);
    coverage_.hit_if(stands_for_, sm.answered_at_once > 1);
  }

  Coverage& coverage_;
  Coverage::Id stale_, stale_reserved_, stands_for_, full_, withheld_, free_again_, late_preempted_, late_restore_;
  bool was_full_ = false;  // some idle SM, in the cycle before
};

}  // namespace

std::unique_ptr<ICoverGroup> link_points(Coverage& coverage) { return std::make_unique<LinkPoints>(coverage); }

}  // namespace tessera::testbench
