// SPDX-License-Identifier: Apache-2.0
// What the bench knows of an SM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

struct Tb {
  std::uint32_t tb;
  std::uint32_t left;  // cycles; a restored one waits for its contexts
  bool waits = false;
};

// What is on a link, and from when on it is at the other end.
struct SmCommand {  // a dispatch, or a control
  long at = 0;
  bool is_dispatch = false;
  bool is_restore = false, is_last = false;
  std::uint32_t tb = 0;
  unsigned kind = 0, tag = 0;
};
struct SmMessage {  // a handle, or an event
  long at = 0;
  bool is_handle = false, is_last = false;
  std::uint32_t tb = 0;
  unsigned kind = 0, tag = 0;
};

enum class Phase { kNone, kSetUp, kRun, kFreeze, kSave, kSaved };
struct Sm {
  Phase phase = Phase::kNone;
  int timer = 0;
  std::vector<Tb> slots;  // in slot order
  std::vector<Tb> done;
  bool restoring = false;  // a batch is complete, and its event was not taken
  int restore_timer = 0;   // until its contexts are there
  std::size_t handles_out = 0;
  unsigned tag = 0;                 // of its last set-up
  std::deque<unsigned> superseded;  // tags of set-ups that it answers all the same
  int unanswered = 0;               // set-ups, as the core sees it
  std::deque<SmCommand> down;
  std::deque<SmMessage> up;
};
