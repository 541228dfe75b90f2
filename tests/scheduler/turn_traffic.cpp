// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/turn_traffic.h"

#include <algorithm>
#include <array>

namespace tessera::rtl_model::test {

TurnProfile TurnProfile::random(Random& random) {
  TurnProfile profile;
  profile.waits = random.of(std::array{0U, 2U, 10U, 50U});
  profile.run_lists = random.of(std::array{0U, 0U, 1U, 5U});
  profile.slice_end_writes = random.of(std::array{0U, 2U, 10U});
  profile.wait = {1, random.of(std::array{3U, 50U, 500U})};
  profile.away = {1, random.of(std::array{2U, 100U, 400U})};
  profile.switches = {0, random.of(std::array{1U, 20U, 200U})};
  profile.slice = {1, random.of(std::array{30U, 300U, 3000U})};
  return profile;
}

TurnTraffic::TurnTraffic(std::uint32_t num_contexts, const TurnProfile& profile, Random& random)
    : profile_(profile), random_(random), waiting_(num_contexts), away_(num_contexts) {}

void TurnTraffic::drive(const SchedulerOutputs& out, std::uint64_t now, bool is_calm, SchedulerInputs& in) {
  in.waiting = in.listed = {};
  for (std::uint32_t c = 0; c < waiting_.size(); ++c) {
    if (is_calm) waiting_[c] = away_[c] = {};
    if (!is_calm && random_.chance(profile_.waits)) waiting_[c].until = now + random_.in(profile_.wait);
    if (!is_calm && random_.chance(profile_.run_lists)) away_[c].until = now + random_.in(profile_.away);
    if (waiting_[c].is_up(now)) in.waiting.set(c);
    if (!away_[c].is_up(now)) in.listed.set(c);
  }
  in.lists_change = in.waiting != waiting_before_ || in.listed != listed_before_;
  waiting_before_ = in.waiting;
  listed_before_ = in.listed;

  if (out.events.turn_began) ++num_turns_;
  if (out.switch_start) switch_ends_at_ = now + random_.in(profile_.switches);
  in.switch_over = now == switch_ends_at_;
  if (in.switch_over && out.switch_start) ++switch_ends_at_;  // shown, without effect: it comes again

  if (out.slice_timer_enable && !was_enabled_) slice_ends_at_ = now + random_.in(profile_.slice);
  was_enabled_ = out.slice_timer_enable;
  if (out.slice_timer_enable && now == slice_ends_at_) {
    in.slice_tick = true;
    slice_ends_at_ = now + random_.in(profile_.slice);
  }
}

bool TurnTraffic::is_at_rest(std::uint64_t now) const {
  constexpr std::uint64_t kUntilSeen = 4;  // what was down before has been seen by now
  const auto is_down = [now](const Level& level) { return level.until + kUntilSeen < now; };
  return switch_ends_at_ + kUntilSeen < now && !was_enabled_ &&
         std::all_of(waiting_.begin(), waiting_.end(), is_down) && std::all_of(away_.begin(), away_.end(), is_down);
}

std::uint32_t TurnTraffic::random_fields() { return random_.of(std::array{0U, 1U, 2U, 3U, 3U, 3U}) << 14; }

ControlPins TurnTraffic::random_write() {
  if (!random_.chance(profile_.slice_end_writes)) return {};
  const auto context = random_.in32(0, static_cast<std::uint32_t>(waiting_.size()) - 1);
  return {true, ControlRegister::kSliceEnd, context, random_.next() << 2 | random_.in(0, 3)};
}

void add_kept_turn(Random& random, CoreParams& params) {
  params.has_kept_turn = true;
  constexpr std::uint32_t kTimeSlice = 4;
  if ((params.policies >> kTimeSlice & 1) == 0 || random.one_in(4)) return;
  params.policy = (params.policy & ~15U) | kTimeSlice | random.of(std::array{1U, 3U, 3U}) << 14;
}

}  // namespace tessera::rtl_model::test
