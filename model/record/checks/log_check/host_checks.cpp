// SPDX-License-Identifier: Apache-2.0
// Runs and transfers, record by record.
#include "model/record/checks/log_check/host_checks.h"

namespace tessera::record::log_check {

void HostChecks::visit(const Record& record) {
  const std::pair run(record.process, record.run);
  const std::tuple transfer(record.process, record.value, record.bytes);
  switch (record.kind) {
    case Kind::kRunStarted:
      complaints_.require(record.run == num_runs_[record.process]++, record, "runs are numbered from 0 without gaps");
      open_runs_[run] = record.cycle;
      return;
    case Kind::kRunEnded:
      return run_ended(record);
    case Kind::kDmaStarted:
      transfers_.insert(transfer);
      return;
    case Kind::kDmaEnded: {
      const auto started = transfers_.find(transfer);
      if (complaints_.require(started != transfers_.end(), record, "the transfer was not started"))
        transfers_.erase(started);
      return;
    }
    default:
      return;
  }
}

void HostChecks::run_ended(const Record& record) {
  const auto started = open_runs_.find({record.process, record.run});
  if (!complaints_.require(started != open_runs_.end(), record, "the run was not started")) return;
  const Cycle turnaround = record.cycle - started->second;
  complaints_.require(record.cycles == turnaround, record, "reports {} cycles, it started {} ago", record.cycles,
                      turnaround);
  open_runs_.erase(started);
}

void HostChecks::finish() {
  std::map<std::uint16_t, int> open_runs;
  for (const auto& [run, start] : open_runs_) {
    if (++open_runs[run.first] == 2) {
      complaints_.fail_at(start, fmt::format("process {} has several open runs", run.first));
    }
  }
}

}  // namespace tessera::record::log_check
