// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated tsr_scheduler with random kernels and SMs that keep to docs/hardware/timing.md, so that its
// checkers have something to look at. With tags there are links in some episodes, of any delay. Ends with status 1 at
// the first assertion that fails, a core with a fault some cycles later. Arguments: cycles, seed, mutant, violation of
// violations.h to end with, from 1 on; without any, lists the violations.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vtsr_scheduler.h"
#include "driven_sm.h"
#include "pins.h"
#include "verilated.h"
#include "violations.h"

bool failed = false;
// Verilator's hook: an assertion has failed, and has said so.
void vl_stop(const char*, int, const char*) { failed = true; }

namespace {

constexpr unsigned kNumPolicies = POLICIES == 127 ? 7 : 6;  // of the core that is driven
constexpr bool kHasPartitions = kNumPolicies > 6;
constexpr unsigned kTags = 1U << TAG_WIDTH;

struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
};

constexpr long kAfterFault = 60;  // cycles: other assertions may fail too
constexpr std::uint32_t kLastTb = 0xFFFFFFFFU >> (32 - TB_WIDTH);

// Only a core with faults in it has a pin for this.
template <typename Top>
auto choose_mutant(Top* top, int mutant) -> decltype(top->mutant_i, void()) {
  top->mutant_i = mutant;
}
void choose_mutant(const void*, int) {}

class Bench {
 public:
  Bench(VerilatedContext& context, std::uint64_t seed, int mutant, bool may_link)
      : top_(&context), context_(context), random_{seed}, may_link_(may_link) {
    choose_mutant(&top_, mutant);
  }

  // With a strap that is wrong, if one is given.
  void reset(const Violation* violation) {
    profile();
    sms_.assign(NUM_SMS, Sm{});
    last_tag_.fill(0);
    port_owner_ = -1;
    offered_ = -1;
    control_waits_ = false;
    quiet_inputs();
    top_.rst_ni = 0;
    top_.strap_policy_i = static_cast<unsigned>(policy_data(kNumPolicies));
    top_.strap_activation_cycles_i = 1 + random_.below(random_.one_in(2) ? 1 : 20);
    top_.strap_search_step_cycles_i = 1 + random_.below(random_.one_in(2) ? 1 : 3);
    ratio_ = random_.one_in(2) ? 1 : 1 + random_.below(4);
    top_.strap_breadth_first_i = random_.one_in(2);
    top_.strap_rounds_i = top_.strap_breadth_first_i && ratio_ > 1;
    top_.strap_linger_i = random_.one_in(2);
    if (violation != nullptr) violation->put(top_, sms_);
    is_switching_ = false;
    for (int i = 0; i < 2; ++i) edge();
    top_.rst_ni = 1;
    settle();
  }

  // Breaks a rule, if one is given and there is an occasion: then true, and there is nothing to go on with.
  bool cycle(const Violation* violation) {
    quiet_inputs();
    top_.control_valid_i = control_waits_;
    top_.sm_tick_i = ++tick_count_ % ratio_ == 0;
    ++now_;
    for (Sm& sm : sms_) {
      arrive(sm);
      run(sm);
      if (is_linked_) send(sm);
    }
    if (!random_.one_in(quiet_)) {
      host();
      offer_event();
      offer_handle();
    }
    const bool is_violated = violation != nullptr && !control_waits_ && violation->put(top_, sms_);
    if (!is_violated) take_outputs();
    is_switching_ = top_.switch_start_o || (is_switching_ && !top_.switch_over_i);
    edge();
    if (is_violated && violation->then != nullptr) {
      quiet_inputs();
      violation->then(top_, sms_);
      edge();
    }
    return is_violated;
  }

  void finish() { top_.final(); }

