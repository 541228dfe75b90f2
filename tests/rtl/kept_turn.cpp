// SPDX-License-Identifier: Apache-2.0
// A kept turn in the Verilog (timing.md 3.12), cycle by cycle: what was worked out by hand from the contract. One SM of
// one slot, three contexts. A failed claim says its line, and what was seen.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/rtl/verilog_core.h"

namespace tessera::rtl_model::test {
namespace {

using Cycle = std::uint64_t;
using Pin = std::function<bool(const SchedulerOutputs&)>;

constexpr std::uint32_t kKeptTimeSlice = 4 | 1U << 14, kOfGpu = 1U << 15, kDrain = 1U << 4;
constexpr Cycle kNever = ~Cycle{0};

int num_failed = 0;

void claim(bool is_so, const std::string& what) {
  if (is_so) return;
  std::printf("failed: %s\n", what.c_str());
  ++num_failed;
}

template <typename Seen>
void claim_equal(const std::string& what, Seen seen, Seen said) {
  claim(seen == said, what + " is " + std::to_string(seen) + ", not " + std::to_string(said));
}

bool has_passed(const SchedulerOutputs& out) { return out.events.turn_passed; }
bool has_begun(const SchedulerOutputs& out) { return out.events.turn_began; }
bool has_evicted(const SchedulerOutputs& out) { return out.events.evicted; }
bool starts_switch(const SchedulerOutputs& out) { return out.switch_start; }
bool is_done(const SchedulerOutputs& out) { return out.kernel_done.valid; }
bool is_trap(const SchedulerOutputs& out) {
  return out.sm_control.valid && out.sm_control.kind == SmControlKind::kTrap;
}
bool is_set_up(const SchedulerOutputs& out) {
  return out.sm_control.valid && out.sm_control.kind == SmControlKind::kSetup;
}

CoreParams params_with(std::uint32_t policy) {
  CoreParams params;
  params.num_sms = NUM_SMS;
  params.max_tbs_per_sm = MAX_TBS_PER_SM;
  params.num_ksrs = NUM_KSRS;
  params.num_command_buffers = NUM_COMMAND_BUFFERS;
  params.num_contexts = NUM_CONTEXTS;
  params.ptbq_depth = PTBQ_DEPTH;
  params.tb_width = TB_WIDTH;
  params.search_width = SEARCH_WIDTH;
  params.policies = POLICIES;
  params.has_kept_turn = true;
  params.policy = policy;
  return params;
}

// The core, and every cycle of its pins. All contexts are on the run list.
class Bench {
 public:
  explicit Bench(std::uint32_t policy) : params_(params_with(policy)), core_(params_) {
    trace_.push_back(core_.outputs());
    for (std::uint32_t c = 0; c < NUM_CONTEXTS; ++c) in.listed.set(c);
    run(2);
  }

  SchedulerInputs in;  // of this cycle; levels stay

  Cycle now() const { return trace_.size() - 1; }
  const SchedulerOutputs& out() const { return trace_.back(); }
  const SchedulerOutputs& at(Cycle cycle) const { return trace_[cycle]; }

  void tick() {
    core_.step(in);
    const SmSet waiting = in.waiting, listed = in.listed;
    in = {};
    in.waiting = waiting;
    in.listed = listed;
    trace_.push_back(core_.outputs());
  }
  void run(Cycle cycles) {
    while (cycles-- > 0) tick();
  }
  // Returns the first cycle from now on in which the pin is so.
  Cycle run_until(const Pin& pin) {
    for (Cycle limit = now() + 500; now() < limit; tick()) {
      if (pin(out())) return now();
    }
    claim(false, "nothing happens from cycle " + std::to_string(now() - 500) + " on");
    return kNever;
  }
  Cycle first(const Pin& pin, Cycle from) const {
    for (Cycle cycle = from; cycle < trace_.size(); ++cycle) {
      if (pin(trace_[cycle])) return cycle;
    }
    return kNever;
  }

