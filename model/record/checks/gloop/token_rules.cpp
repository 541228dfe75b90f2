// SPDX-License-Identifier: Apache-2.0
// Sessions, record by record.
#include "model/record/checks/gloop/token_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::record::gloop_check {

void TokenRules::visit(const Record& record) {
  Session& session = sessions_[record.process];
  switch (record.kind) {
    case Kind::kTokenRequested:
      return requested(record, session);
    case Kind::kTokenGranted:
      return granted(record, session);
    case Kind::kYieldRequested:
      return told(record, session);
    case Kind::kTokenRevoked:
      return revoked(record, session);
    case Kind::kKernelKilled:
      return timed_out(record, session, true);
    case Kind::kTokenReleased:
      return released(record, session);
    default:
      return;
  }
}

bool TokenRules::may_run(std::uint16_t process) const {
  const Session& session = sessions_[process];
  return !token_ || session.state == State::kHolding || (session.state == State::kWaiting && session.is_revoked);
}

void TokenRules::requested(const Record& record, Session& session) {
  if (!require(token_.has_value(), record, "there is no token")) return;
  require(session.state == State::kIdle, record, "it waits already, or has the token");
  session = {State::kWaiting, false, record.cycle, std::nullopt};
  waiting_.push_back(record.process);
}

void TokenRules::granted(const Record& record, Session& session) {
  require(!holder_, record, fmt::format("process {} has it", holder_.value_or(kNoIndex)));
  if (!require(session.state == State::kWaiting, record, "it has not asked for the token")) return;
  require(waiting_.front() == record.process, record, fmt::format("process {} waits longer", waiting_.front()));
  require(record.cycles == record.cycle - session.since, record,
          fmt::format("reports {} cycles, it waits since {}", record.cycles, record.cycle - session.since));
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), record.process), waiting_.end());
  session.state = State::kHolding;
  session.since = record.cycle;
  session.told_at.reset();
  holder_ = record.process;
}

// The clock of the threshold begins when both are there, the grant and somebody who waits.
void TokenRules::told(const Record& record, Session& session) {
  if (!holds(record, session)) return;
  require(!session.told_at, record, "it has been told");
  require(record.cycles == record.cycle - session.since, record,
          fmt::format("reports {} cycles, it has it since {}", record.cycles, record.cycle - session.since));
  session.told_at = record.cycle;
  if (record.cycle - session.since >= token_->slice) return;  // whoever waits
  if (!require(!waiting_.empty(), record, "nobody waits for the token")) return;
  const Cycle from = std::max(session.since, sessions_[waiting_.front()].since);
  require(
      record.cycle - from >= token_->threshold, record,
      fmt::format("{} cycles after grant and request, the threshold is {}", record.cycle - from, token_->threshold));
}

void TokenRules::timed_out(const Record& record, Session& session, bool is_kill) {
  if (!holds(record, session)) return;
  require(is_kill != token_->preempts, record,
          is_kill ? "kernels that do not yield are preempted" : "kernels that do not yield are killed");
  if (!require(session.told_at.has_value(), record, "nobody told it to yield")) return;
  require(record.cycle - *session.told_at >= token_->kill, record,
          fmt::format("{} cycles after it was told, {} are to pass", record.cycle - *session.told_at, token_->kill));
}

void TokenRules::revoked(const Record& record, Session& session) {
  timed_out(record, session, false);
  if (holder_ != record.process) return;
  require(record.cycles == record.cycle - session.since, record,
          fmt::format("reports {} cycles, it has it since {}", record.cycles, record.cycle - session.since));
  session = {State::kWaiting, true, record.cycle, std::nullopt};
  waiting_.push_back(record.process);
  holder_.reset();
}

void TokenRules::released(const Record& record, Session& session) {
  if (session.state == State::kHolding) {
    require(record.cycles == record.cycle - session.since, record,
            fmt::format("reports {} cycles, it has it since {}", record.cycles, record.cycle - session.since));
    holder_.reset();
  } else {
    require(session.is_revoked, record, "it has no token");
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), record.process), waiting_.end());
  }
  session = {};
}

bool TokenRules::holds(const Record& record, const Session& session) {
  return require(session.state == State::kHolding, record, "it has no token");
}

bool TokenRules::require(bool holds, const Record& record, const std::string& what) {
  if (!holds) complain_(Rule::kToken, record, what);
  return holds;
}

}  // namespace tessera::record::gloop_check