 private:
  void profile() {
    command_rate_ = 1 + random_.below(random_.one_in(2) ? 4 : 200);
    control_rate_ = 2 + random_.below(random_.one_in(3) ? 20 : 2000);
    tick_rate_ = 5 + random_.below(random_.one_in(3) ? 20 : 500);
    tb_cycles_ = 1 + random_.below(random_.one_in(3) ? 2 : random_.one_in(2) ? 100 : 2000);
    latency_ = 1 + random_.below(random_.one_in(2) ? 2 : 60);
    num_tbs_ = 1 + random_.below(random_.one_in(3) ? 4 : random_.one_in(6) ? 100 * NUM_SMS : 12 * NUM_SMS);
    if (static_cast<std::uint32_t>(num_tbs_) > kLastTb) num_tbs_ = kLastTb;
    is_endless_ = random_.one_in(12);
    stall_ = 1 + random_.below(4);
    handle_stall_ = 1 + random_.below(random_.one_in(2) ? 4 : 60);
    quiet_ = random_.one_in(2) ? 1000000 : 2 + random_.below(5);
    contexts_ = 1 + random_.below(NUM_CONTEXTS);
    technique_bias_ = random_.below(3);
    first_due_ = static_cast<std::uint32_t>(random_.next());
    is_linked_ = may_link_ && TAG_WIDTH > 0 && !random_.one_in(4);
    if (!is_linked_) return;
    for (int& link : links_) link = 1 + random_.below(random_.one_in(2) ? 4 : 300);
    if (random_.one_in(2)) {  // kernels that finish before all of their SMs are set up
      tb_cycles_ = 1 + random_.below(2);
      num_tbs_ = 1 + random_.below(4 * NUM_SMS);
      command_rate_ = 1 + random_.below(20);
    }
    answers_all_ = random_.one_in(2);
  }

  void quiet_inputs() {
    top_.command_valid_i = 0;
    top_.control_valid_i = 0;
    top_.slice_tick_i = 0;
    top_.linger_over_i = 0;
    top_.waiting_i = waiting_;
    top_.listed_i = listed_;
    top_.switch_over_i = 0;
    top_.sm_event_valid_i = 0;
    top_.handle_valid_i = 0;
  }

  void settle() { top_.eval(); }
  void edge() {
    settle();  // a clock gate looks at its enable while the clock is low
    top_.clk_i = 1;
    context_.timeInc(1);
    top_.eval();
    top_.clk_i = 0;
    context_.timeInc(1);
    top_.eval();
  }