  void launch(std::uint32_t buffer, std::uint32_t context, std::uint32_t num_tbs = 1) {
    in.command.valid = true;
    in.command.buffer = buffer;
    in.command.context = context;
    in.command.num_tbs = num_tbs;
    in.command.tbs_per_sm = 1;
    in.command.descriptor = 100 + context;
    tick();
  }
  // Shows the event until it is taken. Returns the cycle in which it is.
  Cycle take(SmEventKind kind) {
    for (bool is_taken = false; !is_taken; tick()) {
      in.sm_event = {true, 0, kind, out().sm_control.tag};
      in.sm_event.tag = tag_;
      is_taken = out().sm_event_ready;
    }
    return now() - 1;
  }
  // The SM is set up, and a thread block is on it. Returns the cycle in which that is on the pins.
  Cycle start() {
    run_until(is_set_up);
    tag_ = out().sm_control.tag;
    tick();
    take(SmEventKind::kSetupDone);
    return run_until([](const SchedulerOutputs& pins) { return pins.dispatch.valid; });
  }
  // The first owner's kernel runs.
  void begin(std::uint32_t context, std::uint32_t num_tbs = 1) {
    launch(0, context, num_tbs);
    start();
    run(3);
  }
  void write_slice_end(std::uint32_t context, std::uint32_t slice_end) {
    in.control = {true, ControlRegister::kSliceEnd, context, slice_end};
    while (!out().control_ready) tick();
    tick();
  }
  void switch_over() {
    in.switch_over = true;
    tick();
  }
  void slice_tick() {
    in.slice_tick = true;
    tick();
  }

 private:
  CoreParams params_;
  VerilogCore core_;
  std::vector<SchedulerOutputs> trace_;
  std::uint32_t tag_ = 0;
};

// The picture of timing.md 3.12. Cycle 0 is that of the WRITE in which the kernel of context 0 finishes.
void turn_passes_when_its_owner_runs_dry() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(0);
  bench.launch(1, 1);
  bench.run_until([](const SchedulerOutputs& out) { return out.events.activated; });
  bench.run(100);
  bench.take(SmEventKind::kTbDone);
  const Cycle zero = bench.run_until(is_done) - 1;
  while (bench.now() < zero + 23) bench.tick();
  bench.switch_over();
  bench.run(5);
  for (Cycle cycle = 0; cycle < 26; ++cycle) {
    const SchedulerOutputs& pins = bench.at(zero + cycle);
    const std::string when = " in cycle " + std::to_string(cycle);
    claim_equal("turn" + when, pins.turn, cycle < 3 ? 0U : 1U);
    claim_equal("turn_passed" + when, pins.events.turn_passed, cycle == 2);
    claim_equal("switch_start" + when, pins.switch_start, cycle == 3);
    claim_equal("turn_began" + when, pins.events.turn_began, cycle == 24);
    claim_equal("slice_timer_enable" + when, pins.slice_timer_enable, cycle == 0 || cycle >= 24);
    claim_equal("policy_invoked" + when, pins.events.policy_invoked, cycle == 2 || cycle == 24);
  }
  claim(bench.at(zero + 2).events.turn_cause == TurnCause::kDry, "the owner had run dry");
  claim(!bench.at(zero + 3).switch_runs, "nothing ran");
  claim(bench.at(zero + 15).idle, "a core whose switch is under way is idle");  // decided in 10
}

// The first owner has nothing to be switched from: SWITCHING for a cycle, without a switch.
void first_owner_waits_for_no_switch() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.in.waiting.set(2);
  const Cycle rise = bench.now();
  bench.run(6);
  // waiting_q in 1, so NOBODY ends in it; LEAVING in 2, SWITCHING in 3, OWNED in 4
  claim_equal("the turn begins", bench.first(has_begun, rise) - rise, Cycle{4});
  claim_equal("the switch", bench.first(starts_switch, 0), kNever);
  claim_equal("turn", bench.at(rise + 4).turn, 2U);
}

