// SPDX-License-Identifier: Apache-2.0
// Follows the state of every SM and samples it once a column.
#include "model/record/trace/timeline.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::record {
namespace {

char letter(std::uint16_t process, char first) { return static_cast<char>(first + process % 26); }
char small(char letter) { return static_cast<char>(letter - 'A' + 'a'); }

}  // namespace

TimelineSink::TimelineSink(std::uint32_t num_sms, std::uint32_t num_columns, Cycle cycles_a_column)
    : num_columns_(num_columns), cycles_a_column_(cycles_a_column), sms_(num_sms) {}

void TimelineSink::consume(const Record& record) {
  if (record.kind == Kind::kSmsWithheld) return withhold(record);
  if (record.kind == Kind::kKernelArrived) launches_.note_arrival(record);
  if (record.sm == kNoIndex) return;
  start_once(from_kernel_, record.cycle);
  if (record.kind == Kind::kPreemptionRequested) start_once(from_preemption_, record.cycle);
  draw_until(from_kernel_, record.cycle);
  draw_until(from_preemption_, record.cycle);
  apply(record);
}

void TimelineSink::apply(const Record& record) {
  SmState& sm = sms_[record.sm];
  sm.held.apply(record);
  if (sm.held.is_used()) return apply_held(sm);
  switch (record.kind) {
    case Kind::kSmSetUp:
      sm = {};
      sm.running = letter(record.process, 'A');
      sm.now = sm.running;
      sm.launch = record.launch;
      break;
    case Kind::kSaveStarted:
      if (sm.is_shared) break;  // of the owner, and the guest is shown
      sm.saving_bytes += record.bytes;
      sm.now = small(sm.running);
      break;
    case Kind::kRestoreStarted:
      if (!sm.is_shared || record.launch != sm.launch) sm.now = small(sm.running);
      break;
    case Kind::kRestoreDone:
      sm.now = sm.running;
      break;
    case Kind::kPreemptionRequested:
      if (record.technique == Technique::kDrain) sm.now = '~';
      break;
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      if (record.technique == Technique::kDrain && number::reserved_for(record) == sm.launch)
        sm.now = sm.running;  // cancelled
      if (chooses_victims(record.technique)) apply_sharing(sm, record);
      break;
    case Kind::kPreemptionDone:
      if (sm.is_shared) break;
      [[fallthrough]];
    case Kind::kSmReleased:
      sm.now = '.';
      break;
    default:
      apply_sharing(sm, record);
      break;
  }
}

void TimelineSink::apply_held(SmState& sm) {
  const auto& held = sm.held.held();
  const auto most = std::max_element(
      held.begin(), held.end(), [](const HeldSm::Held& a, const HeldSm::Held& b) { return a.share_ppm < b.share_ppm; });
  sm.now = '.';
  if (most == held.end()) return;
  const char process = letter(launches_.find(most->launch).process, 'A');
  const SmPhase phase = sm.held.phase();
  const bool moves = phase == SmPhase::kSaving || phase == SmPhase::kRestoring;
  sm.now = phase == SmPhase::kDraining ? '~' : moves ? small(process) : process;
}

void TimelineSink::apply_sharing(SmState& sm, const Record& record) {
  const std::uint64_t slot = std::uint64_t{1} << record.slot % 64;
  switch (record.kind) {
    case Kind::kVictimChosen:
      sm.draining = record.technique == Technique::kDrain ? sm.draining | slot : sm.draining & ~slot;
      break;
    case Kind::kVictimLeft:
      sm.draining &= ~slot;
      sm.saving_bytes -= std::min(sm.saving_bytes, record.bytes);
      break;
    case Kind::kPositionGranted:
      if (record.slot == kNoIndex) return;
      if (!sm.is_shared) sm.owner = sm.running;
      sm.is_shared = true;
      sm.running = letter(launches_.find(record.launch).process, 'A');
      break;
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      if (sm.is_shared) sm.running = sm.owner;
      sm.is_shared = false;
      if (number::reserved_for(record) == sm.launch) sm.draining = 0;  // cancelled
      break;
    case Kind::kSmPassed:
      sm = {};
      sm.running = letter(record.process, 'A');
      sm.launch = record.launch;
      break;
    default:
      return;
  }
  const bool shows_owner = !sm.is_shared;
  sm.now = sm.running;
  if (shows_owner && sm.draining != 0) sm.now = '~';
  if (shows_owner && sm.saving_bytes > 0) sm.now = small(sm.running);
}

// Before the first record of an SM there is no picture.
void TimelineSink::withhold(const Record& record) {
  draw_until(from_kernel_, record.cycle);
  draw_until(from_preemption_, record.cycle);
  for (SmState& sm : sms_) {
    if (sm.now == '.' || sm.now == '-') sm.now = number::withheld_sms(record) > 0 ? '-' : '.';
  }
}

void TimelineSink::start_once(Timeline& picture, Cycle cycle) {
  if (picture.rows.empty()) picture = {cycle, cycles_a_column_, std::vector<std::string>(sms_.size())};
}

// Columns that lie before `cycle` show the state as it is now.
void TimelineSink::draw_until(Timeline& picture, Cycle cycle) {
  std::vector<std::string>& rows = picture.rows;
  if (rows.empty()) return;
  while (rows.front().size() < num_columns_ && picture.from + rows.front().size() * cycles_a_column_ < cycle) {
    for (std::size_t i = 0; i < sms_.size(); ++i) rows[i] += sms_[i].now;
  }
}

void TimelineSink::finish(Cycle end) {
  draw_until(from_kernel_, end);
  draw_until(from_preemption_, end);
}

}  // namespace tessera::record
