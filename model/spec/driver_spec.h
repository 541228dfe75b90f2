// SPDX-License-Identifier: Apache-2.0
// The device driver between host processes and hardware queues: the experiment's `driver` ([K11], [G16];
// docs/concepts/drivers.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

enum class DriverKind { kPassThrough, kTimegraph, kGloop };
enum class OnTimeout { kKill, kPreempt };       // of a kernel that does not give the GPU up ([G16] 3.2.1)
enum class Invocation { kEvent, kTick };        // is it told of arrivals and completions, or does it look?
enum class Notifier { kFence, kFlag };          // a command behind each group, or a flag of the group's last
enum class HistoryScope { kGlobal, kProcess };  // whose groups are predicted from whose?
enum class Accounting { kAtCompletion, kContinuous, kMeasured };
enum class OnlineScope { kDevice, kEngine };  // do copies and kernels wait for each other?
enum class Joins { kNone, kHigherPriority };  // who may be submitted while another's group is online?
enum class GroupDispatch { kPrt, kHt };       // [K11] 4.1
enum class Reservation { kNone, kPosterior, kApriori, kBackground };  // [K11] 5.1: PE, AE

// A line of TimeGraph's specification: <name:sched:resv:prio:C:T> ([K11] 3).
struct TimegraphEntry {
  std::string name;  // of a process, or of an application
  GroupDispatch dispatch = GroupDispatch::kPrt;
  Reservation reservation = Reservation::kNone;
  std::string shared_reserve;             // its name; empty: each task has a reserve of its own
  std::optional<std::uint32_t> priority;  // none: `*`, automatic
  Picoseconds capacity = 0;               // of PE and AE
  Picoseconds period = 0;
};

// From that time on the process has the foreground window.
struct Focus {
  Picoseconds at = 0;
  std::uint32_t process = 0;
};

struct DriverSpec {
  DriverKind kind = DriverKind::kPassThrough;
  // gloop only
  Picoseconds threshold = 10'000'000'000;  // a waiter's: then who holds the token is told to give it up ([G16] 4.1)
  Picoseconds slice = 0;                   // so long after its grant it is told in any case; 0: never ([G16] 3.2.1)
  Picoseconds token_switch =
      380'000'000;  // from a session's token to another's; fitted (docs/papers/reproducing_g16.md)
  OnTimeout on_timeout = OnTimeout::kKill;
  Picoseconds kill = 1'000'000'000'000;  // so long after it was told, it does not yield
  // timegraph only, all of what follows
  std::vector<TimegraphEntry> entries;  // those without one: lowest priority, Background
  std::uint32_t limit_percent = 100;    // of the GPU's time, for all reserves together
  std::uint32_t default_priority = 8;   // of those with an automatic one
  Invocation invocation = Invocation::kEvent;
  Picoseconds tick = 1'000'000'000;
  Notifier notifier = Notifier::kFence;
  Picoseconds arrival = 1'000'000;     // CPU time of the driver, at a group's arrival, ..
  Picoseconds completion = 1'000'000;  // .. at its completion and where a budget is replenished, ..
  Picoseconds prediction = 0;          // .. for a prediction
  std::uint32_t history_records = 100;
  HistoryScope history_scope = HistoryScope::kGlobal;
  Accounting accounting = Accounting::kAtCompletion;
  OnlineScope online_scope = OnlineScope::kDevice;
  Joins joins = Joins::kNone;
  std::uint32_t max_online = 256;  // groups of an HT task
  Picoseconds background_capacity = 25'000'000'000;
  Picoseconds background_period = 25'000'000'000;
  std::vector<Focus> focus;  // in order of time
};

}  // namespace tessera::spec
