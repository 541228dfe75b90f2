// SPDX-License-Identifier: Apache-2.0
// Victims and guests, record by record.
#include "verification/log_check/victim_checks.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::kNoIndex;
using record::kNoNumber;
using record::Record;
using record::Technique;
namespace number = record::number;

namespace {

std::size_t num_residents(const Sm& sm, std::uint32_t launch) {
  return static_cast<std::size_t>(std::count_if(sm.slots.begin(), sm.slots.end(),
                                                [&](const auto& slot) { return slot && slot->launch == launch; }));
}

bool is_tb(const Resident& resident, const Record& record) {
  return resident.launch == record.launch && resident.tb == record.tb;
}

}  // namespace

void VictimChecks::visit(const Record& record, Sm& sm, const Launch& launch) {
  const bool is_owners = record.kind == Kind::kVictimChosen || record.kind == Kind::kVictimLeft;
  if (is_owners && !complaints_.require(sm.owner == record.launch, record, "the SM is not owned by this kernel"))
    return;
  switch (record.kind) {
    case Kind::kVictimChosen:
      return victim_chosen(record, sm);
    case Kind::kVictimLeft:
      return victim_left(record, sm);
    case Kind::kPositionGranted:
      return position_granted(record, sm, launch);
    case Kind::kSmPassed:
      return sm_passed(record, sm);
    default:
      return;
  }
}

// ---- victims -------------------------------------------------------------------------------------------------------

void VictimChecks::victim_chosen(const Record& record, Sm& sm) {
  const bool is_asked = sm.request && chooses_victims(sm.request->technique);
  complaints_.require(is_asked, record, "no preemption was requested that chooses victims");
  const std::optional<Resident>& slot = sm.slots[record.slot];
  if (!complaints_.require(slot && is_tb(*slot, record), record, "not resident in slot {}", record.slot)) return;
  std::optional<Victim>& victim = sm.victims[record.slot];
  // One that drains too long may be chosen again, for another way.
  const bool is_free = !victim || victim->is_released || victim->exit == Technique::kDrain;
  complaints_.require(is_free, record, "chosen before");
  const bool is_known = record.technique == Technique::kFlush || record.technique == Technique::kContextSwitch ||
                        record.technique == Technique::kDrain;
  complaints_.require(is_known, record, "no thread block leaves by {}", to_string(record.technique));
  complaints_.require(record.technique != Technique::kDrain || number::wasted(record) == 0, record,
                      "draining wastes nothing");
  complaints_.require(record.technique != Technique::kFlush || number::wasted(record) == number::executed(record),
                      record, "a flush wastes the {} instructions executed, not {}", number::executed(record),
                      number::wasted(record));
  victim = Victim{*slot, record.technique, record.cycle};
  sm.has_chosen = true;
}

// It has left its slot earlier in this cycle, or is dropped in it.
void VictimChecks::victim_left(const Record& record, Sm& sm) {
  std::optional<Victim>& victim = sm.victims[record.slot];
  if (!complaints_.require(victim && is_tb(victim->tb, record), record, "it was not chosen")) return;
  complaints_.require(victim->way != Technique::kNone && victim->left_at == record.cycle, record,
                      "it has not left in this cycle");
  complaints_.require(victim->way == Technique::kNone || record.technique == victim->way, record,
                      "by {}, it left by {}", to_string(record.technique), to_string(victim->way));
  const Cycle since = record.cycle - victim->chosen_at;
  complaints_.require(record.cycles == since, record, "reports {} cycles, it was chosen {} ago", record.cycles, since);
  victim.reset();
}

void VictimChecks::tb_came(const Record& record, Sm& sm) {
  std::optional<Victim>& victim = sm.victims[record.slot];
  // Whether a save that was called off had begun cannot be seen: one that finishes may have been a victim no more.
  if (victim && victim->is_released && victim->way == Technique::kDrain) victim.reset();
  complaints_.require(!victim, record, "nothing says that the victim before it has left slot {}", record.slot);
  if (sm.guest == record.launch && sm.owner != record.launch) {
    const std::size_t guests = num_residents(sm, record.launch);
    complaints_.require(guests <= sm.positions.size(), record, "{} TBs beside the owner, {} positions were granted",
                        guests, sm.positions.size());
    return;
  }
  const bool is_leaving = sm.request && chooses_victims(sm.request->technique) && sm.has_chosen;
  complaints_.require(!is_leaving, record, "its kernel gets no thread block where others leave for a guest");
}

