// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/turn_agent.h"

#include <algorithm>

namespace tessera::testbench {

TurnAgent::TurnAgent(const Profile& profile, std::uint64_t seed)
    : profile_(profile.turn),
      is_there_(profile.params.has_kept_turn),
      random_(seed),
      contexts_(is_there_ ? profile.params.num_contexts : 0) {
  for (std::uint32_t i = 0; i < contexts_.size(); ++i) all_.set(i);
  for (Context& context : contexts_) {
    context.waits_until = random_.in(profile_.dry);
    context.listed_until = random_.in(profile_.listed);
  }
}

void TurnAgent::drive(Cycle now, const rtl_model::SchedulerOutputs& out, const rtl_model::SmSet& with_command,
                      rtl_model::SchedulerInputs& in) {
  in.switch_over = false;
  if (!is_there_) return;
  in.switch_over = drive_over(now, out);
  has_settled_ = is_stopped_;
  if (is_stopped_) return in.set_lists({}, all_);
  draw(now);
  with_command_ = with_command;
  rtl_model::SmSet waiting = with_command, listed;
  for (std::uint32_t i = 0; i < contexts_.size(); ++i) {
    if (contexts_[i].waits) waiting.set(i);
    listed.set(i, contexts_[i].is_listed);
  }
  in.set_lists(waiting, listed);
}

void TurnAgent::draw(Cycle now) {
  for (Context& context : contexts_) {
    if (context.waits_until <= now) {
      context.waits = !context.waits;
      context.waits_until = now + 1 + random_.in(context.waits ? profile_.waits : profile_.dry);
    }
    if (context.listed_until > now) continue;
    context.is_listed = !context.is_listed;
    context.listed_until = now + 1 + random_.in(context.is_listed ? profile_.listed : profile_.unlisted);
  }
}

// Strays end with the episode. A switch that a policy write has cut off is over while somebody has the turn, or not
// until the next one begins, in the cycle of its start at the latest.
bool TurnAgent::drive_over(Cycle now, const rtl_model::SchedulerOutputs& out) {
  const bool has_strays = profile_.has_stray_overs && !is_stopped_ && is_switching_;
  bool is_over = over_at_ <= now || (has_strays && random_.one_in(profile_.stray_is_one_in));
  if (is_over && out.slice_timer_enable && random_.one_in(2)) {
    is_over = false;
    over_at_ = kNever;
  }
  if (is_switching_ && out.switch_start) is_over = is_over || random_.one_in(2);
  if (is_over) over_at_ = kNever;
  if (out.switch_start) over_at_ = now + random_.in(profile_.switch_cycles);
  is_switching_ = out.switch_start || (is_switching_ && !is_over);
  return is_over;
}

Cycle TurnAgent::next_activity(const rtl_model::SchedulerInputs& in) const {
  if (!is_there_) return kNever;
  if (is_stopped_) return has_settled_ && !in.lists_change ? over_at_ : 0;
  Cycle next = over_at_;
  for (std::uint32_t i = 0; i < contexts_.size(); ++i) {
    next = std::min(next, contexts_[i].listed_until);
    if (!with_command_.has(i)) next = std::min(next, contexts_[i].waits_until);  // else it is not to be seen
  }
  return next;
}

}  // namespace tessera::testbench
