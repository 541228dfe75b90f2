// SPDX-License-Identifier: Apache-2.0
// The device driver between host processes and hardware queues: the experiment's `driver` ([K11], [G16], XSched, GCAPS;
// docs/concepts/drivers.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::spec {

enum class DriverKind { kPassThrough, kTimegraph, kGloop, kXsched, kGcaps };
enum class OnTimeout { kKill, kPreempt };       // for a kernel that does not give up the GPU ([G16] 3.2.1)
enum class Invocation { kEvent, kTick };        // invoked by arrivals and completions, or by a timer
enum class Notifier { kFence, kFlag };          // a command after each group, or a flag of the group's last command
enum class HistoryScope { kGlobal, kProcess };  // groups are predicted from those of all processes, or of their own
enum class Accounting { kAtCompletion, kContinuous, kMeasured };
enum class OnlineScope { kDevice, kEngine };  // whether copies and kernels wait for each other
enum class Joins { kNone, kHigherPriority };  // which groups may be submitted while another task's group is online
enum class GroupDispatch { kPrt, kHt };       // [K11] 4.1
enum class Reservation { kNone, kPosterior, kApriori, kBackground };  // [K11] 5.1: PE, AE

// A line of TimeGraph's specification: <name:sched:resv:prio:C:T> ([K11] 3).
struct TimegraphEntry {
  std::string name;  // of a process, or of an application
  GroupDispatch dispatch = GroupDispatch::kPrt;
  Reservation reservation = Reservation::kNone;
  std::string shared_reserve;             // its name; empty: each task has its own reserve
  std::optional<std::uint32_t> priority;  // empty: `*`, automatic
  Picoseconds capacity = 0;               // of PE and AE
  Picoseconds period = 0;
};

// From time `at` on, the process has the foreground window.
struct Focus {
  Picoseconds at = 0;
  std::uint32_t process = 0;
};

// How XSched launches for a process and stops it: 1: launches are held back; 2: besides, nothing starts that was handed
// over; 3: besides, its context is taken off the GPU.
struct XschedTaskSpec {
  std::uint32_t threshold = 8;  // launches on the GPU at once
  std::uint32_t batch = 4;      // with so many there, the host waits for the oldest ones; at most `threshold`
  std::uint32_t level = 1;
  std::optional<std::uint32_t> weight{};  // of any process: turns by weights instead of priorities; without one: 1
};

// Somebody who suspends a process again and again, as who measures suspensions does: times are uniform in their ranges.
struct SuspensionSpec {
  std::uint32_t process = 0;
  Picoseconds min_run = 0;  // from a resume to the next suspension
  Picoseconds max_run = 800'000'000;
  Picoseconds min_pause = 800'000'000;  // from the end of a suspension, when nothing of it is on the GPU, to the resume
  Picoseconds max_pause = 1'600'000'000;
  Picoseconds slack = 60'000'000;  // that a sleep takes longer
};

struct XschedSpec {
  std::vector<XschedTaskSpec> tasks;  // by process; those that it leaves out have the defaults
  Picoseconds suspend = 0;            // levels 2 and 3: from the decision to its register write ..
  Picoseconds resume = 0;             // .. and so to end it
  Picoseconds round = 8'192'000'000;  // with weights: the time that they divide
  std::optional<SuspensionSpec> suspensions{};

  XschedTaskSpec task(std::size_t process) const { return process < tasks.size() ? tasks[process] : XschedTaskSpec{}; }
  bool has_weights() const {
    return std::any_of(tasks.begin(), tasks.end(), [](const XschedTaskSpec& task) { return task.weight.has_value(); });
  }
};

struct DriverSpec {
  DriverKind kind = DriverKind::kPassThrough;
  // gloop only
  Picoseconds threshold = 10'000'000'000;  // waiting time after which the token's holder is told to yield ([G16] 4.1)
  Picoseconds slice = 0;                   // time after the grant at which the holder is told to yield in any case; 0:
                                           // never ([G16] 3.2.1)
  Picoseconds token_switch =
      380'000'000;  // time to pass the token between sessions; fitted (docs/papers/reproducing_g16.md)
  OnTimeout on_timeout = OnTimeout::kKill;
  Picoseconds kill = 1'000'000'000'000;  // timeout after it was told to yield
  // xsched only
  XschedSpec xsched{};
  // gcaps only
  Picoseconds update = 420'000'000;  // CPU time of a change of the run list (a Jetson Xavier NX on average: ECRTS 2024)
  // timegraph only: all fields below
  std::vector<TimegraphEntry> entries;  // tasks without an entry: lowest priority, Background
  std::uint32_t limit_percent = 100;    // share of GPU time for all reserves together
  std::uint32_t default_priority = 8;   // of tasks with automatic priority
  Invocation invocation = Invocation::kEvent;
  Picoseconds tick = 1'000'000'000;
  Notifier notifier = Notifier::kFence;
  Picoseconds arrival = 1'000'000;     // the driver's CPU time at a group's arrival, ..
  Picoseconds completion = 1'000'000;  // .. at its completion and when a budget is replenished, ..
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