// A tick while another context waits: all SMs are told in one job, and none is set up before the last is empty.
void slice_ends_with_an_eviction() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(0, 2);
  bench.launch(1, 1);
  bench.run(100);
  const Cycle tick = bench.now();
  bench.slice_tick();
  const Cycle trap = bench.run_until(is_trap);
  claim_equal("turn_passed", bench.first(has_passed, tick) - tick, Cycle{2});  // tick waits in 1
  claim(bench.at(tick + 2).events.turn_cause == TurnCause::kSliceOver, "the slice is over");
  claim_equal("evicted", bench.first(has_evicted, tick) - tick,
              Cycle{15});  // the tick's BEGIN 1, a walk of two kernels from 2 on, JUDGE 7; BEGIN 8, PICK 9, WRITE 14
  claim(bench.at(tick + 15).usage.valid && bench.at(tick + 15).usage.freed == 1, "the kernel has given its SM back");
  claim_equal("the trap", trap - tick, Cycle{22});  // PICK 15, WRITE 21
  bench.run(20);
  bench.in.handle = {true, 0, 0, 77};
  bench.tick();
  const Cycle taken = bench.take(SmEventKind::kPreempted);
  const Cycle start = bench.run_until(starts_switch);
  claim_equal("the switch", start - taken, Cycle{8});  // WRITE 6, idle from 7 on
  claim(bench.out().switch_runs, "something ran");
  bench.run(30);
  claim_equal("a set-up in the switch", bench.first(is_set_up, trap), kNever);
  bench.switch_over();
  bench.start();
  claim_equal("turn", bench.out().turn, 1U);
}

// Nobody waits: a slice is renewed while commands wait behind what runs; else it stays over, and who comes then gets
// the turn at once.
void slice_is_renewed_or_stays_over() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(0, 2);
  bench.run(100);
  bench.in.waiting.set(0);
  bench.run(3);
  bench.slice_tick();
  bench.run(10);
  claim(bench.out().slice_timer_enable, "a renewed slice goes on");
  bench.in.waiting = {};
  bench.run(3);
  const Cycle tick = bench.now();
  bench.slice_tick();
  bench.run(10);
  claim_equal("the slice is over",
              bench.first([](const SchedulerOutputs& out) { return !out.slice_timer_enable; }, tick) - tick, Cycle{2});
  const Cycle arrival = bench.now();
  bench.launch(1, 2);
  bench.run(3);
  claim_equal("turn_passed", bench.first(has_passed, arrival) - arrival, Cycle{2});  // the buffer is valid in 1
}

// Work that comes to an owner whose slice is over starts another one.
void queued_owner_starts_another_slice() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(0, 2);
  bench.run(100);
  bench.slice_tick();
  bench.run(10);
  claim(!bench.out().slice_timer_enable, "the slice is over");
  const Cycle rise = bench.now();
  bench.in.waiting.set(0);
  bench.run(5);
  claim_equal("the slice begins",
              bench.first([](const SchedulerOutputs& out) { return out.slice_timer_enable; }, rise) - rise, Cycle{2});
}

// A tick in which an SM is being set up waits until it is, and is not lost.
void tick_waits_for_sms_that_change_hands() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.launch(0, 0);
  bench.launch(1, 1);
  bench.run_until(is_set_up);
  bench.run(50);
  bench.slice_tick();
  bench.run(50);
  claim_equal("turn_passed before the set-up is done", bench.first(has_passed, 0), kNever);
  Bench other(kKeptTimeSlice | kOfGpu);
  other.launch(0, 0);
  other.launch(1, 1);
  other.run_until(is_set_up);
  const std::uint32_t tag = other.out().sm_control.tag;
  other.run(50);
  other.slice_tick();
  other.run(50);
  other.in.sm_event = {true, 0, SmEventKind::kSetupDone, tag};
  const Cycle taken = other.now();
  other.tick();
  const Cycle passed = other.run_until(has_passed);
  claim_equal("turn_passed", passed - taken, Cycle{8});  // WRITE 6, `active` from 7 on
}

