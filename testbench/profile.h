// SPDX-License-Identifier: Apache-2.0
// What an episode, from one reset to the next, is like: drawn once, then kept. Episodes differ so much from one another
// that rare situations of the one are the daily bread of another.
#pragma once

#include <array>

#include "rtl_model/params.h"
#include "testbench/random.h"

namespace tessera::testbench {

// Which SM's event is shown to the core, of those that have one (docs/hardware/timing.md 3.3 leaves it open).
// Set-ups are sent lowest SM first: highest first, one may wait for long.
enum class Arbitration { kLowestFirst, kHighestFirst, kBatches, kSticky, kRandom };

struct HostProfile {
  Range command_gap;                      // cycles between a command and the next, if a buffer is free
  std::uint32_t num_contexts;             // that launch kernels
  std::uint32_t max_tbs_per_sm;           // of a kernel
  Range num_tbs;                          // of a kernel
  unsigned carry_bits;                    // most kernels have about a multiple of 2^carry_bits TBs; 0: none has
  bool starts_late;                       // and their counters start shortly before a carry
  bool launches_endless;                  // now and then a kernel has up to 2^tb_width - 1 TBs
  bool nears_limit = false;               // most kernels have about as many
  std::uint32_t num_priorities;           // that are in use
  Range write_gap;                        // cycles between bursts of control writes
  Range write_burst;                      // writes in a burst, a cycle each
  std::uint32_t num_partitions;           // that are in use
  std::array<unsigned, 6> write_weights;  // by ControlRegister
  std::uint32_t policies;                 // what a policy write may ask for, a bit for each code
  bool writes_reserved_codes = false;     // now and then, of policies and techniques
  std::uint32_t max_tokens;               // of a budget
  unsigned aim_permille;     // chance of a control write in a cycle where it drops an outcome, or nearly so
  unsigned finish_permille;  // chance of one that meets what the core does about a finished kernel
  bool joins_sms;            // a command and a write come with an event and a handle of the same cycle
  Range tick_gap;            // cycles between ticks while the timer is enabled
  bool has_stray_ticks;      // ticks while it is not; and of the linger timer, while it does not run
  Range linger;              // cycles from the start of a linger to its end
};

// Around a kept turn (docs/hardware/timing.md 3.12), where the core may have one.
struct TurnProfile {
  Range announced;                    // cycles for which a context waits before its command comes, at least
  Range waits, dry;                   // cycles for which a context waits, and does not, whether it has a command or not
  Range listed, unlisted;             // cycles for which a context is on the run list, and is not
  Range switch_cycles;                // of a switch, at least 1
  bool has_stray_overs;               // the end of a switch is told at any time after its start
  std::uint64_t stray_is_one_in = 1;  // of cycles
};

// What stands between the core and its SMs (docs/hardware/timing.md 3.11).
struct LinkProfile {
  bool are_there = false;           // else the SMs are wired to the core
  Cycle max_delay = 0;              // of an SM's link, each way, which keeps its draw
  Cycle jitter = 0;                 // of each message beside that
  bool answers_superseded = false;  // set-ups
};

struct SmProfile {
  Range setup, duration, drain, save, handle_gap, restore;  // cycles, each at least 1
  Cycle quantum;                                            // TBs end in cycles that are a multiple of it
  Arbitration arbitration;
  unsigned held_back;       // bit mask of SmEventKind: the networks mostly let such events wait
  unsigned stall_permille;  // chance that nobody's event is shown in a cycle
  bool holds_handle_port;   // until the SM's `preempted` was taken, not only until its last handle
  LinkProfile links;
  unsigned hurry_permille;  // chance that the TBs of a kernel for which an SM is reserved end soon
};

struct Profile {
  rtl_model::Params params;  // the configuration's, with latencies, policy, budgets and clock ratio of this episode
  HostProfile host;
  SmProfile sms;
  TurnProfile turn;
  Cycle active_cycles;  // of the episode
  bool comes_to_rest;   // no more input then, and all kernels have to finish; else a reset cuts it short
};

// Of the policies only those in `policies`, a bit each.
Profile draw_profile(const rtl_model::Params& sizes, std::uint32_t policies, std::uint64_t seed);

}  // namespace tessera::testbench
