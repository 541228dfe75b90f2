// SPDX-License-Identifier: Apache-2.0
// Each counter by its definition.
#include "tests/scheduler/table_checks.h"

#include <algorithm>
#include <string>

#include "tests/scheduler/ledger.h"

namespace tessera::rtl_model::test {
namespace {

void same(const std::string& what, std::uint32_t row, std::int64_t counter, std::int64_t recounted) {
  expect(counter == recounted, what + "[" + std::to_string(row) + "] is " + std::to_string(counter) + ", recounted " +
                                   std::to_string(recounted));
}

struct Recount {
  std::uint32_t owned = 0, reserved = 0, resident = 0, promised = 0;
  std::int64_t covered = 0;
};

Recount recount(const TsrScheduler& core, std::uint32_t ksr) {
  const Smst& smst = core.tables().smst;
  const std::int64_t slots = core.tables().ksrt.row(ksr).tbs_per_sm;
  Recount sum;
  for (std::uint32_t sm = 0; sm < smst.size(); ++sm) {
    const SmRow& row = smst.row(sm);
    if (row.ksr == ksr) sum.resident += row.running;
    if (row.ksr == ksr && smst.flags.trapped.has(sm)) sum.promised += row.running;
    if (row.state == SmState::kRunning && row.ksr == ksr) {
      ++sum.owned;
      sum.covered += slots - row.running;
    }
    if (row.state == SmState::kReserved && row.next == ksr) {
      ++sum.reserved;
      if (!core.params().is_breadth_first) sum.covered += slots;
    }
  }
  return sum;
}

void check_kernel(const TsrScheduler& core, std::uint32_t ksr) {
  const Ksrt& ksrt = core.tables().ksrt;
  const KsrRow& row = ksrt.row(ksr);
  const Recount sum = recount(core, ksr);
  same("owned", ksr, row.owned, sum.owned);
  same("reserved", ksr, row.reserved, sum.reserved);
  same("covered", ksr, row.covered, sum.covered);
  same("outstanding", ksr, row.outstanding, std::int64_t{sum.resident} + row.preempted);
  same("promised", ksr, row.promised, sum.promised);
  expect(row.preempted + row.promised <= core.params().ptbq_depth, "more handles than the ring has places");
  same("fresh", ksr, ksrt.is_fresh(ksr), row.remaining > 0);
  same("handles", ksr, ksrt.has_handles(ksr), row.preempted > 0);
  same("holds", ksr, ksrt.holds(ksr), sum.owned + sum.reserved > 0);
  if (core.params().has_refill_lane) {
    const std::int64_t period = std::int64_t{1} << core.params().lane_count_width();
    const std::int64_t until_carry = period - row.next_tb % period;
    const std::int64_t until_borrow = row.remaining % period + 1;
    const bool has_many = std::min(until_carry, until_borrow) > 5;
    same("refills", ksr, ksrt.refills(ksr), row.remaining > 0 && row.preempted == 0 && has_many);
  }
  const std::int64_t waiting = std::int64_t{row.remaining} + row.preempted;
  const std::int64_t slots =
      core.params().is_breadth_first ? std::min<std::int64_t>(sum.covered, sum.owned) + sum.reserved : sum.covered;
  same("uncovered", ksr, ksrt.is_uncovered(ksr), waiting > slots);
}

void check_sm(const TsrScheduler& core, std::uint32_t sm) {
  const Smst& smst = core.tables().smst;
  const SmRow& row = smst.row(sm);
  const Ksrt& ksrt = core.tables().ksrt;
  const auto is_active = [&](std::uint32_t ksr) { return ksr == kNone || ksrt.is_valid(ksr); };
  expect(is_active(row.ksr) && is_active(row.next), "an SM names a kernel that is not active");
  const bool is_issuable = row.ksr != kNone && ksrt.is_issuable(row.ksr);
  same("issuable", sm, smst.flags.issuable.has(sm), is_issuable);
  if (row.state == SmState::kRunning && smst.flags.active.has(sm)) {
    same("full", sm, smst.flags.full.has(sm), row.running == ksrt.row(row.ksr).tbs_per_sm);
  }
  expect(row.state != SmState::kIdle || row.running == 0, "an idle SM holds thread blocks");
}

std::int64_t held_by(const TsrScheduler& core, std::uint32_t token_row) {
  const Tables& tables = core.tables();
  std::int64_t held = 0;
  for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
    const std::uint32_t ksr = tables.active_queue.at(i);
    const std::uint32_t row =
        tables.tokens.row_of(ksr, tables.ksrt.traits(ksr).context, core.search().policy().by_process);
    if (row == token_row) held += tables.ksrt.row(ksr).held();
  }
  return held;
}

void check_tokens(const TsrScheduler& core) {
  const Tables& tables = core.tables();
  const Tokens& tokens = tables.tokens;
  for (std::uint32_t i = 0; i < tables.active_queue.size(); ++i) {
    const std::uint32_t ksr = tables.active_queue.at(i);
    const std::uint32_t context = tables.ksrt.traits(ksr).context;
    const ContextTable::Row& written = tables.contexts.row(context);
    const std::uint32_t row = tokens.row_of(ksr, context, core.search().policy().by_process);
    const std::int64_t budget = written.has_budget
                                    ? std::int64_t{written.budget}
                                    : std::int64_t{core.params().equal_share()} + tokens.has_pool_token(row);
    same("tokens left", row, tokens.left(row), budget - held_by(core, row));
  }
  std::uint32_t taken = 0;
  for (std::uint32_t row = 0; row < tokens.size(); ++row) taken += tokens.has_pool_token(row) ? 1 : 0;
  const std::int64_t left_over = std::int64_t{core.params().token_pool()} - taken;
  if (!core.search().policy().gives_once) same("pool", 0, tokens.pool(), left_over);
  expect(tokens.pool() <= left_over, "a token of the pool is there twice");
}

}  // namespace

bool can_be_recounted(const TsrScheduler& core) {
  const bool are_tbs_counted = core.lane() == nullptr || !core.lane()->is_counting();
  return core.engine().is_in_pick() && are_tbs_counted && !core.tables().is_settling() && !core.search().is_dealing();
}

void check_tables(const TsrScheduler& core) {
  const Tables& tables = core.tables();
  std::uint32_t num_valid = 0;
  for (std::uint32_t ksr = 0; ksr < tables.ksrt.size(); ++ksr) {
    if (!tables.ksrt.is_valid(ksr)) continue;
    ++num_valid;
    check_kernel(core, ksr);
  }
  same("active queue", 0, tables.active_queue.size(), num_valid);
  for (std::uint32_t sm = 0; sm < tables.smst.size(); ++sm) check_sm(core, sm);
  check_tokens(core);
}

}  // namespace tessera::rtl_model::test
