// SPDX-License-Identifier: Apache-2.0
// Runs and transfers, record by record.
#include "verification/log_check/host_checks.h"

#include "model/record/numbers.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;
namespace number = record::number;

namespace {

std::tuple<std::uint16_t, std::uint64_t, std::uint64_t> transfer_of(const Record& record) {
  return {record.process, number::is_to_host(record), record.bytes};
}

}  // namespace

void HostChecks::visit(const Record& record) {
  switch (record.kind) {
    case Kind::kRunReleased:
      return run_released(record);
    case Kind::kRunStarted:
      return run_started(record);
    case Kind::kRunEnded:
      return run_ended(record);
    case Kind::kDmaStarted:
      transfers_.insert(transfer_of(record));
      return;
    case Kind::kDmaEnded: {
      const auto started = transfers_.find(transfer_of(record));
      if (complaints_.require(started != transfers_.end(), record, "the transfer was not started"))
        transfers_.erase(started);
      return;
    }
    default:
      return;
  }
}

// In one cycle, what starts and ends comes before what is released.
void HostChecks::run_released(const Record& record) {
  if (!complaints_.require(start_of(record) != record::RunStart::kBackToBack, record, "the process has no releases"))
    return;
  Process& process = processes_[record.process];
  complaints_.require(record.run == process.num_released++, record, "releases are numbered from 0 without gaps");
  if (const auto started = process.unreleased.find(record.run); started != process.unreleased.end()) {
    complaints_.require(started->second.cycle == record.cycle, started->second, "starts before its release");
    process.unreleased.erase(started);
  }
  const bool starts_now = record.run + 1 == process.next_run;
  const std::uint64_t others =
      start_of(record) == record::RunStart::kReleased ? record.run - process.num_ended : !starts_now;
  complaints_.require(number::open_runs(record) == others + 1, record, "reports {} that wait or run, {} do",
                      number::open_runs(record), others + 1);
}

void HostChecks::run_started(const Record& record) {
  Process& process = processes_[record.process];
  if (start_of(record) == record::RunStart::kReleasedOrSkipped) {
    complaints_.require(record.run >= process.next_run, record, "runs start in order, each once");
    process.next_run = record.run + 1;
  } else {
    complaints_.require(record.run == process.next_run++, record, "runs are numbered from 0 without gaps");
  }
  const bool is_released = start_of(record) == record::RunStart::kBackToBack || record.run < process.num_released;
  if (!is_released) process.unreleased.emplace(record.run, record);
  open_runs_[{record.process, record.run}] = record.cycle;
}

void HostChecks::run_ended(const Record& record) {
  const auto started = open_runs_.find({record.process, record.run});
  if (!complaints_.require(started != open_runs_.end(), record, "the run was not started")) return;
  const Cycle turnaround = record.cycle - started->second;
  complaints_.require(record.cycles == turnaround, record, "reports {} cycles, it started {} ago", record.cycles,
                      turnaround);
  ++processes_[record.process].num_ended;
  open_runs_.erase(started);
}

void HostChecks::finish() {
  for (const auto& [index, process] : processes_) {
    for (const auto& [run, started] : process.unreleased) complaints_.fail(started, "was never released");
  }
  std::map<std::uint16_t, int> open_runs;
  for (const auto& [run, start] : open_runs_) {
    if (++open_runs[run.first] == 2) {
      complaints_.fail_at(start, fmt::format("process {} has several open runs", run.first));
    }
  }
}

}  // namespace tessera::verification::log_check
