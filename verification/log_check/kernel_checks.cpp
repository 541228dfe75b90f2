// SPDX-License-Identifier: Apache-2.0
// The life of a kernel, record by record.
#include "verification/log_check/kernel_checks.h"

#include "model/record/numbers.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;
namespace number = record::number;

void KernelChecks::visit(const Record& record) {
  if (record.kind == Kind::kKernelArrived) return arrived(record);
  const auto entry = ledger_.launches.find(record.launch);
  if (entry == ledger_.launches.end()) return;
  Launch& launch = entry->second;
  switch (record.kind) {
    case Kind::kKernelActivated:
      complaints_.require(launch.stage == Stage::kArrived, record, "activated before");
      launch.stage = Stage::kActive;
      return;
    case Kind::kKernelFinished:
      return finished(record, launch);
    case Kind::kKernelLeft:
      // Judged at the end: kinds that sort behind it may still change the launch in this cycle.
      complaints_.require(!launch.left, record, "left before");
      launch.left = record;
      return;
    default:
      return;
  }
}

void KernelChecks::arrived(const Record& record) {
  const auto [entry, is_new] = ledger_.launches.try_emplace(record.launch);
  if (!complaints_.require(is_new, record, "arrived before")) return;
  Launch& launch = entry->second;
  launch.arrived_at = record.cycle;
  launch.process = record.process;
  launch.kernel = record.kernel;
  launch.facts = &ledger_.facts.kernels[record.process][record.kernel];
  launch.tbs.resize(launch.facts->num_tbs);
}

void KernelChecks::finished(const Record& record, Launch& launch) {
  complaints_.require(launch.stage == Stage::kActive, record, "the kernel is not active");
  complaints_.require(number::tbs(record) == launch.facts->num_tbs, record, "reports {} TBs, it has {}",
                      number::tbs(record), launch.facts->num_tbs);
  for (std::size_t tb = 0; tb < launch.tbs.size(); ++tb) {
    complaints_.require(launch.tbs[tb] == TbState::kFinished, record, "TB {} is not finished", tb);
  }
  launch.stage = Stage::kFinished;
}

void KernelChecks::finish(Cycle end, LogReport& report) {
  for (const auto& [id, launch] : ledger_.launches) check_left(end, id, launch, report);
}

void KernelChecks::check_left(Cycle end, std::uint32_t id, const Launch& launch, LogReport& report) {
  std::uint64_t saved_bytes = 0;
  for (const auto& [tb, bytes] : launch.saved) saved_bytes += bytes;
  report.open_saves += launch.saved.size();
  report.open_save_bytes += saved_bytes;
  if (!launch.left) {
    if (launch.stage == Stage::kActive) {
      complaints_.fail_at(end, fmt::format("launch {} neither finished nor left", id));
    }
    return;
  }
  const Record& left = *launch.left;
  complaints_.require(launch.stage == Stage::kActive, left, "the kernel is not active");
  complaints_.require(number::tbs(left) == launch.num_finished, left, "reports {} TBs finished, {} did",
                      number::tbs(left), launch.num_finished);
  complaints_.require(left.bytes == saved_bytes, left, "reports {} bytes saved and not restored, there are {}",
                      left.bytes, saved_bytes);
}

}  // namespace tessera::verification::log_check
