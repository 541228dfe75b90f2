// SPDX-License-Identifier: Apache-2.0
// Launch 0 is the victim, launch 1 the guest: they arrive in this order.
#include "campaign/s16/victim_ledger.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/policies.h"
#include "model/workload/kernel_model.h"

namespace tessera::campaign::s16 {
namespace {

using preemption::Exit;
using record::Kind;
using record::Record;

constexpr std::uint32_t kVictimLaunch = 0;

Exit exit_of(record::Technique technique) {
  switch (technique) {
    case record::Technique::kFlush:
      return Exit::kFlush;
    case record::Technique::kContextSwitch:
      return Exit::kSwitch;
    default:
      return Exit::kDrain;
  }
}

}  // namespace

VictimLedger::VictimLedger(const ProbeInput& input)
    : input_(input),
      chooses_victims_(spec::info(input.machine.scheduler.technique).chooses_victims),
      limit_(Clock(input.machine.gpu.clock_hz).cycles_in(input.machine.scheduler.latency_limit)),
      guest_tbs_per_sm_(workload::occupancy(input.machine.gpu, tlm_model::resources_of(input.guest)).tbs_per_sm),
      sms_(input.machine.gpu.num_sms) {}

void VictimLedger::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kPreemptionRequested:
      return requested(record);
    case Kind::kSmReturned:  // the place is not needed any more
      sms_[record.sm].is_open = false;
      return;
    case Kind::kVictimChosen:
      return chosen(record);
    case Kind::kVictimLeft:
      return left(record);
    case Kind::kPositionGranted:
      return granted(record, record::number::tbs(record));
    case Kind::kPreemptionDone:
      sms_[record.sm].is_open = false;
      if (!chooses_victims_) granted(record, guest_tbs_per_sm_);
      return;
    // What follows is told only where the technique chooses no victims.
    case Kind::kTbIssued:
      if (record.launch == kVictimLaunch) residents_[{record.sm, record.slot}] = {record.tb, record.cycle};
      return;
    case Kind::kTbFinished:
      return take(record, Exit::kDrain);
    case Kind::kTbFlushed:
      return take(record, Exit::kFlush);
    case Kind::kTbSaved:
      return take(record, Exit::kSwitch);
    case Kind::kSaveStarted:
      sms_[record.sm].save_started = record.cycle;
      return;
    default:
      return;
  }
}

void VictimLedger::granted(const Record& record, std::uint64_t num_places) {
  const Cycle wait = record.cycle - input_.guest_arrives;
  places_ += num_places;
  if (wait > limit_) late_ += num_places;
  sms_[record.sm].last_grant = wait;
  sms_[record.sm].has_granted = true;
  last_grant_ = record.cycle;
}

// Once more for the same thread block: its draining took too long.
void VictimLedger::chosen(const Record& record) {
  const auto [at, is_new] = victims_.try_emplace({record.sm, record.slot});
  Victim& victim = at->second;
  if (is_new) {
    victim.tb = record.tb;
    victim.executed = record::number::executed(record);
  }
  victim.chosen = victim.left_by = exit_of(record.technique);
  victim.is_estimated = is_new && victim.chosen == Exit::kDrain;
  victim.estimate = record::number::estimate(record);
  victim.wasted = record::number::wasted(record);
}

void VictimLedger::left(const Record& record) {
  const auto at = victims_.find({record.sm, record.slot});
  if (at == victims_.end()) return;
  Victim& victim = at->second;
  victim.has_left = true;
  victim.left_by = exit_of(record.technique);
  victim.took = record.cycles;
  if (victim.left_by == Exit::kDrain) victim.wasted = 0;  // it ended before its turn to be saved came
  gone_.push_back(victim);
  victims_.erase(at);
}

void VictimLedger::requested(const Record& record) {
  sms_[record.sm].is_open = true;
  if (chooses_victims_) return;
  for (const auto& [place, resident] : residents_) {
    if (place.first != record.sm) continue;
    Victim victim;
    victim.tb = resident.first;
    victim.run_for = record.cycle - resident.second;
    victim.executed = input_.victim.progress.executed(input_.victim.durations, victim.tb, victim.run_for);
    victims_[place] = victim;
  }
}

// A thread block that is followed leaves its place.
void VictimLedger::take(const Record& record, Exit exit) {
  if (record.launch != kVictimLaunch || chooses_victims_) return;
  const Place place{record.sm, record.slot};
  const auto resident = residents_.find(place);
  const auto at = victims_.find(place);
  if (resident == residents_.end()) return;
  if (at != victims_.end()) {
    Victim& victim = at->second;
    const auto& progress = input_.victim.progress;
    victim.left_by = exit;
    victim.has_left = true;
    if (exit == Exit::kFlush) {
      victim.wasted = progress.executed(input_.victim.durations, victim.tb, record.cycle - resident->second.second);
      victim.executed = victim.wasted;  // when the command came, a little after the request
    }
    const Cycle stall = record.cycle - sms_[record.sm].save_started;  // and as long again when it comes back
    if (exit == Exit::kSwitch && victim.run_for > 0)
      victim.wasted = mul_div_floor(2 * stall, victim.executed, victim.run_for);
    gone_.push_back(victim);
    victims_.erase(at);
  }
  residents_.erase(resident);
}

void VictimLedger::add(const Victim& victim, Probe& probe) const {
  ++probe.exits[static_cast<std::size_t>(victim.left_by)];
  probe.executed += victim.executed;
  probe.wasted += victim.wasted;
  if (!victim.is_estimated || !victim.has_left || victim.took == 0 || victim.estimate >= kNever) return;
  const Cycle error = victim.estimate > victim.took ? victim.estimate - victim.took : victim.took - victim.estimate;
  ++probe.drained;
  probe.errors += error;
  probe.drain_cycles += victim.took;
  probe.relative_errors += static_cast<double>(error) / static_cast<double>(victim.took);
}

Probe VictimLedger::result(bool has_places) const {
  Probe probe;
  probe.places = places_;
  probe.late = late_;
  for (const Sm& sm : sms_) {
    const bool is_awaited = sm.is_open && !has_places;
    if (!is_awaited && !sm.has_granted) continue;
    probe.waits.push_back(is_awaited ? kNever : sm.last_grant);
    if (!is_awaited || sm.has_granted) continue;
    probe.places += guest_tbs_per_sm_;
    probe.late += guest_tbs_per_sm_;
  }
  for (const Victim& victim : gone_) add(victim, probe);
  for (const auto& [place, victim] : victims_) add(victim, probe);
  return probe;
}

}  // namespace tessera::campaign::s16