// Who is next is fixed in the first cycle in which nothing waits behind what runs, and another context is there.
void next_is_who_came_first() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(0);
  bench.run(100);
  bench.in.waiting.set(2);  // alone at first
  bench.run(20);
  bench.in.waiting.set(1);
  bench.run(20);
  bench.take(SmEventKind::kTbDone);
  bench.run_until(starts_switch);
  claim_equal("turn", bench.out().turn, 2U);

  Bench queued(kKeptTimeSlice | kOfGpu);  // with commands queued: at the tick
  queued.begin(0, 2);
  queued.run(100);
  queued.in.waiting.set(0);
  queued.in.waiting.set(2);
  queued.run(20);
  queued.in.waiting.set(1);
  queued.run(20);
  queued.slice_tick();
  queued.run_until(is_trap);
  queued.in.handle = {true, 0, 0, 77};
  queued.tick();
  queued.take(SmEventKind::kPreempted);
  queued.run_until(starts_switch);
  claim_equal("turn", queued.out().turn, 1U);
}

// Off the run list with a kernel: taken off the GPU at once, and on again when it is listed, without a switch.
void unlisted_owner_leaves_the_gpu() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.begin(1, 2);
  bench.run(100);
  bench.in.listed = {};
  const Cycle fall = bench.now();
  bench.run_until(is_trap);
  claim_equal("turn_passed", bench.first(has_passed, fall) - fall, Cycle{2});
  claim(bench.at(fall + 2).events.turn_cause == TurnCause::kUnlisted, "it was taken off the run list");
  bench.in.handle = {true, 0, 0, 77};
  bench.tick();
  bench.take(SmEventKind::kPreempted);
  bench.run(50);
  claim(bench.out().idle && !bench.out().slice_timer_enable, "nobody has the turn");
  for (std::uint32_t c = 0; c < NUM_CONTEXTS; ++c) bench.in.listed.set(c);
  const Cycle rise = bench.now();
  bench.run(10);
  claim_equal("the turn begins", bench.first(has_begun, rise) - rise, Cycle{4});
  claim_equal("the switch", bench.first(starts_switch, 0), kNever);
  claim_equal("turn", bench.out().turn, 1U);
}

// slice_end wait: kernels that are active run to their ends, and the owner's next command stays in its buffer.
void waiting_slice_end_lets_kernels_finish() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.write_slice_end(0, 2);
  bench.begin(0, 2);
  bench.run(100);
  bench.launch(1, 1);
  bench.slice_tick();
  bench.run_until(has_passed);
  const Cycle passed = bench.now();
  bench.launch(0, 0);
  bench.run(100);
  claim_equal("an eviction", bench.first(has_evicted, passed), kNever);
  bench.take(SmEventKind::kTbDone);
  bench.run(30);
  bench.take(SmEventKind::kTbDone);
  const Cycle done = bench.run_until(is_done);
  bench.run(3);
  claim_equal("the switch", bench.first(starts_switch, passed) - done, Cycle{1});
  bench.switch_over();
  bench.start();
  claim_equal("set-up's context", bench.at(bench.first(is_set_up, done)).sm_control.context, 1U);
}

// slice_end drain: no other thread block starts, and no trap is sent.
void draining_slice_end_sends_no_trap() {
  Bench bench(kKeptTimeSlice | kOfGpu);
  bench.write_slice_end(0, 1);
  bench.begin(0, 2);
  bench.run(100);
  bench.launch(1, 1);
  const Cycle tick = bench.now();
  bench.slice_tick();
  bench.run_until(has_evicted);
  bench.run(50);
  const Cycle done = bench.take(SmEventKind::kTbDone);
  bench.run_until(starts_switch);
  claim_equal("a trap", bench.first(is_trap, tick), kNever);
  claim_equal("a dispatch", bench.first([](const SchedulerOutputs& out) { return out.dispatch.valid; }, done), kNever);
}

// Switch scope SM: the turn is the next one's at once, and its SMs are taken one by one when it begins.
void scope_of_an_sm_takes_sms_one_by_one() {
  Bench bench(kKeptTimeSlice);
  bench.begin(0, 2);
  bench.launch(1, 1);
  bench.run(100);
  const Cycle tick = bench.now();
  bench.slice_tick();
  bench.run(5);
  claim_equal("the switch", bench.first(starts_switch, tick) - tick, Cycle{2});
  claim_equal("turn", bench.at(tick + 2).turn, 1U);
  bench.run(20);
  bench.switch_over();
  bench.run_until(is_trap);
  claim_equal("an eviction", bench.first(has_evicted, 0), kNever);
  claim(
      bench.first([](const SchedulerOutputs& out) { return out.events.moved && out.events.move == MoveKind::kReserve; },
                  tick) != kNever,
      "the SM is reserved for context 1");
}

