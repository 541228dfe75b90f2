// SPDX-License-Identifier: Apache-2.0
// Random legal traffic for a core, through its pins alone: an OS that launches kernels and writes control registers, a
// timer, and SMs that do what they are told. It checks what the core does with it (Fault). Whoever stands behind the
// pins: in a cycle, `drive` gets the outputs and returns the inputs of the same cycle.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "rtl_model/core_params.h"
#include "rtl_model/policy/policy_register.h"
#include "testbench/random.h"
#include "tests/scheduler/ledger.h"
#include "tests/scheduler/sm_links.h"
#include "tests/scheduler/sm_model.h"
#include "tests/scheduler/turn_traffic.h"

namespace tessera::rtl_model::test {

struct TrafficProfile {
  std::uint64_t seed = 1;
  std::uint32_t clock_ratio = 1;  // core cycles in an SM cycle
  Range num_tbs{1, 12};
  // In a thousand cycles, each.
  unsigned launches = 20, policy_writes = 1, priority_writes = 2, tokens_writes = 2, page_table_writes = 2, ticks = 3;
  unsigned partition_writes = 2;
  std::uint32_t num_partitions = 1;
  Range linger{1, 300};  // until SMs that were left are kept no longer
  unsigned stalls = 50;  // an event that could be shown is not
  unsigned swaps = 100;  // another SM's event takes the place of one that waits
  SmLatencies sm;
  TurnProfile turn;  // if the core has what a kept turn needs
  // Links (timing.md 3.11), if the core has tags: of each message's way to or from one of the slow SMs.
  bool has_links = false;
  Range up{0, 0}, down{0, 0};

  static TrafficProfile random(Random& random, std::uint64_t seed, const CoreParams& params);
};

// The policy register: one of these policies, any technique, any fields.
std::uint32_t random_policy(Random& random, std::uint32_t policies);
CoreParams random_params(Random& random);
// Tags, and links that need them.
void add_links(Random& random, CoreParams& params, TrafficProfile& profile);
// A refill lane, and kernels whose counters carry out of the bits that it counts; perhaps links.
void add_lane(Random& random, CoreParams& params, TrafficProfile& profile);

class Traffic {
 public:
  Traffic(const CoreParams& params, const TrafficProfile& profile);

  SchedulerInputs drive(const SchedulerOutputs& out);
  // From now on nothing is launched, written or ticked.
  void calm() { is_calm_ = true; }
  bool is_done() const { return !ledger_.has_kernels() && !control_; }
  std::uint64_t now() const { return now_; }
  const Ledger& ledger() const { return ledger_; }
  std::uint32_t num_saves() const { return num_saves_; }
  std::uint32_t num_turns() const { return turn_ ? turn_->num_turns() : 0; }

  // Without a kernel that ends, a thread block that ends or a kernel that is activated.
  static constexpr std::uint64_t kMaxCyclesWithoutProgress = 20'000;

 private:
  struct PageTableWrite {
    std::uint64_t taken_in;
    std::uint64_t value;
  };

  // What the outputs say.
  void check(const SchedulerOutputs& out);
  void check_idle(const SchedulerOutputs& out);
  void check_page_table(const SmControlPins& pins) const;
  void check_batch(const SchedulerOutputs& out);
  void obey(const SchedulerOutputs& out);
  void check_set_up(const SmControlPins& pins);
  void check_order(const DispatchPins& pins);
  void deliver(std::uint32_t sm, const ToSm& message);
  // What the inputs are.
  void launch(const SchedulerOutputs& out, SchedulerInputs& in);
  void write_control(const SchedulerOutputs& out, SchedulerInputs& in);
  ControlPins random_write();
  std::uint64_t random_policy_data();
  ControlPins random_partition_write();
  bool has_kernels_without_sms() const;
  void show_event(const SchedulerOutputs& out, SchedulerInputs& in);
  void show_handle(SchedulerInputs& in);
  // What the networks see of an SM: its own outputs, or the first message of its link.
  std::optional<FromSm> shown_event(std::uint32_t sm) const;
  std::optional<FromSm> shown_handle(std::uint32_t sm) const;
  void taken(std::uint32_t sm, const FromSm& message);
  FromSm event_of(std::uint32_t sm) const;
  FromSm handle_of(std::uint32_t sm) const;
  void take_into_links();
  bool has_only_waits(const SchedulerOutputs& out) const;

  const CoreParams params_;
  const TrafficProfile profile_;
  Random random_;
  Ledger ledger_;
  std::vector<SmModel> sms_;
  std::vector<SmLinks> links_;          // by SM
  std::vector<SmControlPins> set_ups_;  // by SM: the last one
  std::uint64_t now_ = 0;
  std::uint64_t last_progress_ = 0;
  std::uint64_t next_descriptor_ = 1;
  std::uint32_t due_base_;
  PolicyRegister policy_;  // as it was last written
  std::uint64_t linger_ends_at_ = 0;
  bool is_calm_ = false;
  bool is_busy_phase_ = true;
  std::optional<ControlPins> control_;                    // held until it is taken
  std::vector<std::vector<PageTableWrite>> page_tables_;  // of a context; before there is one it launches nothing
  std::vector<std::uint32_t> partitions_;                 // by SM
  std::uint32_t event_sm_ = kNone;                        // whose event is shown
  std::uint32_t handle_sm_ = kNone;                       // whose handles go out
  std::uint32_t batch_sm_ = kNone;                        // to whom a batch of handles goes
  std::uint32_t num_saves_ = 0;
  std::optional<TurnTraffic> turn_;
  std::optional<SchedulerOutputs> at_rest_;  // outputs that shall not change
};

}  // namespace tessera::rtl_model::test
