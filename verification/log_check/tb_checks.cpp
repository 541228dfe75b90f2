// SPDX-License-Identifier: Apache-2.0
// The life of a TB, record by record.
#include "verification/log_check/tb_checks.h"

#include <algorithm>

#include "model/record/technique.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;
using record::Technique;

void TbChecks::visit(const Record& record, Sm& sm, Launch& launch) {
  switch (record.kind) {
    case Kind::kTbFinished:
      return tb_finished(record, sm, launch);
    case Kind::kTbSaved:
      return tb_saved(record, sm, launch);
    case Kind::kTbFlushed:
      return tb_flushed(record, sm, launch);
    case Kind::kTbRestored:
      return tb_restored(record, sm, launch);
    case Kind::kTbIssued:
      return tb_issued(record, sm, launch);
    case Kind::kTbRestarted:
      return tb_restarted(record, sm, launch);
    default:
      return;
  }
}

bool TbChecks::take_from_slot(const Record& record, Sm& sm, Launch& launch) {
  std::optional<Resident>& slot = sm.slots[record.slot];
  const bool is_there = slot && slot->launch == record.launch && slot->tb == record.tb;
  if (launch.tbs[record.tb] == TbState::kFinished) {
    complaints_.fail(record, "finished before");
  } else {
    complaints_.require(is_there, record, "not resident in slot {}", record.slot);
  }
  if (!is_there) return false;
  slot.reset();
  sm.run_cycles += record.cycle;
  return true;
}

void TbChecks::put_into_slot(const Record& record, Sm& sm, Launch& launch) {
  complaints_.require(launch.stage == Stage::kActive, record, "its kernel is not active");
  const bool is_owner = sm.owner == record.launch && !sm.is_handed_over;
  complaints_.require(is_owner || sm.guest == record.launch, record, "the SM is not owned by this kernel");
  std::optional<Resident>& slot = sm.slots[record.slot];
  complaints_.require(!slot, record, "slot {} is taken", record.slot);
  slot = Resident{record.launch, record.tb};
  launch.tbs[record.tb] = TbState::kResident;
  sm.run_cycles -= record.cycle;
  sm.has_run = true;
  victims_.tb_came(record, sm);
  check_resources(record, sm);
}

void TbChecks::check_resources(const Record& record, const Sm& sm) {
  std::uint64_t tbs = 0;  // of this kernel
  std::uint64_t registers = 0;
  std::uint64_t shared_memory = 0;
  std::uint64_t threads = 0;
  for (const std::optional<Resident>& slot : sm.slots) {
    if (!slot) continue;
    const KernelFacts& kernel = *ledger_.launches.at(slot->launch).facts;
    tbs += slot->launch == record.launch ? 1 : 0;
    registers += kernel.registers;
    shared_memory += kernel.shared_memory_bytes;
    threads += kernel.threads;
  }
  const KernelFacts& kernel = *ledger_.launches.at(record.launch).facts;
  complaints_.require(tbs <= kernel.tbs_per_sm, record, "{} resident TBs, {} fit", tbs, kernel.tbs_per_sm);
  complaints_.require(registers <= ledger_.facts.registers_per_sm, record, "{} registers in use, there are {}",
                      registers, ledger_.facts.registers_per_sm);
  complaints_.require(shared_memory <= sm.shared_memory_bytes, record, "{} bytes of shared memory in use, there are {}",
                      shared_memory, sm.shared_memory_bytes);
  complaints_.require(threads <= ledger_.facts.max_threads_per_sm, record, "{} threads, {} fit", threads,
                      ledger_.facts.max_threads_per_sm);
}

void TbChecks::tb_finished(const Record& record, Sm& sm, Launch& launch) {
  if (!take_from_slot(record, sm, launch)) return;
  victims_.tb_went(record, sm, Technique::kDrain);
  launch.tbs[record.tb] = TbState::kFinished;
  ++launch.num_finished;
}

void TbChecks::tb_saved(const Record& record, Sm& sm, Launch& launch) {
  if (!take_from_slot(record, sm, launch)) return;
  // One that was chosen leaves, whatever becomes of the request.
  const bool may_be_saved = sm.request && sm.request->technique != Technique::kDrain;
  complaints_.require(may_be_saved || sm.victims[record.slot], record, "no context switch was requested here");
  victims_.tb_went(record, sm, Technique::kContextSwitch);
  complaints_.require(record.bytes == launch.facts->context_bytes, record, "{} bytes, its context has {}", record.bytes,
                      launch.facts->context_bytes);
  launch.tbs[record.tb] = TbState::kSaved;
  launch.saved[record.tb] = record.bytes;
  sm.saved_bytes += record.bytes;
  sm.has_saved = true;
  check_ptbq(record, launch);
}

void TbChecks::check_ptbq(const Record& record, const Launch& launch) {
  const std::uint64_t bound = std::uint64_t{ledger_.facts.num_sms} * launch.facts->tbs_per_sm;
  const std::uint64_t size = launch.saved.size() + launch.num_flushed;
  complaints_.require(size <= bound, record, "{} preempted TBs, the PTBQ holds {}", size, bound);
}

void TbChecks::tb_flushed(const Record& record, Sm& sm, Launch& launch) {
  if (!take_from_slot(record, sm, launch)) return;
  const bool may_be_flushed =
      sm.request && (sm.request->technique == Technique::kFlush || chooses_victims(sm.request->technique));
  complaints_.require(may_be_flushed, record, "no flush was requested here");
  victims_.tb_went(record, sm, Technique::kFlush);
  launch.tbs[record.tb] = TbState::kFlushed;
  ++launch.num_flushed;
  check_ptbq(record, launch);
}

void TbChecks::tb_restored(const Record& record, Sm& sm, Launch& launch) {
  const auto saved = launch.saved.find(record.tb);
  if (!complaints_.require(saved != launch.saved.end(), record, "it was not saved")) return;
  complaints_.require(record.bytes == saved->second, record, "{} bytes, saved were {}", record.bytes, saved->second);
  const bool is_under_way = std::any_of(sm.restores.begin(), sm.restores.end(),
                                        [&](const Restore& restore) { return restore.launch == record.launch; });
  complaints_.require(is_under_way, record, "no restore goes on here");
  sm.restored_bytes[record.launch] += record.bytes;
  launch.saved.erase(saved);
  put_into_slot(record, sm, launch);
}

void TbChecks::tb_issued(const Record& record, Sm& sm, Launch& launch) {
  const TbState state = launch.tbs[record.tb];
  if (state == TbState::kSaved) return complaints_.fail(record, "it was saved: a new start loses its context");
  if (state == TbState::kFlushed) return complaints_.fail(record, "it was flushed: its handle waits");
  if (!complaints_.require(state == TbState::kUnissued, record, "issued before")) return;
  put_into_slot(record, sm, launch);
}

void TbChecks::tb_restarted(const Record& record, Sm& sm, Launch& launch) {
  if (!complaints_.require(launch.tbs[record.tb] == TbState::kFlushed, record, "it was not flushed")) return;
  --launch.num_flushed;
  put_into_slot(record, sm, launch);
}

}  // namespace tessera::verification::log_check
