// SPDX-License-Identifier: Apache-2.0
// Kept turns, as the pins show them, against what the driver has done (docs/hardware/timing.md 3.12 and 7.6): whom SMs
// are set up for, why a turn passes, how long slices and switches take.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rtl_model/interfaces/pins.h"

namespace tessera::ip {

class TurnLedger {
 public:
  // What the IP's timers were told, in SM cycles; a core cycle is one.
  struct Timers {
    std::vector<std::uint64_t> slices;  // by context
    std::uint64_t preempted = 0, dry = 0, in_slice = 0;
  };

  explicit TurnLedger(unsigned num_contexts) : contexts_(num_contexts) {}

  // Turns are kept from now on.
  void begin(bool of_gpu, std::optional<Timers> timers);

  // What the driver has done, after an access was answered if it begins something, before it if it ends it.
  void set_waiting(std::uint32_t context, bool waits) { contexts_[context].waits_from = waits ? soon() : kNever; }
  void set_listed(std::uint32_t context, bool is_listed) {
    contexts_[context].listed_from = is_listed ? soon() : kNever;
  }
  void launch(std::uint64_t descriptor, std::uint32_t context);

  // A cycle of the IP.
  void cycle(const rtl_model::SchedulerOutputs& out);

  std::uint64_t num_began() const { return num_began_; }
  std::uint64_t num_switches() const { return num_switches_; }
  std::uint64_t num_passed(rtl_model::TurnCause cause) const { return num_passed_[static_cast<std::size_t>(cause)]; }
  std::uint64_t num_passed() const { return num_passed_[0] + num_passed_[1] + num_passed_[2]; }
  // The first thing that was wrong; empty: nothing.
  const std::string& violation() const { return violation_; }

 private:
  struct Context {
    std::uint64_t waits_from = kNever;
    std::uint64_t listed_from = 0;
  };
  struct Launch {
    std::uint32_t context;
    std::uint64_t from;
  };
  // Registers and pins that an access changes are past by then.
  std::uint64_t soon() const { return now_ + 5; }
  bool has_work(std::uint32_t context) const;
  void pass(rtl_model::TurnCause cause);
  void start_turn(std::uint32_t turn);
  void expect(bool holds, const char* rule);

  bool is_kept_ = false, is_of_gpu_ = false;
  std::optional<Timers> timers_;
  std::vector<Context> contexts_;
  std::map<std::uint64_t, Launch> launches_;  // not yet done, by descriptor
  std::set<std::uint64_t> done_;
  std::uint64_t now_ = 0;
  std::optional<std::uint32_t> owner_;  // the last one
  std::uint64_t began_at_ = 0;
  std::optional<std::uint64_t> began_switch_at_;
  bool switch_runs_ = false;
  std::uint64_t num_began_ = 0, num_switches_ = 0;
  std::array<std::uint64_t, 3> num_passed_{};  // by cause
  std::string violation_;
};

}  // namespace tessera::ip
