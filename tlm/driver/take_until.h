// SPDX-License-Identifier: Apache-2.0
// Events of the host that a driver has not looked at yet.
#pragma once

#include <algorithm>
#include <vector>

#include "model/base/time.h"

namespace tessera::tlm_model {

// Those of `events` that happened by then, which leave it.
template <typename Event>
std::vector<Event> take_until(std::vector<Event>& events, Cycle then) {
  const auto first_later =
      std::stable_partition(events.begin(), events.end(), [then](const Event& event) { return event.cycle <= then; });
  std::vector<Event> taken(events.begin(), first_later);
  events.erase(events.begin(), first_later);
  return taken;
}

}  // namespace tessera::tlm_model