// The end of a switch counts from the cycle after its start on.
void switch_takes_a_cycle_at_least() {
  for (const Cycle after : {0, 1}) {
    Bench bench(kKeptTimeSlice | kOfGpu);
    bench.begin(0);
    bench.launch(1, 1);
    bench.run(100);
    bench.take(SmEventKind::kTbDone);
    const Cycle start = bench.run_until(starts_switch);
    bench.run(after);
    bench.switch_over();
    bench.run(10);
    claim_equal("the turn begins", bench.first(has_begun, start), after == 0 ? kNever : start + 2);
  }
}

// `tick` is 1 a cycle after the tick, and so are no kernels after the WRITE of the last one: dry wins in that cycle.
void tick_before_the_owner_runs_dry_ends_its_slice() {
  for (const Cycle before : {1, 0}) {
    Bench bench(kKeptTimeSlice | kOfGpu);
    bench.begin(0);
    bench.launch(1, 1);
    bench.run(100);
    const Cycle write = bench.take(SmEventKind::kTbDone) + 6;
    while (bench.now() < write - before) bench.tick();
    bench.slice_tick();
    bench.run(5);
    const Cycle passed = bench.first(has_passed, write - 5);
    claim_equal("turn_passed", passed, write + 2 - before);
    if (passed == kNever) continue;
    claim(bench.at(passed).events.turn_cause == (before == 0 ? TurnCause::kDry : TurnCause::kSliceOver), "the cause");
  }
}

// Commands wait behind what runs. Who comes in the cycle of the tick gets the turn, who comes in the next does not.
void slice_is_renewed_before_who_comes_after_the_tick() {
  for (const Cycle after : {0, 1}) {
    Bench bench(kKeptTimeSlice | kOfGpu);
    bench.begin(0);
    bench.in.waiting.set(0);
    bench.run(100);
    const Cycle tick = bench.now();
    if (after == 0) bench.in.waiting.set(1);
    bench.slice_tick();
    if (after == 1) bench.in.waiting.set(1);
    bench.run(40);
    claim_equal("turn_passed", bench.first(has_passed, tick), after == 0 ? tick + 2 : kNever);
  }
}

// A passed turn: the pins are 0 whatever comes.
void passed_turn_shows_nothing() {
  Bench bench(4);
  bench.begin(0, 2);
  bench.launch(1, 1);
  bench.in.waiting.set(2);
  bench.run(50);
  bench.slice_tick();
  bench.switch_over();
  bench.run(100);
  const auto shows = [](const SchedulerOutputs& out) {
    return out.turn != 0 || out.switch_start || out.switch_runs || out.events.turn_passed || out.events.turn_began ||
           out.events.evicted;
  };
  claim_equal("a pin of a kept turn", bench.first(shows, 0), kNever);
  claim(bench.out().slice_timer_enable, "the timer of a passed turn runs");
}

}  // namespace
}  // namespace tessera::rtl_model::test

int main() {
  using namespace tessera::rtl_model::test;  // NOLINT(google-build-using-namespace)
  turn_passes_when_its_owner_runs_dry();
  first_owner_waits_for_no_switch();
  slice_ends_with_an_eviction();
  slice_is_renewed_or_stays_over();
  queued_owner_starts_another_slice();
  tick_waits_for_sms_that_change_hands();
  next_is_who_came_first();
  unlisted_owner_leaves_the_gpu();
  waiting_slice_end_lets_kernels_finish();
  draining_slice_end_sends_no_trap();
  scope_of_an_sm_takes_sms_one_by_one();
  switch_takes_a_cycle_at_least();
  tick_before_the_owner_runs_dry_ends_its_slice();
  slice_is_renewed_before_who_comes_after_the_tick();
  passed_turn_shows_nothing();
  return num_failed == 0 ? 0 : 1;
}
