// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/sm_port.h"

#include <algorithm>
#include <utility>

namespace tessera::testbench {

SmPort::SmPort(const Profile& profile, std::uint64_t seed)
    : links_(profile.sms.links), random_(~seed), sm_(profile, seed) {
  up_.delay = random_.in(0, links_.max_delay);
  down_.delay = random_.in(0, links_.max_delay);
}

// ---- up ------------------------------------------------------------------------------------------------------

void SmPort::begin(Cycle now) {
  if (!links_.are_there) return;
  if (const auto event = sm_.event(now)) {
    push<Report>(now, up_, *event);
    sm_.event_taken(now, event->kind);
  } else if (const auto handle = sm_.handle(now)) {
    push<Report>(now, up_, *handle);
    sm_.handle_taken(now);
  }
}

template <typename Message>
void SmPort::push(Cycle now, Link<Message>& link, Message message) {
  const Cycle arrival = now + link.delay + random_.in(0, links_.jitter);
  link.last_arrival = link.messages.empty() ? arrival : std::max(arrival, link.last_arrival + 1);
  link.messages.emplace_back(link.last_arrival, std::move(message));
}

template <typename Kind>
std::optional<Kind> SmPort::head(Cycle now) const {
  if (up_.messages.empty() || up_.messages.front().first > now) return {};
  const auto* const message = std::get_if<Kind>(&up_.messages.front().second);
  return message != nullptr ? std::optional(*message) : std::nullopt;
}

std::optional<SmAgent::Event> SmPort::event(Cycle now) const {
  return links_.are_there ? head<SmAgent::Event>(now) : sm_.event(now);
}

std::optional<SmAgent::Handle> SmPort::handle(Cycle now) const {
  return links_.are_there ? head<SmAgent::Handle>(now) : sm_.handle(now);
}

void SmPort::event_taken(Cycle now, rtl_model::SmEventKind kind) {
  links_.are_there ? up_.messages.pop_front() : sm_.event_taken(now, kind);
}

void SmPort::handle_taken(Cycle now) { links_.are_there ? up_.messages.pop_front() : sm_.handle_taken(now); }

// ---- down ----------------------------------------------------------------------------------------------------

void SmPort::send_down(Cycle now, Command command) {
  links_.are_there ? push<Command>(now, down_, std::move(command)) : arrive(now, command);
}

void SmPort::end(Cycle now) {
  while (!down_.messages.empty() && down_.messages.front().first <= now) {
    arrive(now, down_.messages.front().second);
    down_.messages.pop_front();
  }
}

void SmPort::arrive(Cycle now, const Command& command) {
  if (const auto* const dispatch = std::get_if<rtl_model::DispatchPins>(&command)) return sm_.receive(now, *dispatch);
  const auto& control = std::get<rtl_model::SmControlPins>(command);
  control.kind == rtl_model::SmControlKind::kSetup ? sm_.set_up(now, control.tag) : sm_.stop(now, control.kind);
}

Cycle SmPort::next_activity() const {
  Cycle next = sm_.next_activity();
  if (!up_.messages.empty()) next = std::min(next, up_.messages.front().first);
  if (!down_.messages.empty()) next = std::min(next, down_.messages.front().first);
  return next;
}

}  // namespace tessera::testbench
