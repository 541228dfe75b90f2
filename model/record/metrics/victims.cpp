// SPDX-License-Identifier: Apache-2.0
// Victims and places, record by record.
#include "model/record/metrics/victims.h"

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::record {

void VictimCounter::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kVictimChosen:
      return victim_chosen(record);
    case Kind::kVictimLeft:
      return victim_left(record);
    case Kind::kPositionGranted:
      return position_granted(record);
    case Kind::kPreemptionDone:
      return preemption_done(record);
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      if (number::reserved_for(record) == record.launch) forget(record.sm);  // those that were chosen may stay
      return;
    case Kind::kKernelFinished:
      is_late_.erase(record.launch);
      return;
    default:
      return;
  }
}

std::uint64_t& VictimCounter::count_of(Technique exit) {
  if (exit == Technique::kFlush) return result_.flushed;
  return exit == Technique::kDrain ? result_.drained : result_.switched;
}

void VictimCounter::victim_chosen(const Record& record) {
  Victim& victim = victims_[{record.sm, record.slot}];
  if (victim.launch == record.launch && victim.tb == record.tb) {
    --count_of(victim.exit);
    result_.instructions_executed -= victim.executed;
    result_.instructions_wasted -= victim.wasted;
  }
  victim = {record.launch,         record.tb, record.technique, number::estimate(record), number::executed(record),
            number::wasted(record)};
  ++count_of(victim.exit);
  result_.instructions_executed += victim.executed;
  result_.instructions_wasted += victim.wasted;
}

void VictimCounter::victim_left(const Record& record) {
  const auto found = victims_.find({record.sm, record.slot});
  if (found == victims_.end()) return;
  const Victim victim = found->second;
  victims_.erase(found);
  const bool has_drained = victim.exit == Technique::kDrain && record.technique == Technique::kDrain;
  if (!has_drained || victim.estimate >= kNever) return;
  ++result_.estimated_drains;
  result_.drain_error_cycles +=
      victim.estimate > record.cycles ? victim.estimate - record.cycles : record.cycles - victim.estimate;
}

void VictimCounter::position_granted(const Record& record) {
  result_.positions += number::tbs(record);
  positions_.add(record.cycles);
  last_grants_[record.sm] = record.cycles;
  const bool is_too_late = is_late(record.cycles);
  result_.tbs.count += number::tbs(record);
  result_.tbs.late += is_too_late ? number::tbs(record) : 0;
  const auto [kernel, is_new] = is_late_.try_emplace(record.launch, false);
  result_.requests.count += is_new ? 1 : 0;
  if (!is_too_late || kernel->second) return;
  kernel->second = true;
  ++result_.requests.late;
}

void VictimCounter::preemption_done(const Record& record) {
  if (!chooses_victims(record.technique)) return;
  const auto last = last_grants_.find(record.sm);
  if (last == last_grants_.end()) return;  // nobody came
  last_positions_.add(last->second);
  ++result_.sms.count;
  result_.sms.late += is_late(last->second) ? 1 : 0;
  last_grants_.erase(last);
}

void VictimCounter::forget(std::uint16_t sm) {
  victims_.erase(victims_.lower_bound({sm, std::uint16_t{0}}), victims_.upper_bound({sm, kNoIndex}));
  last_grants_.erase(sm);
}

VictimResult VictimCounter::result() const {
  VictimResult result = result_;
  result.position_latency = stats_of(positions_);
  result.last_position_latency = stats_of(last_positions_);
  return result;
}

}  // namespace tessera::record