// A victim may finish before its turn, but for one that is dropped at once.
void VictimChecks::tb_went(const Record& record, Sm& sm, Technique way) {
  std::optional<Victim>& victim = sm.victims[record.slot];
  if (way == Technique::kFlush) ++sm.num_flushed;
  if (!victim) {
    const bool must_be_chosen = ledger_.chooses_victims && way != Technique::kDrain;
    complaints_.require(!must_be_chosen, record, "it was not chosen for that");
    return;
  }
  const bool finishes_early = way == Technique::kDrain && victim->exit == Technique::kContextSwitch;
  const bool may_go = way == victim->exit || finishes_early || (way == Technique::kDrain && victim->is_released);
  complaints_.require(may_go, record, "it was chosen for {}", to_string(victim->exit));
  complaints_.require(way != Technique::kFlush || victim->chosen_at == record.cycle, record,
                      "it was to be dropped in cycle {}", victim->chosen_at);
  if (way == Technique::kContextSwitch) {
    complaints_.require(record.bytes <= sm.leaving_bytes, record, "{} bytes, the saves that go on have {} left",
                        record.bytes, sm.leaving_bytes);
    sm.leaving_bytes -= std::min(sm.leaving_bytes, record.bytes);
  }
  victim->way = way;
  victim->left_at = record.cycle;
  if (victim->is_released && way == Technique::kDrain && victim->exit == Technique::kDrain) victim.reset();
}

void VictimChecks::save_started(const Record& record, Sm& sm) {
  const bool is_of_victims = std::any_of(sm.victims.begin(), sm.victims.end(), [](const auto& victim) {
    return victim && victim->exit == Technique::kContextSwitch;
  });
  complaints_.require(is_of_victims, record, "no thread block was chosen for a context switch");
  sm.leaving_bytes += record.bytes;
}

// Several batches may be dropped in one cycle; their counts come behind them all.
void VictimChecks::sm_flushed(const Record& record, Sm& sm) {
  if (!ledger_.chooses_victims) return;
  complaints_.require(number::tbs(record) <= sm.num_flushed, record, "reports {} TBs, {} were dropped",
                      number::tbs(record), sm.num_flushed);
  sm.num_flushed -= std::min(sm.num_flushed, number::tbs(record));
}

// ---- requests ------------------------------------------------------------------------------------------------------

void VictimChecks::retargeted(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.request || sm.guest, record, "the SM is not reserved")) return;
  const bool is_for_owner = number::reserved_for(record) == record.launch;
  if (sm.guest) {
    const std::size_t guests = num_residents(sm, *sm.guest);
    complaints_.require(guests == 0, record, "{} TBs of launch {} are resident", guests, *sm.guest);
  }
  // Who was chosen for a kernel that comes no more keeps its way out, but nobody waits for it.
  for (std::optional<Victim>& victim : sm.victims) {
    if (victim) victim->is_released = victim->is_released || is_for_owner;
  }
  sm.guest.reset();
  sm.positions.clear();
  if (is_for_owner) return cancelled(record, sm);
  number::reserved_for(*sm.request) = number::reserved_for(record);
}

// An SM that is being set up has nobody to send away: it is set up again, for its owner.
void VictimChecks::cancelled(const Record& record, Sm& sm) {
  if (sm.request && !sm.has_run) {
    sm.set_aside = sm.request;
    number::reserved_for(*sm.set_aside) = record.launch;
  }
  sm.request.reset();
}

void VictimChecks::preemption_done(const Record& record, Sm& sm) {
  complaints_.require(sm.num_flushed == 0, record, "{} dropped TBs were not counted", sm.num_flushed);
  sm.num_flushed = 0;
  if (!sm.guest) return owner_left(record, sm);
  complaints_.require(!sm.positions.empty(), record, "no position was granted");
}

