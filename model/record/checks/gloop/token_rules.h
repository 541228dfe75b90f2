// SPDX-License-Identifier: Apache-2.0
// Checks the token's rules: one token, sessions that wait for it in order of arrival, and no word to the holder before
// it is due. Internal to the ledger.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "model/record/checks/gloop/gloop_facts.h"

namespace tessera::record::gloop_check {

class TokenRules {
 public:
  // Both must outlive this object.
  TokenRules(const GloopFacts& facts, const Complain& complain)
      : token_(facts.token), complain_(complain), sessions_(facts.kernels.size()) {}

  void visit(const Record& record);
  // True if the process has the token, or lost it while its kernel was on the GPU; always true without a token.
  bool may_run(std::uint16_t process) const;

 private:
  enum class State { kIdle, kWaiting, kHolding };
  struct Session {
    State state = State::kIdle;
    bool is_revoked = false;
    Cycle since = 0;  // since when it waits or holds
    std::optional<Cycle> told_at;
  };

  void requested(const Record& record, Session& session);
  void granted(const Record& record, Session& session);
  void told(const Record& record, Session& session);
  void timed_out(const Record& record, Session& session, bool is_kill);
  void revoked(const Record& record, Session& session);
  void released(const Record& record, Session& session);
  bool holds(const Record& record, const Session& session);
  bool require(bool holds, const Record& record, const std::string& what);

  const std::optional<cooperative::TokenParameters>& token_;
  const Complain& complain_;
  std::vector<Session> sessions_;  // by process
  std::optional<std::uint16_t> holder_;
  std::deque<std::uint16_t> waiting_;  // longest waiting first
};

}  // namespace tessera::record::gloop_check
