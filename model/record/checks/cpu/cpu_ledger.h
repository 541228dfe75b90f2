// SPDX-License-Identifier: Apache-2.0
// Replays who has which core of the host, and reports each record that breaks a rule (docs/concepts/host_cores.md).
// Written from the rules alone: it does not use the table that decides.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct CpuFacts {
  struct Process {
    std::uint32_t priority = 0;
    std::vector<std::uint32_t> cores;  // that it may run on
  };
  std::uint32_t num_cores = 0;     // 0: the host has none
  std::vector<Process> processes;  // as in Spec::processes

  bool is_empty() const { return num_cores == 0; }
};
CpuFacts make_cpu_facts(const spec::Spec& spec);

namespace cpu_check {

enum class Rule { kCores, kPriority };
std::string_view to_string(Rule rule);  // "cpu_cores", "cpu_priority"

class Ledger {
 public:
  using Complain = std::function<void(Rule rule, const Record& record, const std::string& what)>;

  Ledger(CpuFacts facts, Complain complain);

  // Ignores records of other kinds. The process must be one of the facts.
  void visit(const Record& record);
  // The last record has come; `end` is the first cycle that was not simulated.
  void finish(Cycle end);

 private:
  struct Process {
    enum class State { kAsleep, kReady, kRunning };
    State state = State::kAsleep;
    Cycle since = 0;
    std::uint64_t core = 0;
  };

  void stopped(const Record& record, Process& process);
  void ready(const Record& record, Process& process);
  void started(const Record& record, Process& process);
  void settle();
  void require(bool holds, Rule rule, const Record& record, const std::string& what);

  CpuFacts facts_;
  Complain complain_;
  std::vector<Process> processes_;
  std::vector<std::optional<std::uint16_t>> holders_;  // by core
  std::optional<Record> last_;                         // whose cycle is not settled
};

}  // namespace cpu_check
}  // namespace tessera::record
