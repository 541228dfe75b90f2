// SPDX-License-Identifier: Apache-2.0
// The life of an SM, record by record.
#include "verification/log_check/sm_checks.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::kNoNumber;
using record::Record;
using record::Technique;
namespace number = record::number;

void SmChecks::visit(const Record& record, Sm& sm, const Launch& launch) {
  const bool is_reservation = record.kind == Kind::kPreemptionRequested || record.kind == Kind::kPreemptionRetargeted;
  if (record.kind == Kind::kSmSetUp || record.kind == Kind::kSmPassed) require_own_partition(record, record.launch);
  if (is_reservation) require_own_partition(record, number::reserved_for(record));
  if (record.kind == Kind::kSmSetUp) return set_up(record, sm, launch);
  if (record.kind == Kind::kSmBusy) return busy(record, sm);  // may follow its owner's release
  if (record.kind == Kind::kSmSlots) return slots(record, sm, launch);
  if (VictimChecks::is_about_sharing(record.kind)) return victims_.visit(record, sm, launch);
  const bool is_restore = record.kind == Kind::kRestoreStarted || record.kind == Kind::kRestoreDone;
  const bool is_guests = is_restore && sm.guest == record.launch;
  if (!complaints_.require(sm.owner == record.launch || is_guests, record, "the SM is not owned by this kernel"))
    return;
  switch (record.kind) {
    case Kind::kPreemptionDone:
      return preemption_done(record, sm);
    case Kind::kRestoreDone:
      return restore_done(record, sm);
    case Kind::kSmFlushed:
      return victims_.sm_flushed(record, sm);
    case Kind::kSmReleased:
      return released(record, sm);
    case Kind::kPreemptionRequested:
      return preemption_requested(record, sm);
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      return preemption_retargeted(record, sm);
    case Kind::kRestoreStarted:
      return restore_started(record, sm);
    case Kind::kSaveStarted:
      return save_started(record, sm);
    default:
      return;
  }
}

void SmChecks::set_up(const Record& record, Sm& sm, const Launch& launch) {
  complaints_.require(sm.owner == kNoNumber || sm.is_handed_over, record, "the SM is owned by launch {}", sm.owner);
  complaints_.require(launch.stage == Stage::kActive, record, "its kernel is not active");
  complaints_.require(sm.restores.empty(), record, "a restore of the last owner goes on");
  sm.owner = sm.last_owner = record.launch;
  sm.is_handed_over = sm.has_run = false;
  sm.counted_until = sm.slots_counted_until = record.cycle;
  sm.shared_memory_bytes = launch.facts->shared_memory_config_bytes;
}

void SmChecks::require_own_partition(const Record& record, std::uint64_t launch) {
  const LogFacts& facts = ledger_.facts;
  if (facts.sms_of_partition.empty()) return;
  const auto found = ledger_.launches.find(static_cast<std::uint32_t>(launch));
  if (found == ledger_.launches.end()) return;  // check_references' concern
  const std::uint32_t own = facts.partition_of_process.at(found->second.process);
  complaints_.require(facts.sms_of_partition.at(own).has(record.sm), record,
                      "the SM is none of partition {}, in which launch {} is", own, launch);
}

void SmChecks::busy(const Record& record, Sm& sm) {
  // The owner's last cycles come behind the record that passes the SM to its guest.
  const bool has_just_passed = sm.passed && sm.passed->cycle == record.cycle && sm.passed->from == record.launch;
  complaints_.require(sm.last_owner == record.launch || has_just_passed, record, "the SM was not owned by this kernel");
  const Cycle elapsed = record.cycle - sm.counted_until;
  complaints_.require(record.cycles <= elapsed, record, "{} busy cycles within {}", record.cycles, elapsed);
  sm.counted_until = record.cycle;
}

// They run as long as the records of TBs tell, but for those that stand still before they are saved.
void SmChecks::slots(const Record& record, Sm& sm, const Launch& launch) {
  complaints_.require(sm.last_owner == record.launch, record, "the SM was not owned by this kernel");
  complaints_.require(record.slot == launch.facts->tbs_per_sm, record, "{} slots, there are {}", record.slot,
                      launch.facts->tbs_per_sm);
  const std::uint64_t all = record.slot * (record.cycle - sm.slots_counted_until);
  const std::uint64_t told =
      number::slots_ran(record) + number::slots_preempted(record) + number::slots_without_demand(record);
  complaints_.require(told <= all, record, "{} cycles of slots within {}", told, all);
  const auto residents = static_cast<std::uint64_t>(std::count_if(
      sm.slots.begin(), sm.slots.end(), [](const std::optional<Resident>& slot) { return slot.has_value(); }));
  const std::uint64_t run = sm.run_cycles + residents * record.cycle;
  const bool may_stand_still = sm.has_saved || sm.request;
  complaints_.require(may_stand_still ? number::slots_ran(record) <= run : number::slots_ran(record) == run, record,
                      "its TBs ran for {} cycles, not {}", run, number::slots_ran(record));
  sm.run_cycles = 0 - residents * record.cycle;
  sm.slots_counted_until = record.cycle;
  sm.has_saved = false;
}

