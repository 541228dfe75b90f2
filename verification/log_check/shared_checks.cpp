// SPDX-License-Identifier: Apache-2.0
// The life of a shared SM, record by record.
#include "verification/log_check/shared_checks.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;
namespace number = record::number;

namespace {

std::uint64_t num_residents(const Sm& sm) {
  return static_cast<std::uint64_t>(
      std::count_if(sm.slots.begin(), sm.slots.end(), [](const auto& slot) { return slot.has_value(); }));
}

}  // namespace

// ---- thread blocks -------------------------------------------------------------------------------------------

void SharedChecks::visit_tb(const Record& record, Sm& sm, Launch& launch) {
  const std::pair tb{record.launch, record.tb};
  switch (record.kind) {
    case Kind::kTbIssued:
      if (!complaints_.require(launch.tbs[record.tb] == TbState::kUnissued, record, "issued before")) return;
      complaints_.require(!sm.request, record, "the SM is being emptied");
      return put_into_slot(record, sm, launch);
    case Kind::kTbFinished:
      if (!take_from_slot(record, sm, TbState::kFinished, launch)) return;
      ++launch.num_finished;
      left_[record.sm].push_back({record.cycle + launch.facts->turnaround_cycles, record.launch});
      return;
    case Kind::kTbSaved:
      if (!take_from_slot(record, sm, TbState::kSaved, launch)) return;
      complaints_.require(sm.request.has_value(), record, "nobody has asked for the SM");
      launch.saved[record.tb] = record.bytes;
      saved_at_[tb] = {record.sm, record.slot};
      sm.saved_bytes += record.bytes;
      sm.has_saved = true;
      return;
    case Kind::kTbRestored:
      if (!complaints_.require(launch.tbs[record.tb] == TbState::kSaved, record, "it was not saved")) return;
      complaints_.require(saved_at_[tb] == Place(record.sm, record.slot), record, "it left SM {}, slot {}",
                          saved_at_[tb].first, saved_at_[tb].second);
      complaints_.require(record.bytes == launch.saved[record.tb], record, "{} bytes, saved were {}", record.bytes,
                          launch.saved[record.tb]);
      launch.saved.erase(record.tb);
      return put_into_slot(record, sm, launch);
    default:
      return complaints_.fail(record, "nothing of a shared SM is flushed");
  }
}

bool SharedChecks::take_from_slot(const Record& record, Sm& sm, TbState becomes, Launch& launch) {
  std::optional<Resident>& slot = sm.slots[record.slot];
  const bool is_there = slot && slot->launch == record.launch && slot->tb == record.tb;
  if (!complaints_.require(is_there, record, "not resident in slot {}", record.slot)) return false;
  slot.reset();
  sm.run_cycles += record.cycle;
  launch.tbs[record.tb] = becomes;
  return true;
}

void SharedChecks::put_into_slot(const Record& record, Sm& sm, Launch& launch) {
  complaints_.require(launch.stage == Stage::kActive, record, "its kernel is not active");
  std::optional<Resident>& slot = sm.slots[record.slot];
  complaints_.require(!slot, record, "slot {} is taken", record.slot);
  slot = Resident{record.launch, record.tb};
  launch.tbs[record.tb] = TbState::kResident;
  sm.run_cycles -= record.cycle;
  check_partition(record, launch);
  check_room(record, sm);
}

// What is there and what has left so lately that its place is not free.
void SharedChecks::check_room(const Record& record, const Sm& sm) {
  std::vector<Left>& left = left_[record.sm];
  left.erase(std::remove_if(left.begin(), left.end(), [&](const Left& one) { return one.free_from <= record.cycle; }),
             left.end());
  std::uint64_t tbs = 0, of_kernel = 0, registers = 0, shared_memory = 0, threads = 0;
  const auto count = [&](std::uint32_t launch) {
    const KernelFacts& kernel = *ledger_.launches.at(launch).facts;
    ++tbs;
    of_kernel += launch == record.launch ? 1 : 0;
    registers += kernel.registers;
    shared_memory += kernel.shared_memory_bytes;
    threads += kernel.threads;
  };
  for (const std::optional<Resident>& slot : sm.slots) {
    if (slot) count(slot->launch);
  }
  for (const Left& one : left) count(one.launch);
  const LogFacts& facts = ledger_.facts;
  const std::uint32_t fit = ledger_.launches.at(record.launch).facts->tbs_per_sm;
  complaints_.require(of_kernel <= fit, record, "{} TBs of its kernel, {} fit", of_kernel, fit);
  complaints_.require(tbs <= facts.max_tbs_per_sm, record, "{} TBs, {} fit", tbs, facts.max_tbs_per_sm);
  complaints_.require(registers <= facts.registers_per_sm, record, "{} registers in use, there are {}", registers,
                      facts.registers_per_sm);
  complaints_.require(shared_memory <= facts.shared_memory_bytes, record,
                      "{} bytes of shared memory in use, there are {}", shared_memory, facts.shared_memory_bytes);
  complaints_.require(threads <= facts.max_threads_per_sm, record, "{} threads, {} fit", threads,
                      facts.max_threads_per_sm);
}

