// SPDX-License-Identifier: Apache-2.0
// Each record against what was before it; priorities when a cycle's records are all there.
#include "model/record/checks/cpu/cpu_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::record {

CpuFacts make_cpu_facts(const spec::Spec& spec) {
  CpuFacts facts;
  if (!spec.host.cpu) return facts;
  facts.num_cores = spec.host.cpu->num_threads();
  for (const spec::ProcessSpec& process : spec.processes) {
    facts.processes.push_back({process.cpu_priority, spec::cores_of(process, *spec.host.cpu)});
  }
  return facts;
}

namespace cpu_check {

std::string_view to_string(Rule rule) { return rule == Rule::kCores ? "cpu_cores" : "cpu_priority"; }

Ledger::Ledger(CpuFacts facts, Complain complain)
    : facts_(std::move(facts)),
      complain_(std::move(complain)),
      processes_(facts_.processes.size()),
      holders_(facts_.num_cores) {}

void Ledger::visit(const Record& record) {
  if (!is_of_cpu(record.kind)) return;
  if (last_ && last_->cycle != record.cycle) settle();
  last_ = record;
  Process& process = processes_.at(record.process);
  if (record.kind == Kind::kCpuStopped) return stopped(record, process);
  if (record.kind == Kind::kCpuReady) return ready(record, process);
  started(record, process);
}

void Ledger::stopped(const Record& record, Process& process) {
  if (process.state == Process::State::kReady) {
    require(record.cycles == 0, Rule::kCores, record, "the process has no core");
    process = {};
    return;
  }
  const bool has_it = process.state == Process::State::kRunning && process.core == number::core(record);
  require(has_it, Rule::kCores, record, "the process does not have that core");
  if (!has_it) return;
  const Cycle had = record.cycle - process.since;
  require(record.cycles == had, Rule::kCores, record, fmt::format("it had the core for {} cycles", had));
  require(number::spun_cycles(record) <= had, Rule::kCores, record, "waited for the GPU longer than it had the core");
  process = {};
  holders_[number::core(record)].reset();
}

void Ledger::ready(const Record& record, Process& process) {
  require(process.state == Process::State::kAsleep, Rule::kCores, record, "the process wants a core already");
  if (process.state == Process::State::kAsleep) process = {Process::State::kReady, record.cycle, 0};
}

void Ledger::started(const Record& record, Process& process) {
  const std::uint64_t core = number::core(record);
  const std::vector<std::uint32_t>& allowed = facts_.processes[record.process].cores;
  if (core >= facts_.num_cores) return require(false, Rule::kCores, record, "there is no such core");
  require(std::find(allowed.begin(), allowed.end(), core) != allowed.end(), Rule::kCores, record,
          "the process may not run there");
  require(!holders_[core], Rule::kCores, record, "another process has that core");
  const bool is_ready = process.state == Process::State::kReady;
  require(is_ready, Rule::kCores, record, "the process does not wait for a core");
  if (holders_[core] || !is_ready) return;
  require(record.cycles == record.cycle - process.since, Rule::kCores, record,
          fmt::format("it has waited for {} cycles", record.cycle - process.since));
  process = {Process::State::kRunning, record.cycle, core};
  holders_[core] = record.process;
}

void Ledger::settle() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (processes_[i].state != Process::State::kReady) continue;
    const CpuFacts::Process& waiting = facts_.processes[i];
    for (const std::uint32_t core : waiting.cores) {
      const std::optional<std::uint16_t>& holder = holders_[core];
      require(holder.has_value(), Rule::kPriority, *last_, fmt::format("process {} waits, core {} is free", i, core));
      require(!holder || facts_.processes[*holder].priority >= waiting.priority, Rule::kPriority, *last_,
              fmt::format("process {} waits, core {} has a less urgent one", i, core));
    }
  }
}

// What has a core at the end stops then, in favour of nobody.
void Ledger::finish(Cycle end) {
  if (last_ && last_->cycle < end) settle();
}

void Ledger::require(bool holds, Rule rule, const Record& record, const std::string& what) {
  if (!holds) complain_(rule, record, what);
}

}  // namespace cpu_check
}  // namespace tessera::record
