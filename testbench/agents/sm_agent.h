// SPDX-License-Identifier: Apache-2.0
// An SM as the core sees it (docs/hardware/timing.md 3.3, 3.4, 7): which events and handles it may show, and when. It
// has no memory channel and no pipeline: every latency is a draw.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "testbench/profile.h"

namespace tessera::testbench {

class SmAgent {
 public:
  struct Event {
    rtl_model::SmEventKind kind = rtl_model::SmEventKind::kTbDone;
    std::uint32_t tag = 0;  // of the set-up that is answered
  };
  struct Handle {
    std::uint32_t tb = 0;
    std::uint32_t stack_pointer = 0;
    bool is_last = false;  // of the save
  };

  SmAgent(const Profile& profile, std::uint64_t seed);

  // What it shows in cycle `now`, until that is taken: TB done first.
  std::optional<Event> event(Cycle now) const;
  std::optional<Handle> handle(Cycle now) const;
  // When it shows something next, if nothing comes; never before cycle `now` if it does so already.
  Cycle next_activity() const { return next_activity_; }

  // At the end of cycle `now`: first what was taken in it, then what came.
  void event_taken(Cycle now, rtl_model::SmEventKind kind);
  void handle_taken(Cycle now);
  void set_up(Cycle now, std::uint32_t tag);
  void stop(Cycle now, rtl_model::SmControlKind command);
  void receive(Cycle now, const rtl_model::DispatchPins& dispatch);
  // Its TBs end within a few cycles.
  void hurry(Cycle now);

 private:
  enum class Slot : std::uint8_t { kFree, kRunning, kRestoring, kStopped };
  struct Resident {
    Slot state = Slot::kFree;
    std::uint32_t tb = 0;
    Cycle ends_at = kNever;  // while running
  };
  Cycle end_of_tb(Cycle start);
  bool is_empty() const { return find(Slot::kRunning) == rtl_model::kNone && num_stopped_ == 0; }
  std::uint32_t find(Slot state) const;  // the lowest; kNone
  std::uint32_t find_finished(Cycle now) const;
  void find_next_activity();
  std::uint32_t draw_stack_pointer();

  SmProfile profile_;
  Random random_;
  std::vector<Resident> slots_;
  Cycle set_up_at_ = kNever;  // set-up done may be shown
  bool is_setting_up_ = false;
  std::uint32_t tag_ = 0;                // of the last set-up
  std::deque<std::uint32_t> owed_tags_;  // superseded set-ups that are still to be answered
  bool is_trapped_ = false;
  bool is_flushing_ = false;         // some of these were dropped
  std::uint32_t num_stopped_ = 0;    // that are to be saved
  Cycle restored_at_ = kNever;       // restore done may be shown
  Cycle next_handle_at_ = kNever;    // of a save
  Cycle preempted_at_ = kNever;      // at the earliest, and once no TB is left
  std::uint32_t stack_pointer_ = 0;  // of the handle that is shown
  Cycle next_activity_ = kNever;
};

}  // namespace tessera::testbench
