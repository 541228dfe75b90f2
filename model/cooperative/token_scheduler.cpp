// SPDX-License-Identifier: Apache-2.0
// The threshold runs from the later one of grant and request: by the waiter's clock alone a third session would have
// the second one suspended on its grant.
#include "model/cooperative/token_scheduler.h"

#include <algorithm>

namespace tessera::cooperative {

// A threshold of no whole cycle would have a kernel yield that has not begun.
TokenParameters token_parameters(const spec::DriverSpec& driver, const Clock& clock) {
  return {std::max<Cycle>(1, clock.cycles_in(driver.threshold)), clock.cycles_in(driver.token_switch),
          std::max<Cycle>(1, clock.cycles_in(driver.kill)), driver.on_timeout == spec::OnTimeout::kPreempt,
          driver.slice == 0 ? kNever : std::max<Cycle>(1, clock.cycles_in(driver.slice))};
}

void TokenScheduler::request(Session session, Cycle now) { waiting_.push_back({session, now}); }

void TokenScheduler::release(Session session) {
  if (holder_ && holder_->session == session) {
    last_ = session;
    holder_.reset();
    return;
  }
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                [session](const Waiting& waiting) { return waiting.session == session; }),
                 waiting_.end());
}

void TokenScheduler::schedule(Cycle now) {
  // 1. The holder is told, once.
  if (yields_at() <= now) {
    holder_->told = now;
    observer_.on_told_to_yield(holder_->session, now - holder_->granted);
  }
  // 2. It had time enough.
  if (times_out_at() <= now) {
    if (parameters_.preempts) {
      const Holder lost = *holder_;
      last_ = lost.session;
      holder_.reset();
      waiting_.push_back({lost.session, now});
      observer_.on_revoked(lost.session, now - lost.granted);
    } else {
      holder_->is_killed = true;
      observer_.on_killed(holder_->session);
    }
  }
  // 3. A free token goes to who waits longest.
  if (!holder_ && !waiting_.empty()) grant(now);
}

void TokenScheduler::grant(Cycle now) {
  const Waiting next = waiting_.front();
  waiting_.pop_front();
  const Cycle at = now + (last_ && *last_ != next.session ? parameters_.token_switch : 0);
  holder_ = {next.session, at, kNever, false};
  observer_.on_granted(next.session, at - next.since, at);
}

Cycle TokenScheduler::yields_at() const {
  if (!holder_ || holder_->told != kNever) return kNever;
  const Cycle of_slice = parameters_.slice == kNever ? kNever : holder_->granted + parameters_.slice;
  if (waiting_.empty()) return of_slice;
  return std::min(of_slice, std::max(holder_->granted, waiting_.front().since) + parameters_.threshold);
}

Cycle TokenScheduler::times_out_at() const {
  // Of a slice that is over while nobody waits nothing follows.
  if (!holder_ || holder_->told == kNever || holder_->is_killed || waiting_.empty()) return kNever;
  return std::max(holder_->told, waiting_.front().since) + parameters_.kill;
}

Cycle TokenScheduler::next_due() const { return std::min(yields_at(), times_out_at()); }

std::optional<Session> TokenScheduler::holder() const {
  return holder_ ? std::optional(holder_->session) : std::nullopt;
}

}  // namespace tessera::cooperative
