// SPDX-License-Identifier: Apache-2.0
// The life of an SM, record by record.
#include "model/record/checks/log_check/sm_checks.h"

namespace tessera::record::log_check {

void SmChecks::visit(const Record& record, Sm& sm, const Launch& launch) {
  if (record.kind == Kind::kSmSetUp) return set_up(record, sm, launch);
  if (record.kind == Kind::kSmBusy) return busy(record, sm);  // may follow its owner's release
  if (!complaints_.require(sm.owner == record.launch, record, "the SM is not owned by this kernel")) return;
  switch (record.kind) {
    case Kind::kPreemptionDone:
      return preemption_done(record, sm);
    case Kind::kRestoreDone:
      return restore_done(record, sm);
    case Kind::kSmReleased:
      return released(record, sm);
    case Kind::kPreemptionRequested:
      return preemption_requested(record, sm);
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
  complaints_.require(!sm.restore, record, "a restore of the last owner goes on");
  sm.owner = sm.last_owner = record.launch;
  sm.is_handed_over = false;
  sm.counted_until = record.cycle;
}

void SmChecks::busy(const Record& record, Sm& sm) {
  complaints_.require(sm.last_owner == record.launch, record, "the SM was not owned by this kernel");
  const Cycle elapsed = record.cycle - sm.counted_until;
  complaints_.require(record.cycles <= elapsed, record, "{} busy cycles within {}", record.cycles, elapsed);
  sm.counted_until = record.cycle;
}

void SmChecks::released(const Record& record, Sm& sm) {
  require_empty(record, sm);
  complaints_.require(!sm.request, record, "a preemption was requested and is not done");
  complaints_.require(!sm.restore, record, "a restore goes on");
  sm.owner = kNoNumber;
  sm.is_handed_over = false;
}

void SmChecks::preemption_requested(const Record& record, Sm& sm) {
  complaints_.require(!sm.request, record, "the SM is reserved already");
  complaints_.require(!sm.is_handed_over, record, "the SM was handed over");
  complaints_.require(record.technique != Technique::kNone, record, "without a technique");
  sm.request = record;
  sm.saving.reset();
  sm.saved_bytes = 0;
}

void SmChecks::preemption_retargeted(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.request.has_value(), record, "the SM is not reserved")) return;
  // Only a drain can be cancelled; a save goes on and the SM comes back to its owner afterwards.
  if (sm.request->technique == Technique::kDrain && record.value == record.launch) sm.request.reset();
}

void SmChecks::preemption_done(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.request.has_value(), record, "no preemption was requested")) return;
  const Cycle latency = record.cycle - sm.request->cycle;
  complaints_.require(record.cycles == latency, record, "reports {} cycles, the request was {} ago", record.cycles,
                      latency);
  complaints_.require(record.technique == sm.request->technique, record, "reports {}, requested was {}",
                      to_string(record.technique), to_string(sm.request->technique));
  complaints_.require(record.bytes == sm.saved_bytes, record, "reports {} bytes, its TBs saved {}", record.bytes,
                      sm.saved_bytes);
  complaints_.require(record.bytes == sm.saving.value_or(0), record, "reports {} bytes, the save started with {}",
                      record.bytes, sm.saving.value_or(0));
  require_empty(record, sm);
  sm.request.reset();
  sm.is_handed_over = true;
}

void SmChecks::save_started(const Record& record, Sm& sm) {
  complaints_.require(sm.request && sm.request->technique != Technique::kDrain, record,
                      "no context switch was requested here");
  complaints_.require(!sm.saving, record, "another save goes on");
  sm.saving = record.bytes;
}

void SmChecks::restore_started(const Record& record, Sm& sm) {
  complaints_.require(!sm.restore, record, "another restore goes on");
  sm.restore = Restore{record.bytes, record.cycle};
  sm.restored_bytes = 0;
}

void SmChecks::restore_done(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.restore.has_value(), record, "no restore was started")) return;
  complaints_.require(record.bytes == sm.restore->bytes, record, "reports {} bytes, it started with {}", record.bytes,
                      sm.restore->bytes);
  complaints_.require(record.bytes == sm.restored_bytes, record, "reports {} bytes, its TBs restored {}", record.bytes,
                      sm.restored_bytes);
  const Cycle duration = record.cycle - sm.restore->start;
  complaints_.require(record.cycles == duration, record, "reports {} cycles, it started {} ago", record.cycles,
                      duration);
  sm.restore.reset();
}

void SmChecks::require_empty(const Record& record, const Sm& sm) {
  for (const std::optional<Resident>& slot : sm.slots) {
    if (slot) complaints_.fail(record, "TB {} of launch {} is resident", slot->tb, slot->launch);
  }
}

}  // namespace tessera::record::log_check
