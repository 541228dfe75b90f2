// SPDX-License-Identifier: Apache-2.0
// Turns alternate with switches, and a context runs in its turn alone.
#include "verification/log_check/turn_checks.h"

#include <utility>

#include "model/record/numbers.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;

void TurnChecks::visit(const Record& record) {
  if (ledger_.facts.writes_policy) return;
  if (early_ && early_->cycle != record.cycle) finish();
  switch (record.kind) {
    case Kind::kTurnBegan:
      return began(record);
    case Kind::kTurnPassed:
      return passed(record);
    case Kind::kSmSetUp:
    case Kind::kTbIssued:
    case Kind::kTbRestored:
    case Kind::kTbRestarted:
      if (ledger_.facts.switches_gpu) started(record);
      return;
    default:
      return;
  }
}

void TurnChecks::finish() {
  if (early_) lost(*std::exchange(early_, std::nullopt));
}

void TurnChecks::began(const Record& record) {
  gained(record);
  const bool is_short = early_ && early_->process == record.process;
  if (is_short) lost(*std::exchange(early_, std::nullopt));
}

// In an SM cycle of several core cycles a turn may begin and pass, which the log has in the order of their kinds.
void TurnChecks::passed(const Record& record) {
  if (owner_ == record.process || early_) return lost(record);
  early_ = record;
}

void TurnChecks::gained(const Record& record) {
  complaints_.require(!owner_, record, "process {} has the turn", owner_.value_or(record::kNoIndex));
  const Cycle elapsed = passed_ ? record.cycle - passed_->cycle : 0;
  complaints_.require(record.cycles == elapsed, record, "reports {} cycles, the turn passed {} ago", record.cycles,
                      elapsed);
  owner_ = record.process;
  if (!ledger_.facts.switches_gpu) return;
  for (const Sm& sm : ledger_.sms) {
    for (const std::optional<Resident>& slot : sm.slots) {
      if (slot) complaints_.fail(record, "TB {} of launch {} is still resident", slot->tb, slot->launch);
    }
  }
}

void TurnChecks::lost(const Record& record) {
  complaints_.require(owner_ == record.process, record, "the process does not have the turn");
  constexpr auto kLast = static_cast<std::uint64_t>(record::TurnCause::kUnlisted);
  complaints_.require(record::number::turn_cause(record) <= kLast, record, "without a cause");
  passed_ = {record.process, record.cycle};
  owner_.reset();
}

// In its turn; or, until the last SM is out, what was on its way when the turn passed, and all of a context that waits.
void TurnChecks::started(const Record& record) {
  const std::uint16_t process = ledger_.launches.at(record.launch).process;
  if (owner_) {
    complaints_.require(process == *owner_, record, "process {} has the turn", *owner_);
    return;
  }
  complaints_.require(passed_ && process == passed_->process, record, "nobody has the turn");
}

}  // namespace tessera::verification::log_check
