// SPDX-License-Identifier: Apache-2.0
// An SM's life: every change from one phase to another, and what the policy did to it in which phase.
#include <array>

#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

constexpr std::array<const char*, kNumSmPhases> kPhaseNames = {
    "idle",         "set_up",  "active",   "filling", "reserved_in_set_up", "reserved_filling",
    "trap_pending", "trapped", "draining",
};

struct Change {
  SmPhase from, to;
  const char* why;
};
constexpr std::array kChanges = {
    Change{SmPhase::kIdle, SmPhase::kSetUp, "assigned"},
    Change{SmPhase::kSetUp, SmPhase::kActive, "set up"},
    Change{SmPhase::kSetUp, SmPhase::kIdle, "its kernel finished, or has nothing to issue any more"},
    Change{SmPhase::kSetUp, SmPhase::kReservedInSetUp, "taken away before it is set up"},
    Change{SmPhase::kActive, SmPhase::kIdle, "released, or its kernel finished"},
    Change{SmPhase::kActive, SmPhase::kFilling, "gets handles"},
    Change{SmPhase::kActive, SmPhase::kTrapPending, "reserved for a context switch"},
    Change{SmPhase::kActive, SmPhase::kDraining, "reserved, to be drained"},
    Change{SmPhase::kActive, SmPhase::kReservedFilling, "reserved in the cycle in which a batch begins"},
    Change{SmPhase::kFilling, SmPhase::kActive, "restored"},
    Change{SmPhase::kFilling, SmPhase::kIdle, "its kernel finished before the restore done was taken"},
    Change{SmPhase::kFilling, SmPhase::kReservedFilling, "reserved while it restores"},
    Change{SmPhase::kReservedInSetUp, SmPhase::kSetUp, "set up, and handed over at once"},
    Change{SmPhase::kReservedInSetUp, SmPhase::kIdle, "set up, and nobody wants it"},
    Change{SmPhase::kReservedInSetUp, SmPhase::kDraining, "its owner finished before its set-up was sent"},
    Change{SmPhase::kReservedFilling, SmPhase::kTrapPending, "restored, and to be trapped"},
    Change{SmPhase::kReservedFilling, SmPhase::kDraining, "restored, and to be drained"},
    Change{SmPhase::kReservedFilling, SmPhase::kFilling, "given back while it restores"},
    Change{SmPhase::kTrapPending, SmPhase::kTrapped, "trapped"},
    Change{SmPhase::kTrapPending, SmPhase::kSetUp, "its last TB finished before the trap: handed over"},
    Change{SmPhase::kTrapPending, SmPhase::kIdle, "its last TB finished before the trap, and nobody wants it"},
    Change{SmPhase::kTrapped, SmPhase::kSetUp, "saved, or its last TB finished: handed over"},
    Change{SmPhase::kTrapped, SmPhase::kIdle, "saved, and nobody wants it"},
    Change{SmPhase::kDraining, SmPhase::kSetUp, "drained: handed over"},
    Change{SmPhase::kDraining, SmPhase::kIdle, "drained, and nobody wants it"},
    Change{SmPhase::kDraining, SmPhase::kActive, "given back to its owner"},
};

constexpr std::array kReservable = {SmPhase::kSetUp, SmPhase::kActive, SmPhase::kFilling};
constexpr std::array kRetargetable = {SmPhase::kReservedInSetUp, SmPhase::kReservedFilling, SmPhase::kTrapPending,
                                      SmPhase::kTrapped, SmPhase::kDraining};

constexpr std::size_t at(SmPhase phase) { return static_cast<std::size_t>(phase); }

class SmPoints final : public ICoverGroup {
 public:
  explicit SmPoints(Coverage& coverage) : coverage_(coverage) {
    for (const Change& change : kChanges) {
      const std::string name = std::string("sm.") + kPhaseNames[at(change.from)] + "_to_" + kPhaseNames[at(change.to)];
      changes_[at(change.from)][at(change.to)] = coverage_.add(name, change.why);
    }
    for (const SmPhase phase : kReservable) add_move(reserved_in_, "reserve_", phase, "reserved");
    for (const SmPhase phase : kRetargetable) {
      add_move(retargeted_in_, "retarget_", phase, "given to another next kernel");
      // One that drains is given back to it.
      if (phase != SmPhase::kDraining) {
        add_move(to_owner_in_, "retarget_to_owner_", phase, "reserved for its own kernel again");
      }
    }
    for (const SmPhase phase : {SmPhase::kReservedInSetUp, SmPhase::kReservedFilling, SmPhase::kDraining}) {
      add_move(cancelled_in_, "cancel_", phase, "given back to its owner: no preemption");
    }
  }

