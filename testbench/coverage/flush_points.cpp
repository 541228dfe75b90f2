// SPDX-License-Identifier: Apache-2.0
// What an SM that is told to give its thread blocks up does with them: drops, saves, ends
// (docs/hardware/timing.md 3.3, 3.5).
#include "rtl_model/sm/flushed_handle.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Job = JobEngine::Job;
using rtl_model::ControlRegister;
using rtl_model::SmControlKind;
using rtl_model::SmEventKind;

class FlushPoints final : public ICoverGroup {
 public:
  explicit FlushPoints(Coverage& coverage)
      : coverage_(coverage),
        after_restore_(coverage.add("flush.after_restore", "an SM that was reserved while it restored is flushed")),
        other_than_reserved_(
            coverage.add("flush.other_than_reserved", "the technique is written between a reserve and its trap")),
        written_at_trap_(
            coverage.add("flush.written_at_trap", "it is written in WRITE of a trap, or as that is on the pins")),
        tb_done_(coverage.add("flush.tb_done", "a TB of an SM that was told to flush ends")),
        nothing_left_(coverage.add("flush.nothing_left", "all of them do: there is nothing to hand back")),
        handed_(coverage.add("flush.handed", "a flush hands back TBs that it dropped, and no other")),
        handed_both_(coverage.add("flush.handed_both", "it hands back TBs that it dropped, and TBs that it saved")),
        restarted_(coverage.add("flush.restarted", "a batch of TBs that were dropped")),
        restarted_and_restored_(coverage.add("flush.restarted_and_restored",
                                             "a batch of TBs that were dropped, and TBs that were saved")) {}

  void reset() override {
    sms_.clear();
    batch_ = {};
    was_written_ = false;
  }

  void sample(const CycleView& now) override {
    sms_.resize(now.params.num_sms);
    const bool is_written = now.takes(ControlRegister::kPolicy) &&
                            rtl_model::PolicyRegister::of(now.in.control.data).is_flushing() != is_flushing(now);
    if (now.ends(Job::kReserve) && !now.job.is_rejected) {
      Sm& sm = sms_[now.out.events.sm];
      sm.was_restoring = now.job.is_restoring;
      sm.had_flush = is_flushing(now);
    }
    if (now.out.sm_control.valid) sample_control(now, is_written);
    if (now.in.handle.valid) sms_[now.in.handle.sm].handles.add(now.in.handle.stack_pointer);
    if (now.takes_event()) sample_event(now.in.sm_event);
    if (now.out.dispatch.valid && now.out.dispatch.is_restore) sample_restore(now.out.dispatch);
    was_written_ = is_written;
  }

 private:
  struct Handles {
    bool flushed = false, saved = false;
    void add(std::uint32_t stack_pointer) { (rtl_model::is_flushed(stack_pointer) ? flushed : saved) = true; }
  };
  struct Sm {
    bool was_restoring = false, had_flush = false;  // as it was reserved
    bool flushes = false;                           // told so, with TBs
    Handles handles;
  };

  static bool is_flushing(const CycleView& now) { return now.core.search().policy().is_flushing(); }

  void sample_control(const CycleView& now, bool is_written) {
    Sm& sm = sms_[now.out.sm_control.sm];
    sm.handles = {};
    sm.flushes = now.out.sm_control.kind == SmControlKind::kFlush && now.job.sm.running != 0;
    if (now.out.sm_control.kind == SmControlKind::kSetup) return;
    const bool is_flush = now.out.sm_control.kind == SmControlKind::kFlush;
    coverage_.hit_if(after_restore_, sm.flushes && sm.was_restoring);
    coverage_.hit_if(other_than_reserved_, is_flush != sm.had_flush);
    coverage_.hit_if(written_at_trap_, was_written_ || is_written);
  }

  void sample_event(const rtl_model::SmEventPins& event) {
    Sm& sm = sms_[event.sm];
    coverage_.hit_if(tb_done_, sm.flushes && event.kind == SmEventKind::kTbDone);
    if (event.kind != SmEventKind::kPreempted) return;
    const Handles& handles = sm.handles;
    coverage_.hit_if(nothing_left_, sm.flushes && !handles.flushed && !handles.saved);
    coverage_.hit_if(handed_, sm.flushes && handles.flushed && !handles.saved);
    coverage_.hit_if(handed_both_, sm.flushes && handles.flushed && handles.saved);
    sm = {};
  }

  void sample_restore(const rtl_model::DispatchPins& dispatch) {
    batch_.add(dispatch.stack_pointer);
    if (!dispatch.last) return;
    coverage_.hit_if(restarted_, batch_.flushed && !batch_.saved);
    coverage_.hit_if(restarted_and_restored_, batch_.flushed && batch_.saved);
    batch_ = {};
  }

  Coverage& coverage_;
  Coverage::Id after_restore_, other_than_reserved_, written_at_trap_, tb_done_, nothing_left_, handed_, handed_both_,
      restarted_, restarted_and_restored_;
  std::vector<Sm> sms_;
  Handles batch_;             // sent so far
  bool was_written_ = false;  // another technique, in the cycle before
};

}  // namespace

std::unique_ptr<ICoverGroup> flush_points(Coverage& coverage) { return std::make_unique<FlushPoints>(coverage); }

}  // namespace tessera::testbench
