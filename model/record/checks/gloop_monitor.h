// SPDX-License-Identifier: Apache-2.0
// The invariants of event-driven kernels, checked while a model runs and from a log alike; the first violation of each
// is kept (docs/gloop.md).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

class GloopMonitor : public ISink {
 public:
  explicit GloopMonitor(const spec::Spec& spec);

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override;

  // {"gloop_token", "ok" or the first violation}, "gloop_callbacks", "gloop_state", "gloop_kills".
  std::vector<std::pair<std::string, std::string>> verdicts() const;
  // Does a process have event-driven kernels?
  static bool is_wanted(const spec::Spec& spec);

 private:
  enum class Rule { kToken, kCallbacks, kState, kKills };
  enum class Session { kIdle, kWaiting, kHolding };
  struct Loop {
    std::uint64_t steps = 0;  // done when it left
    std::uint64_t bytes = 0;  // written then
    bool is_resident = false;
    bool has_left = false;
    bool awaits_io = false;
  };
  struct Process {
    Session session = Session::kIdle;
    bool is_revoked = false;
    bool is_killed = false;               // the kernel under way
    bool was_killed = false;              // the one before
    std::uint64_t loops_left = 0;         // of its last launch
    std::map<std::uint32_t, Loop> loops;  // by thread block
  };

  void token(Process& process, const Record& record);
  void loop_resumed(Process& process, const Record& record);
  void loop_left(Process& process, const Record& record);
  void require(bool holds, Rule rule, const Record& record, const std::string& what);

  bool has_token_;
  std::vector<Process> processes_;
  std::optional<std::uint16_t> holder_;
  std::array<std::string, 4> first_violation_;  // by rule
};

}  // namespace tessera::record