void SmChecks::released(const Record& record, Sm& sm) {
  require_empty(record, sm);
  complaints_.require(!sm.request, record, "a preemption was requested and is not done");
  complaints_.require(sm.restores.empty(), record, "a restore goes on");
  complaints_.require(!sm.guest, record, "launch {} has places in it", sm.guest.value_or(kNoNumber));
  victims_.owner_left(record, sm);
  sm.owner = kNoNumber;
  sm.is_handed_over = false;
}

void SmChecks::preemption_requested(const Record& record, Sm& sm) {
  complaints_.require(!sm.request, record, "the SM is reserved already");
  complaints_.require(!sm.is_handed_over, record, "the SM was handed over");
  complaints_.require(record.technique != Technique::kNone, record, "without a technique");
  complaints_.require(!sm.guest || number::reserved_for(record) == *sm.guest, record, "launch {} has places in it",
                      sm.guest.value_or(kNoNumber));
  ledger_.chooses_victims = ledger_.chooses_victims || chooses_victims(record.technique);
  sm.request = record;
  sm.set_aside.reset();
  sm.has_chosen = false;
  sm.saving.reset();
  sm.saved_bytes = 0;
}

void SmChecks::preemption_retargeted(const Record& record, Sm& sm) {
  if (chooses_victims(record.technique)) return victims_.retargeted(record, sm);
  if (!complaints_.require(sm.request.has_value(), record, "the SM is not reserved")) return;
  // Only a drain can be cancelled; a save goes on and the SM comes back to its owner afterwards.
  if (sm.request->technique == Technique::kDrain && number::reserved_for(record) == record.launch) sm.request.reset();
}

void SmChecks::preemption_done(const Record& record, Sm& sm) {
  if (!sm.request) sm.request = sm.set_aside;
  if (!complaints_.require(sm.request.has_value(), record, "no preemption was requested")) return;
  const Cycle latency = record.cycle - sm.request->cycle;
  complaints_.require(record.cycles == latency, record, "reports {} cycles, the request was {} ago", record.cycles,
                      latency);
  complaints_.require(record.technique == sm.request->technique, record, "reports {}, requested was {}",
                      to_string(record.technique), to_string(sm.request->technique));
  complaints_.require(record.bytes == sm.saved_bytes, record, "reports {} bytes, its TBs saved {}", record.bytes,
                      sm.saved_bytes);
  if (chooses_victims(record.technique)) {
    victims_.preemption_done(record, sm);
  } else {
    complaints_.require(record.bytes == sm.saving.value_or(0), record, "reports {} bytes, the save started with {}",
                        record.bytes, sm.saving.value_or(0));
  }
  if (!sm.guest) handed_over(record, sm);
  sm.request.reset();
  sm.set_aside.reset();
}

void SmChecks::handed_over(const Record& record, Sm& sm) {
  require_empty(record, sm);
  sm.is_handed_over = true;
}

void SmChecks::save_started(const Record& record, Sm& sm) {
  if (ledger_.chooses_victims) return victims_.save_started(record, sm);
  complaints_.require(sm.request && sm.request->technique != Technique::kDrain, record,
                      "no context switch was requested here");
  complaints_.require(!sm.saving, record, "another save goes on");
  sm.saving = record.bytes;
}

void SmChecks::restore_started(const Record& record, Sm& sm) {
  complaints_.require(sm.restores.empty() || ledger_.chooses_victims, record, "another restore goes on");
  sm.restores.push_back({record.launch, record.bytes, record.cycle});
  if (!ledger_.chooses_victims) sm.restored_bytes.clear();
}

// Of several of one kernel, each ends with its own number of bytes and cycles.
void SmChecks::restore_done(const Record& record, Sm& sm) {
  const auto of_launch = [&](const Restore& restore) { return restore.launch == record.launch; };
  const auto is_it = [&](const Restore& restore) {
    return of_launch(restore) && restore.bytes == record.bytes && restore.start + record.cycles == record.cycle;
  };
  auto restore = std::find_if(sm.restores.begin(), sm.restores.end(), is_it);
  if (restore == sm.restores.end()) restore = std::find_if(sm.restores.begin(), sm.restores.end(), of_launch);
  if (!complaints_.require(restore != sm.restores.end(), record, "no restore was started")) return;
  complaints_.require(record.bytes == restore->bytes, record, "reports {} bytes, it started with {}", record.bytes,
                      restore->bytes);
  const Cycle duration = record.cycle - restore->start;
  complaints_.require(record.cycles == duration, record, "reports {} cycles, it started {} ago", record.cycles,
                      duration);
  sm.restores.erase(restore);
  std::uint64_t& restored = sm.restored_bytes[record.launch];
  const bool is_last = std::none_of(sm.restores.begin(), sm.restores.end(), of_launch);
  complaints_.require(is_last ? record.bytes == restored : record.bytes <= restored, record,
                      "reports {} bytes, its TBs restored {}", record.bytes, restored);
  restored -= std::min(restored, record.bytes);
}

void SmChecks::require_empty(const Record& record, const Sm& sm) {
  for (const std::optional<Resident>& slot : sm.slots) {
    if (slot) complaints_.fail(record, "TB {} of launch {} is resident", slot->tb, slot->launch);
  }
}

}  // namespace tessera::verification::log_check