void SharedChecks::check_partition(const Record& record, const Launch& launch) {
  const LogFacts& facts = ledger_.facts;
  if (facts.sms_of_partition.empty()) return;
  const std::uint32_t own = facts.partition_of_process.at(launch.process);
  complaints_.require(facts.sms_of_partition.at(own).has(record.sm), record, "the SM is none of partition {}", own);
}

// ---- SMs -----------------------------------------------------------------------------------------------------

void SharedChecks::visit_sm(const Record& record, Sm& sm) {
  switch (record.kind) {
    case Kind::kSmBusy:
      return busy(record, sm);
    case Kind::kSmSlots:
      return slots(record, sm);
    case Kind::kSmHeld:
      complaints_.require(number::tbs(record) <= ledger_.facts.max_tbs_per_sm, record, "{} TBs, {} fit",
                          number::tbs(record), ledger_.facts.max_tbs_per_sm);
      return;
    case Kind::kPreemptionRequested:
      return requested(record, sm);
    case Kind::kPreemptionDone:
      return done(record, sm);
    case Kind::kSaveStarted:
      complaints_.require(sm.request.has_value(), record, "nobody has asked for the SM");
      sm.saving = record.bytes;
      return;
    case Kind::kRestoreStarted:
      sm.restores.push_back({record.launch, record.bytes, record.cycle});
      return;
    case Kind::kRestoreDone:
      if (!complaints_.require(!sm.restores.empty(), record, "no restore goes on")) return;
      complaints_.require(sm.restores.front().bytes == record.bytes, record, "{} bytes, announced were {}",
                          record.bytes, sm.restores.front().bytes);
      return sm.restores.clear();
    default:
      return complaints_.fail(record, "a shared SM has no owner");
  }
}

void SharedChecks::busy(const Record& record, Sm& sm) {
  const Cycle elapsed = record.cycle - sm.counted_until;
  complaints_.require(record.cycles <= elapsed, record, "{} busy cycles within {}", record.cycles, elapsed);
  sm.counted_until = record.cycle;
}

// They run as long as the records of TBs tell, but for those that stand still before they are saved.
void SharedChecks::slots(const Record& record, Sm& sm) {
  complaints_.require(record.slot == ledger_.facts.max_tbs_per_sm, record, "{} slots, there are {}", record.slot,
                      ledger_.facts.max_tbs_per_sm);
  const std::uint64_t all = record.slot * (record.cycle - sm.slots_counted_until);
  const std::uint64_t told =
      number::slots_ran(record) + number::slots_preempted(record) + number::slots_without_demand(record);
  complaints_.require(told <= all, record, "{} cycles of slots within {}", told, all);
  const std::uint64_t run = sm.run_cycles + num_residents(sm) * record.cycle;
  const bool may_stand_still = sm.has_saved || sm.request;
  complaints_.require(may_stand_still ? number::slots_ran(record) <= run : number::slots_ran(record) == run, record,
                      "its TBs ran for {} cycles, not {}", run, number::slots_ran(record));
  sm.run_cycles = 0 - num_residents(sm) * record.cycle;
  sm.slots_counted_until = record.cycle;
  sm.has_saved = false;
}

void SharedChecks::requested(const Record& record, Sm& sm) {
  complaints_.require(!sm.request, record, "the SM is being emptied already");
  complaints_.require(number::reserved_for(record) == record::kNoNumber, record, "for a kernel: it has no owner");
  complaints_.require(num_residents(sm) > 0, record, "nothing is on it");
  sm.request = record;
  sm.saving.reset();
  sm.saved_bytes = 0;
}

void SharedChecks::done(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.request.has_value(), record, "nobody has asked for the SM")) return;
  complaints_.require(record.cycles == record.cycle - sm.request->cycle, record, "reports {} cycles, it took {}",
                      record.cycles, record.cycle - sm.request->cycle);
  complaints_.require(num_residents(sm) == 0, record, "{} TBs are on it", num_residents(sm));
  complaints_.require(record.bytes == sm.saved_bytes && sm.saving.value_or(0) == sm.saved_bytes, record,
                      "reports {} bytes saved, there were {}", record.bytes, sm.saved_bytes);
  sm.request.reset();
}

}  // namespace tessera::verification::log_check
