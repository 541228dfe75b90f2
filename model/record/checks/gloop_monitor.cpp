// SPDX-License-Identifier: Apache-2.0
// One holder; loops that go on where they left; state that comes back whole; kernels that are given up only if killed.
#include "model/record/checks/gloop_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/record/checks/log_check/complaints.h"
#include "model/spec/spec.h"

namespace tessera::record {

GloopMonitor::GloopMonitor(const spec::Spec& spec)
    : has_token_(spec.driver.kind == spec::DriverKind::kGloop), processes_(spec.processes.size()) {}

bool GloopMonitor::is_wanted(const spec::Spec& spec) {
  return std::any_of(spec.processes.begin(), spec.processes.end(), [&spec](const spec::ProcessSpec& process) {
    return process.application < spec.applications.size() &&
           spec.applications[process.application].has_event_driven_kernels();
  });
}

void GloopMonitor::consume(const Record& record) {
  if (record.kind < Kind::kLoopLeft || record.process >= processes_.size()) return;
  Process& process = processes_[record.process];
  switch (record.kind) {
    case Kind::kLoopResumed:
      return loop_resumed(process, record);
    case Kind::kLoopLeft:
      return loop_left(process, record);
    case Kind::kLoopsLeft:
      process.loops_left = record.value;
      process.was_killed = std::exchange(process.is_killed, false);
      for (auto& [tb, loop] : process.loops) loop.is_resident = false;  // those of a killed kernel say nothing
      return;
    case Kind::kKernelKilled:
      process.is_killed = process.was_killed = true;  // the kernel may have left while the word was on its way
      return;
    case Kind::kIoRequested:
      process.loops[record.tb].awaits_io = true;
      return;
    case Kind::kIoDone:
      return;
    default:
      return token(process, record);
  }
}

void GloopMonitor::token(Process& process, const Record& record) {
  switch (record.kind) {
    case Kind::kTokenRequested:
      require(process.session == Session::kIdle, Rule::kToken, record, "it waits already, or has the token");
      process.session = Session::kWaiting;
      process.is_revoked = false;
      return;
    case Kind::kTokenGranted:
      require(process.session == Session::kWaiting, Rule::kToken, record, "it has not asked for the token");
      require(!holder_, Rule::kToken, record, fmt::format("process {} has it", holder_.value_or(kNoIndex)));
      process.session = Session::kHolding;
      holder_ = record.process;
      return;
    case Kind::kYieldRequested:
      return require(holder_ == record.process, Rule::kToken, record, "it has no token to give up");
    case Kind::kTokenRevoked:
      require(holder_ == record.process, Rule::kToken, record, "it has no token to lose");
      holder_.reset();
      process.session = Session::kWaiting;
      process.is_revoked = true;
      return;
    case Kind::kTokenReleased:
      if (process.session == Session::kHolding) {
        holder_.reset();
      } else {
        require(process.is_revoked, Rule::kToken, record, "it has no token");
      }
      process.session = Session::kIdle;
      return;
    default:
      return;
  }
}

void GloopMonitor::loop_resumed(Process& process, const Record& record) {
  Loop& loop = process.loops[record.tb];
  const bool begins = record.bytes == 0;
  if (begins) {
    require(process.loops_left == 0 || process.was_killed || !loop.has_left, Rule::kKills, record,
            fmt::format("{} loops of the kernel before are not done, and nobody killed it", process.loops_left));
    require(record.value == 0, Rule::kCallbacks, record, "it begins in the middle");
    loop = {};
    loop.is_resident = true;
    return;
  }
  const std::uint64_t steps = record.value - std::min(record.value, loop.steps);
  const bool goes_on = record.value >= loop.steps && steps <= (loop.awaits_io ? 1 : 0);
  require(goes_on && !loop.is_resident, Rule::kCallbacks, record,
          fmt::format("{} steps were done when it left", loop.steps));
  if (loop.bytes > 0) {
    require(record.bytes == loop.bytes, Rule::kState, record, fmt::format("{} bytes were written", loop.bytes));
  }
  if (has_token_) {
    require(process.session != Session::kIdle, Rule::kToken, record, "its session has no token and waits for none");
  }
  loop.is_resident = true;
  loop.awaits_io = loop.awaits_io && steps == 0;
}

void GloopMonitor::loop_left(Process& process, const Record& record) {
  Loop& loop = process.loops[record.tb];
  require(loop.is_resident && record.value >= loop.steps, Rule::kCallbacks, record,
          fmt::format("{} steps were done before", loop.steps));
  loop.steps = record.value;
  loop.bytes = record.bytes;
  loop.is_resident = false;
  loop.has_left = true;
}

void GloopMonitor::require(bool holds, Rule rule, const Record& record, const std::string& what) {
  std::string& first = first_violation_[static_cast<std::size_t>(rule)];
  if (!holds && first.empty()) first = log_check::place_of(record) + ": " + what;
}

std::vector<std::pair<std::string, std::string>> GloopMonitor::verdicts() const {
  constexpr std::array kNames{"gloop_token", "gloop_callbacks", "gloop_state", "gloop_kills"};
  std::vector<std::pair<std::string, std::string>> verdicts;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    verdicts.emplace_back(kNames[i], first_violation_[i].empty() ? "ok" : first_violation_[i]);
  }
  return verdicts;
}

}  // namespace tessera::record
