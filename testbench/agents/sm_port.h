// SPDX-License-Identifier: Apache-2.0
// An SM as the networks see it: wired to the core, or at the end of two links (docs/hardware/timing.md 3.11). A link
// takes what the SM shows, and brings it later, in order; so does the other one with what the core sends.
#pragma once

#include <deque>
#include <optional>
#include <variant>

#include "testbench/agents/sm_agent.h"

namespace tessera::testbench {

class SmPort {
 public:
  SmPort(const Profile& profile, std::uint64_t seed);

  // Before anybody looks in cycle `now`: the link takes what the SM shows, one message a cycle.
  void begin(Cycle now);
  // What is there to be taken in cycle `now`.
  std::optional<SmAgent::Event> event(Cycle now) const;
  std::optional<SmAgent::Handle> handle(Cycle now) const;
  Cycle next_activity() const;

  // At the end of cycle `now`: first what was taken in it, then what the core sent, then what arrives.
  void event_taken(Cycle now, rtl_model::SmEventKind kind);
  void handle_taken(Cycle now);
  void send(Cycle now, const rtl_model::SmControlPins& control) { send_down(now, control); }
  void send(Cycle now, const rtl_model::DispatchPins& dispatch) { send_down(now, dispatch); }
  void end(Cycle now);
  void hurry(Cycle now) { sm_.hurry(now); }

 private:
  using Report = std::variant<SmAgent::Event, SmAgent::Handle>;
  using Command = std::variant<rtl_model::SmControlPins, rtl_model::DispatchPins>;
  template <typename Message>
  struct Link {
    Cycle delay = 0;
    std::deque<std::pair<Cycle, Message>> messages;  // by arrival
    Cycle last_arrival = 0;
  };

  template <typename Message>
  void push(Cycle now, Link<Message>& link, Message message);
  void send_down(Cycle now, Command command);
  void arrive(Cycle now, const Command& command);
  template <typename Kind>
  std::optional<Kind> head(Cycle now) const;

  LinkProfile links_;
  Random random_;
  SmAgent sm_;
  Link<Report> up_;
  Link<Command> down_;
};

}  // namespace tessera::testbench
