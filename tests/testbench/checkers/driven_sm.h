// SPDX-License-Identifier: Apache-2.0
// What the bench knows of an SM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct Tb {
  std::uint32_t tb;
  std::uint32_t left;  // cycles; a restored one waits for its contexts
  bool waits = false;
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
};
