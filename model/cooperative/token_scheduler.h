// SPDX-License-Identifier: Apache-2.0
// Decides which session may have an event-driven kernel on the GPU ([G16] 3.2.1, 4.1; docs/concepts/gloop.md): one
// token, sessions that wait for it in order of arrival, a threshold and a slice after which its holder is told to
// yield, and what follows if it does not. Integers only, independent of the machine: the caller reports events in order
// of time and asks what is due.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/base/time.h"
#include "model/spec/driver_spec.h"

namespace tessera::cooperative {

using Session = std::uint32_t;

struct TokenParameters {
  Cycle threshold = 0;
  Cycle token_switch = 0;  // time to pass the token between sessions
  Cycle kill = 0;          // timeout after the word to yield
  bool preempts = false;   // a holder that does not yield loses the token; else its kernel is killed
  Cycle slice = kNever;    // time after the grant when a holder must yield, even if nobody waits
};

// For a driver of kind gloop.
TokenParameters token_parameters(const spec::DriverSpec& driver, const Clock& clock);

class ITokenObserver {
 public:
  virtual ~ITokenObserver() = default;
  // The session holds the token from `at` on, which is now or later.
  virtual void on_granted(Session session, Cycle waited, Cycle at) = 0;
  virtual void on_told_to_yield(Session session, Cycle held) = 0;
  virtual void on_killed(Session session) = 0;
  // It waits for the token again although its kernel is still on the GPU.
  virtual void on_revoked(Session session, Cycle held) = 0;
};

class TokenScheduler {
 public:
  TokenScheduler(const TokenParameters& parameters, ITokenObserver& observer)
      : parameters_(parameters), observer_(observer) {}

  void request(Session session, Cycle now);
  // By the holder, or by a session that has lost the token and whose kernel has now left.
  void release(Session session);
  // Performs what is due. Call after all requests and releases of a cycle.
  void schedule(Cycle now);
  // When schedule() must be called without a request or release; kNever: not at all.
  Cycle next_due() const;

  std::optional<Session> holder() const;
  std::size_t num_waiting() const { return waiting_.size(); }

 private:
  struct Waiting {
    Session session = 0;
    Cycle since = 0;
  };
  struct Holder {
    Session session = 0;
    Cycle granted = 0;
    Cycle told = kNever;
    bool is_killed = false;
  };
  Cycle yields_at() const;
  Cycle times_out_at() const;
  void grant(Cycle now);

  TokenParameters parameters_;
  ITokenObserver& observer_;
  std::optional<Holder> holder_;
  std::optional<Session> last_;  // the previous holder
  std::deque<Waiting> waiting_;
};

}  // namespace tessera::cooperative
