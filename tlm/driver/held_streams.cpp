// SPDX-License-Identifier: Apache-2.0
// Sets of places, of each queue the furthest.
#include "tlm/driver/held_streams.h"

#include <algorithm>
#include <utility>

namespace tessera::tlm_model {
namespace {

// Was it further than what was there?
bool raise_to(std::vector<QueuePlace>& places, const QueuePlace& place) {
  const auto of_queue = [&place](const QueuePlace& other) { return other.queue == place.queue; };
  const auto known = std::find_if(places.begin(), places.end(), of_queue);
  if (known == places.end()) {
    places.push_back(place);
    return true;
  }
  if (known->commands >= place.commands) return false;
  known->commands = place.commands;
  return true;
}

}  // namespace

HeldStreams::HeldStreams(const spec::ApplicationSpec& application, InterruptService& queues, std::uint32_t process)
    : has_null_stream_(application.default_stream == spec::DefaultStream::kLegacy),
      streams_(application.num_streams()),
      events_(application.events.size()) {
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    streams_[i].last.queue = &queues.queue(process, i);
    streams_[i].is_blocking = application.is_blocking(i);
  }
}

std::vector<QueuePlace> HeldStreams::take_waits(std::uint32_t stream) {
  await_null_stream_rule(stream);
  Stream& own = streams_[stream];
  std::vector<QueuePlace> waits;
  for (const QueuePlace& place : std::exchange(own.awaited, {})) {
    if (!place.is_passed() && raise_to(own.told, place)) waits.push_back(place);
  }
  return waits;
}

// A record and a wait are work too, as far as the NULL stream is concerned.
void HeldStreams::record(std::uint32_t event, std::uint32_t stream) {
  await_null_stream_rule(stream);
  events_[event] = all_of(stream);
}

void HeldStreams::await(std::uint32_t event, std::uint32_t stream) {
  await_null_stream_rule(stream);
  await_all(streams_[stream], events_[event]);
}

std::vector<QueuePlace> HeldStreams::all_of(std::uint32_t stream) const {
  std::vector<QueuePlace> places = streams_[stream].awaited;
  places.push_back(streams_[stream].last);
  return places;
}

void HeldStreams::await_null_stream_rule(std::uint32_t stream) {
  if (!has_null_stream_ || !streams_[stream].is_blocking) return;
  if (stream != 0) return await_all(streams_[stream], all_of(0));
  for (std::uint32_t i = 1; i < streams_.size(); ++i) {
    if (streams_[i].is_blocking) await_all(streams_[0], all_of(i));
  }
}

void HeldStreams::await_all(Stream& stream, const std::vector<QueuePlace>& places) {
  for (const QueuePlace& place : places) {
    if (place.queue != stream.last.queue && !place.is_passed()) raise_to(stream.awaited, place);
  }
}

}  // namespace tessera::tlm_model