void VictimChecks::owner_left(const Record& record, Sm& sm) {
  require_accounted(record, sm);
  for (std::optional<Victim>& victim : sm.victims) victim.reset();
  complaints_.require(sm.leaving_bytes == 0, record, "{} bytes are still to be saved", sm.leaving_bytes);
  sm.leaving_bytes = 0;
}

void VictimChecks::require_accounted(const Record& record, const Sm& sm) {
  for (const std::optional<Victim>& victim : sm.victims) {
    if (!victim || (victim->is_released && victim->way == Technique::kDrain)) continue;
    complaints_.fail(record, "nothing says that TB {}, which was chosen, has left", victim->tb.tb);
  }
}

// ---- guests --------------------------------------------------------------------------------------------------------

void VictimChecks::position_granted(const Record& record, Sm& sm, const Launch& launch) {
  const std::optional<Record>& request = sm.request ? sm.request : sm.set_aside;
  const bool is_asked = request && chooses_victims(request->technique);
  if (!complaints_.require(is_asked, record, "no preemption was requested")) return;
  complaints_.require(number::reserved_for(*request) == record.launch, record, "the SM is reserved for launch {}",
                      number::reserved_for(*request));
  complaints_.require(launch.stage == Stage::kActive, record, "its kernel is not active");
  complaints_.require(record.cycles <= record.cycle - launch.arrived_at, record,
                      "reports {} cycles, its kernel arrived {} ago", record.cycles, record.cycle - launch.arrived_at);
  if (record.slot != kNoIndex) return one_position_granted(record, sm, launch);
  const bool is_empty =
      std::none_of(sm.slots.begin(), sm.slots.end(), [](const auto& slot) { return slot.has_value(); });
  complaints_.require(is_empty, record, "thread blocks are resident");
  complaints_.require(number::tbs(record) == launch.facts->tbs_per_sm, record, "for {} TBs, {} fit",
                      number::tbs(record), launch.facts->tbs_per_sm);
}

// Beside the owner, in its configuration.
void VictimChecks::one_position_granted(const Record& record, Sm& sm, const Launch& launch) {
  complaints_.require(sm.request && sm.request->technique == Technique::kDualKernel, record,
                      "only dual_kernel grants single positions");
  complaints_.require(number::tbs(record) == 1, record, "for {} TBs, a position holds one", number::tbs(record));
  complaints_.require(record.launch != sm.owner, record, "to the owner");
  const KernelFacts& facts = *launch.facts;
  const std::uint64_t end = std::uint64_t{record.slot} + 1;
  complaints_.require(end * facts.registers <= ledger_.facts.registers_per_sm &&
                          end * facts.shared_memory_bytes <= sm.shared_memory_bytes,
                      record, "there is no position {}", record.slot);
  complaints_.require(!sm.guest || sm.guest == record.launch, record, "launch {} has places in it",
                      sm.guest.value_or(kNoNumber));
  sm.guest = record.launch;
  const bool is_new = sm.positions.insert(record.slot).second;
  // Granted once more: its last thread block has gone.
  complaints_.require(is_new || num_residents(sm, record.launch) < sm.positions.size(), record,
                      "all {} positions are taken", sm.positions.size());
}

void VictimChecks::sm_passed(const Record& record, Sm& sm) {
  if (!complaints_.require(sm.guest == record.launch, record, "it has no places in this SM")) return;
  complaints_.require(!sm.request, record, "a preemption was requested and is not done");
  const std::size_t owners = num_residents(sm, sm.owner);
  complaints_.require(owners == 0, record, "{} TBs of launch {} are resident", owners, sm.owner);
  owner_left(record, sm);
  sm.passed = Passage{record.cycle, sm.owner};
  sm.owner = sm.last_owner = record.launch;
  sm.guest.reset();
  sm.positions.clear();
}

void VictimChecks::finish() {
  for (const Sm& sm : ledger_.sms) {
    for (const std::optional<Victim>& victim : sm.victims) {
      const bool is_lost = victim && victim->way != Technique::kNone && !victim->is_released;
      if (is_lost) {
        complaints_.fail_at(victim->left_at, fmt::format("nothing says that TB {} of launch {}, which was chosen, left",
                                                         victim->tb.tb, victim->tb.launch));
      }
    }
  }
}

}  // namespace tessera::verification::log_check
