// SPDX-License-Identifier: Apache-2.0
// The tables and the search unit without the SM driver: a test fills the tables, and what the policy decides is
// carried out as docs/timing.md 4.3 has it, on SMs that are always full of TBs.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "rtl_model/policy/search.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {

class SearchBench {
 public:
  struct Move {
    Cycle at;
    MoveKind kind;
    std::uint32_t sm, ksr;
  };
  struct Activation {
    Cycle at;
    std::uint32_t buffer, ksr;
  };

  explicit SearchBench(const spec::Spec& spec) : params(spec), tables(params), search("search", params, tables) {}

  // ---- the tables before the first cycle

  // The next KSR, at the end of the active queue. It needs slots for `num_uncovered` TBs.
  std::uint32_t kernel(std::uint32_t context, std::uint32_t priority, std::uint32_t num_uncovered,
                       std::uint32_t tokens = 0) {
    const std::uint32_t ksr = tables.ksrt.lowest_free();
    KsrRow row = tables.ksrt.empty_row();
    row.valid = true;
    row.context = context;
    row.priority = priority;
    row.tokens = tokens;
    row.tbs_per_sm = 1;
    row.remaining = num_uncovered;
    tables.ksrt.activate(ksr, row);
    tables.active_queue.push(ksr);
    tables.context_table.kernel_enters(context);
    edge();
    return ksr;
  }
  void runs(std::uint32_t sm, std::uint32_t ksr) {
    tables.smst.own(sm, ksr);
    count(ksr, 1, 0, 0);
    edge();
  }
  void changes_hands(std::uint32_t sm, std::uint32_t to) {
    count(tables.smst.row(sm).ksr, -1, 0, 0);
    runs(sm, to);
  }
  void reserved(std::uint32_t sm, std::uint32_t owner, std::uint32_t next) {
    tables.smst.own(sm, owner);
    edge();
    tables.smst.reserve(sm, next);
    count(next, 0, 1, 1);
    edge();
  }
  void command(std::uint32_t buffer, std::uint32_t context, std::uint32_t priority = 0, std::uint32_t num_tbs = 1) {
    CommandPins pins;
    pins.valid = true;
    pins.buffer = buffer;
    pins.context = context;
    pins.priority = priority;
    pins.num_tbs = num_tbs;
    pins.tbs_per_sm = 1;
    tables.command_buffers.accept(pins);
    tables.command_buffers.seq();
  }

  // ---- inputs of the coming cycle

  Search::Inputs in;
  void invoke() { in.invoke = true; }
  void tick_slice() { in.tick = in.invoke = true; }
  void write_priority(std::uint32_t context, std::uint32_t priority) {
    tables.ksrt.set_context_priority(context, priority);
    in.invoke = in.control_write = true;
  }
  void write_tokens(std::uint32_t context, std::uint32_t tokens) {
    tables.ksrt.set_context_tokens(context, tokens);
    tables.context_table.write_budget(context, tokens);
    in.invoke = in.control_write = true;
  }
  void write_policy(const spec::SchedulerSpec& scheduler) {
    in.invoke = in.control_write = in.policy_write = true;
    in.policy_data = policy_register(scheduler);
  }

  void cycle() {
    search.walk();
    EventPins events;
    const Search::Move move = search.move();
    if (move.valid && !in.control_write) carry_out(move);
    search.comb(in, events);
    if (events.policy_invoked) invoked.push_back(now);
    if (events.policy_decided) decided.push_back(now);
    if (events.activated) activations.push_back({now, events.activated_buffer, events.activated_ksr});
    in = {};
    edge();
    ++now;
  }
  void run_to(Cycle end) {
    while (now < end) cycle();
  }
  // Cycle 0 has the event that invokes the policy, whatever else it has.
  void decide() {
    invoke();
    do cycle();
    while (!search.is_idle() && now < kTooLate);
  }

  const KsrRow& row(std::uint32_t ksr) const { return tables.ksrt.row(ksr); }
  // SMs that moves took, in order.
  std::vector<std::uint32_t> moved_sms() const {
    std::vector<std::uint32_t> sms;
    for (const Move& move : moves) sms.push_back(move.sm);
    return sms;
  }
  std::vector<Cycle> moved_at() const {
    std::vector<Cycle> cycles;
    for (const Move& move : moves) cycles.push_back(move.at);
    return cycles;
  }

  Params params;
  Tables tables;
  Search search;
  Cycle now = 0;
  std::vector<Move> moves;
  std::vector<Cycle> invoked, decided;
  std::vector<Activation> activations;

 private:
  static constexpr Cycle kTooLate = 10'000;

  void edge() {
    tables.command_buffers.seq();
    tables.active_queue.seq();
    tables.ksrt.seq();
    tables.smst.seq();
    tables.context_table.seq();
    search.seq();
  }
  void count(std::uint32_t ksr, std::int32_t owned, std::int32_t reserved, std::int32_t covered) {
    Ksrt::Step step;
    step.ksr = ksr;
    step.owned = owned;
    step.reserved = reserved;
    step.covered = covered;
    tables.ksrt.step(step);
    const std::uint32_t context = tables.ksrt.row(ksr).context;
    if (owned + reserved != 0) tables.context_table.step_held(context, owned + reserved);
  }
  void carry_out(const Search::Move& move) {
    moves.push_back({now, move.kind, move.sm, move.ksr});
    const SmRow& row = tables.smst.row(move.sm);
    if (move.kind == MoveKind::kAssign) {
      tables.smst.own(move.sm, move.ksr);
      return count(move.ksr, 1, 0, 1);
    }
    if (move.kind == MoveKind::kReserve) {
      count(row.ksr, -1, 0, 0);
    } else {
      count(row.next, 0, -1, -1);
    }
    tables.smst.reserve(move.sm, move.ksr);
    count(move.ksr, 0, 1, 1);
  }
};

}  // namespace tessera::rtl_model::test