  void sample(const CycleView& now) override {
    if (!now.has_changed) return;
    for (std::uint32_t sm = 0; sm < now.phases.size(); ++sm) {
      const SmPhase before = now.before.phases[sm];
      if (before != now.phases[sm]) hit(changes_[at(before)][at(now.phases[sm])]);
      coverage_.hit_if(idle_while_saving_, now.out.idle && now.phases[sm] == SmPhase::kTrapped);
      coverage_.hit_if(
          no_next_, now.phases[sm] >= SmPhase::kReservedInSetUp && !now.tables.smst.has_next(now.tables.smst.row(sm)));
    }
    if (now.out.events.moved) sample_move(now);
    sample_room(now);
  }

 private:
  static constexpr Coverage::Id kNoPoint = ~Coverage::Id{0};
  using ByPhase = std::array<Coverage::Id, kNumSmPhases>;
  static constexpr ByPhase none() {
    ByPhase all{};
    for (Coverage::Id& id : all) id = kNoPoint;
    return all;
  }

  void add_move(ByPhase& points, const char* move, SmPhase phase, const char* what) {
    const char* name = kPhaseNames[at(phase)];
    points[at(phase)] =
        coverage_.add(std::string("move.") + move + name, std::string("an SM in phase ") + name + " is " + what);
  }
  void hit(Coverage::Id id) {
    if (id != kNoPoint) coverage_.hit(id);
  }
  // The move was processed in the cycle before.
  void sample_move(const CycleView& now) {
    const EventPins& events = now.out.events;
    const std::size_t before = at(now.before.phases[events.moved_sm]);
    const bool had_tb = now.before.out.dispatch.valid && now.before.out.dispatch.sm == events.moved_sm;
    if (events.cancelled) return hit(cancelled_in_[before]);
    if (events.move == MoveKind::kReserve) {
      hit(reserved_in_[before]);
      coverage_.hit_if(choice_and_reserve_, had_tb && !now.before.out.dispatch.is_restore);
    }
    if (events.move != MoveKind::kRetarget) return;
    const bool is_owner = now.tables.smst.row(events.moved_sm).ksr == events.moved_ksr;
    hit((is_owner ? to_owner_in_ : retargeted_in_)[before]);
  }
  // One trap is sent in every cycle in which one may be.
  void sample_room(const CycleView& now) {
    const bool sends_trap = now.sent.valid && now.sent.kind == SmControlKind::kTrap;
    if (sends_trap) return;
    for (const SmPhase phase : now.phases) {
      if (phase != SmPhase::kTrapPending) continue;
      coverage_.hit(waits_for_room_);
      coverage_.hit_if(idle_while_waiting_, now.out.idle);
    }
  }

  Coverage& coverage_;
  std::array<ByPhase, kNumSmPhases> changes_ = {none(), none(), none(), none(), none(), none(), none(), none(), none()};
  ByPhase reserved_in_ = none(), retargeted_in_ = none(), to_owner_in_ = none(), cancelled_in_ = none();
  const Coverage::Id idle_while_saving_ = coverage_.add("idle.while_saving", "the core is idle while an SM saves");
  const Coverage::Id idle_while_waiting_ =
      coverage_.add("idle.while_trap_waits", "the core is idle while a trap waits for room in the PTBQ");
  const Coverage::Id waits_for_room_ = coverage_.add("ptbq.trap_waits_for_room", "a trap waits for room in the PTBQ");
  const Coverage::Id no_next_ = coverage_.add("sm.reserved_for_nobody", "the kernel it was reserved for has finished");
  const Coverage::Id choice_and_reserve_ =
      coverage_.add("meeting.choice_and_reserve", "a TB is chosen for an SM in the cycle in which it is reserved");
};

}  // namespace

std::unique_ptr<ICoverGroup> sm_points(Coverage& coverage) { return std::make_unique<SmPoints>(coverage); }

}  // namespace tessera::testbench