  void host() {
    const int buffer = random_.below(NUM_COMMAND_BUFFERS);
    if (get_bit(top_.buffer_free_o, buffer) && random_.one_in(command_rate_)) {
      top_.command_valid_i = 1;
      top_.command_buffer_i = buffer;
      top_.command_context_i = random_.below(contexts_);
      top_.command_priority_i = random_.below(random_.one_in(2) ? 3 : 16);
      top_.command_has_due_i = !random_.one_in(4);
      top_.command_due_i = first_due_ + random_.below(random_.one_in(2) ? 4 : 100'000);
      if (kHasPartitions) top_.command_partition_i = random_.below(random_.one_in(3) ? 2 : 1);
      top_.command_num_tbs_i = 1 + random_.below(num_tbs_);
      if (is_endless_) top_.command_num_tbs_i |= random_.next() & ~0xFFULL & kLastTb;
      top_.command_tbs_per_sm_i = 1 + random_.below(MAX_TBS_PER_SM);
      top_.command_descriptor_i = random_.next() & 0xFFFFFFFFFFULL;
    }
    const bool has_to_wait = !top_.control_ready_o;
    if (!control_waits_ && (random_.one_in(control_rate_) || (has_to_wait && random_.one_in(50)))) control();
    top_.slice_tick_i = random_.one_in(tick_rate_);
    top_.linger_over_i = random_.one_in(tick_rate_);
    kept_turn();
  }

  // Launches are on their way until their commands come; the run list; the end of a switch.
  void kept_turn() {
    if (random_.one_in(tick_rate_)) waiting_ ^= 1U << random_.below(contexts_);
    if (top_.command_valid_i) waiting_ |= 1U << top_.command_context_i;
    if (random_.one_in(4 * tick_rate_)) listed_ ^= 1U << random_.below(contexts_);
    if (random_.one_in(4)) listed_ = kAllContexts;
    top_.waiting_i = waiting_;
    top_.listed_i = listed_;
    top_.switch_over_i = is_switching_ && random_.one_in(tick_rate_);
  }

  void control() {
    top_.control_valid_i = 1;
    top_.control_reg_i = random_.one_in(2) ? 1 : random_.below(kHasPartitions ? 5 : 4);  // mostly priorities
    top_.control_context_i = random_.below(contexts_);
    top_.control_data_i = random_.next();
    if (top_.control_reg_i == 0) top_.control_data_i = policy_data(kNumPolicies + 2);  // two are reserved
    if (top_.control_reg_i == 2) top_.control_data_i = random_.below(NUM_SMS + 1);
    if (top_.control_reg_i == 4) top_.control_data_i = random_.below(NUM_SMS) << 8 | random_.below(2);
  }

  // A policy register with the episode's technique, if it has one, and mostly a policy that preempts.
  std::uint64_t policy_data(unsigned num_codes) {
    std::uint64_t code = random_.below(num_codes);
    if (code < 2 && !random_.one_in(3)) code += 2;
    const bool drains = technique_bias_ == 2 ? random_.one_in(2) : technique_bias_ == 1;
    const std::uint64_t technique = drains ? 1 : random_.one_in(2) ? 2 : 0;
    return code | technique << 4 | random_.below(512) << 7;  // any of the other fields
  }

  // The event of SM i: TB done, set-up done, restore done, preempted; -1: none.
  int event_of(const Sm& sm) const {
    if (!sm.done.empty()) return 0;
    if (!sm.superseded.empty()) return 1;
    if (sm.phase == Phase::kSetUp && sm.timer <= 0) return 1;
    if (sm.phase == Phase::kRun && sm.restoring && sm.restore_timer <= 0) return 2;
    if (sm.phase == Phase::kSaved) return 3;
    return -1;
  }

  static unsigned tag_of(const Sm& sm) { return sm.superseded.empty() ? sm.tag : sm.superseded.front(); }

  // What the core can see of an SM: its own event, or the first message of its link.
  bool is_at_core(const Sm& sm, bool is_handle) const {
    return !sm.up.empty() && sm.up.front().at <= now_ && sm.up.front().is_handle == is_handle;
  }
  int event_at_core(const Sm& sm) const {
    if (!is_linked_) return event_of(sm);
    return is_at_core(sm, false) ? static_cast<int>(sm.up.front().kind) : -1;
  }
  bool has_handle_at_core(const Sm& sm) const { return is_linked_ ? is_at_core(sm, true) : sm.phase == Phase::kSave; }

  void offer_event() {
    if (offered_ >= 0 && event_at_core(sms_[offered_]) < 0) offered_ = -1;
    if (offered_ < 0) {
      if (random_.below(stall_) != 0) return;
      const int first = random_.below(NUM_SMS);
      for (int i = 0; i < NUM_SMS && offered_ < 0; ++i) {
        if (event_at_core(sms_[(first + i) % NUM_SMS]) >= 0) offered_ = (first + i) % NUM_SMS;
      }
      if (offered_ < 0) return;
    }
    top_.sm_event_valid_i = 1;
    top_.sm_event_sm_i = offered_;
    top_.sm_event_kind_i = event_at_core(sms_[offered_]);
    top_.sm_event_tag_i = is_linked_ ? sms_[offered_].up.front().tag : tag_of(sms_[offered_]);
  }

  void offer_handle() {
    if (port_owner_ < 0) {
      const int first = random_.below(NUM_SMS);
      for (int i = 0; i < NUM_SMS; ++i) {
        if (has_handle_at_core(sms_[(first + i) % NUM_SMS])) port_owner_ = (first + i) % NUM_SMS;
      }
    }
    if (port_owner_ < 0 || random_.below(handle_stall_) != 0) return;
    const Sm& sm = sms_[port_owner_];
    if (!has_handle_at_core(sm)) return;  // it is still on its way
    top_.handle_valid_i = 1;
    top_.handle_sm_i = port_owner_;
    top_.handle_tb_i = is_linked_ ? sm.up.front().tb : sm.slots[sm.handles_out].tb;
    top_.handle_stack_pointer_i = static_cast<std::uint32_t>(random_.next());
  }

  // What this cycle's outputs and handshakes mean for the SMs.
  void take_outputs() {
    control_waits_ = top_.control_valid_i && !top_.control_ready_o;
    if (top_.sm_event_valid_i && top_.sm_event_ready_o) {
      Sm& sm = sms_[offered_];
      if (top_.sm_event_kind_i == 1) sm.unanswered = (last_tag_[offered_] - top_.sm_event_tag_i) % kTags;
      if (is_linked_) {
        sm.up.pop_front();
      } else {
        take_event(sm, top_.sm_event_kind_i);
      }
      offered_ = -1;
    }
    if (top_.handle_valid_i) {
      Sm& sm = sms_[port_owner_];
      const bool is_last = is_linked_ ? sm.up.front().is_last : give_handle(sm);
      if (is_linked_) sm.up.pop_front();
      if (is_last) port_owner_ = -1;
    }
    if (top_.dispatch_valid_o && top_.dispatch_sm_o < NUM_SMS) {
      send_down(sms_[top_.dispatch_sm_o], {0, true, top_.dispatch_is_restore_o != 0, top_.dispatch_last_o != 0,
                                           static_cast<std::uint32_t>(top_.dispatch_tb_o), 0, 0});
    }
    if (top_.sm_control_valid_o && top_.sm_control_sm_o < NUM_SMS) {
      Sm& sm = sms_[top_.sm_control_sm_o];
      if (!top_.sm_control_kind_o) {
        sm.unanswered = TAG_WIDTH == 0 ? 1 : sm.unanswered + 1;
        last_tag_[top_.sm_control_sm_o] = top_.sm_control_tag_o;
      }
      send_down(sm, {0, false, false, false, 0, top_.sm_control_kind_o, top_.sm_control_tag_o});
    }
  }

  // ---- links ----

  long arrival(const Sm& sm, long after) { return std::max(after, now_ + random_.below(links_[&sm - sms_.data()])); }

  void send_down(Sm& sm, SmCommand command) {
    if (!is_linked_) return obey(sm, command);
    command.at = arrival(sm, sm.down.empty() ? 0 : sm.down.back().at);
    sm.down.push_back(command);
  }
  void arrive(Sm& sm) {
    while (!sm.down.empty() && sm.down.front().at <= now_) {
      obey(sm, sm.down.front());
      sm.down.pop_front();
    }
  }

  // One message a cycle, if it is not slow.
  void send(Sm& sm) {
    if (random_.below(stall_) != 0) return;
    SmMessage message;
    message.at = arrival(sm, sm.up.empty() ? 0 : sm.up.back().at);
    if (const int kind = event_of(sm); kind >= 0) {
      message.kind = static_cast<unsigned>(kind);
      message.tag = tag_of(sm);
      take_event(sm, message.kind);
    } else if (sm.phase == Phase::kSave) {
      message.is_handle = true;
      message.tb = sm.slots[sm.handles_out].tb;
      message.is_last = give_handle(sm);
    } else {
      return;
    }
    sm.up.push_back(message);
  }

  // ---- an SM, at its end of the links ----

  // What the core sends is right where it arrives, too.
  void expect(bool is_right, const char* what) {
    if (is_right) return;
    failed = true;
    std::printf("Assertion failed in the bench.%s: at the SM's end\n", what);
  }

  void obey(Sm& sm, const SmCommand& command) {
    expect(command.is_dispatch || command.kind != 0 ? sm.phase == Phase::kRun : sm.slots.empty() && sm.done.empty(),
           "command_of_a_ready_sm");
    if (command.is_dispatch) {
      sm.slots.push_back({command.tb, static_cast<std::uint32_t>(1 + random_.below(tb_cycles_)), command.is_restore});
      if (command.is_restore && command.is_last) {
        sm.restoring = true;
        sm.restore_timer = 1 + random_.below(latency_);
      }
      return;
    }
    if (command.kind != 0) {
      sm.phase = Phase::kFreeze;
      sm.handles_out = 0;
    } else {
      if (!is_linked_ && port_owner_ == static_cast<int>(&sm - sms_.data())) port_owner_ = -1;
      if (is_linked_ && answers_all_ && sm.phase == Phase::kSetUp) sm.superseded.push_back(sm.tag);
      sm.slots.clear();
      sm.done.clear();
      sm.phase = Phase::kSetUp;
      sm.tag = command.tag;
    }
    sm.timer = 1 + random_.below(latency_);
  }

  bool give_handle(Sm& sm) {  // whether it was the last
    if (++sm.handles_out != sm.slots.size()) return false;
    sm.phase = Phase::kSaved;
    sm.slots.clear();
    return true;
  }

  void take_event(Sm& sm, unsigned kind) {
    switch (kind) {
      case 0:
        sm.done.pop_back();
        break;
      case 1:
        if (sm.superseded.empty()) {
          sm.phase = Phase::kRun;
        } else {
          sm.superseded.pop_front();
        }
        break;
      case 2:
        sm.restoring = false;
        break;
      default:
        sm.phase = Phase::kNone;
        break;
    }
  }

  void run(Sm& sm) {
    if (sm.timer > 0) --sm.timer;
    // Once its contexts are there it runs them, whether the core has heard of it or not.
    if (sm.restoring && sm.restore_timer > 0 && --sm.restore_timer == 0) {
      for (Tb& tb : sm.slots) tb.waits = false;
    }
    if (sm.phase == Phase::kFreeze && sm.timer <= 0 && sm.done.empty()) {
      sm.phase = sm.slots.empty() ? Phase::kSaved : Phase::kSave;
    }
    if (sm.phase != Phase::kRun && sm.phase != Phase::kFreeze) return;
    for (std::size_t i = 0; i < sm.slots.size();) {
      Tb& tb = sm.slots[i];
      if (!tb.waits && (tb.left == 0 || --tb.left == 0)) {
        sm.done.push_back(tb);
        sm.slots.erase(sm.slots.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  Vtsr_scheduler top_;
  VerilatedContext& context_;
  Random random_;
  std::vector<Sm> sms_;
  std::array<unsigned, NUM_SMS> last_tag_{};  // as the core has sent it
  int port_owner_ = -1, offered_ = -1;
  int ratio_ = 1, tick_count_ = 0;
  int command_rate_ = 1, control_rate_ = 1, tick_rate_ = 1, tb_cycles_ = 1, latency_ = 1, num_tbs_ = 1, stall_ = 1,
      handle_stall_ = 1, quiet_ = 1, contexts_ = 1, technique_bias_ = 0;
  std::uint32_t first_due_ = 0;
  long now_ = 0;
  std::array<int, NUM_SMS> links_{};  // cycles on one, at most
  const bool may_link_;
  bool is_linked_ = false;      // links are between the core and the SMs
  bool answers_all_ = false;    // superseded set-ups too
  bool is_endless_ = false;     // kernels with more TBs than an episode can run
  bool control_waits_ = false;  // a control write that was not taken
  static constexpr unsigned kAllContexts = (1U << NUM_CONTEXTS) - 1;
  unsigned waiting_ = 0, listed_ = kAllContexts;  // by context
  bool is_switching_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<Violation> violations = strap_violations();
  violations.insert(violations.end(), traffic_violations().begin(), traffic_violations().end());
  if (argc == 1) {
    for (const Violation& each : violations) std::printf("%s: %s\n", each.assumption.c_str(), each.how.c_str());
    return 0;
  }
  const long cycles = std::atol(argv[1]);
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const int mutant = argc > 3 ? std::atoi(argv[3]) : 0;
  const std::size_t number = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0;
  const Violation* violation = number > 0 ? &violations.at(number - 1) : nullptr;
  const bool is_strap = number <= strap_violations().size();
  VerilatedContext context;
  context.fatalOnError(false);
  Random episodes{seed};
  Bench bench(context, seed, mutant, violation == nullptr);  // an SM's state is what the core sees without links
  long left = 0, last = cycles;
  for (long cycle = 0; cycle < last; ++cycle) {
    if (left-- == 0) {
      bench.reset(is_strap ? violation : nullptr);
      left = 50 + episodes.below(episodes.one_in(4) ? 200 : 4000);
    }
    const bool is_violated = bench.cycle(is_strap ? nullptr : violation);
    if (failed && mutant > 0) last = std::min(last, cycle + kAfterFault);
    if ((failed && mutant == 0) || is_violated) {
      std::printf("%s in cycle %ld\n", failed ? "failed" : "nobody noticed", cycle);
      return 1;
    }
  }
  bench.finish();
  std::printf("%ld cycles\n", last);
  return failed;
}
