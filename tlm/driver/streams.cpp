// SPDX-License-Identifier: Apache-2.0
// The NULL stream's rule.
#include "tlm/driver/streams.h"

namespace tessera::tlm_model {

Streams::Streams(const spec::ApplicationSpec& application, InterruptService& queues, std::uint32_t process)
    : has_null_stream_(application.default_stream == spec::DefaultStream::kLegacy),
      streams_(application.num_streams()),
      events_(application.events.size()) {
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    streams_[i].last.queue = &queues.queue(process, i);
    streams_[i].is_blocking = application.is_blocking(i);
  }
}

std::vector<QueuePlace> Streams::barriers(std::uint32_t stream) {
  std::vector<QueuePlace> barriers;
  if (!has_null_stream_ || !streams_[stream].is_blocking) return barriers;
  Stream& own = streams_[stream];
  if (stream != 0) {
    add_barrier(own, streams_[0].last, own.awaits_of_null, barriers);
    return barriers;
  }
  for (std::size_t i = 1; i < streams_.size(); ++i) {
    if (streams_[i].is_blocking) add_barrier(own, streams_[i].last, streams_[i].awaited_by_null, barriers);
  }
  return barriers;
}

void Streams::add_barrier(const Stream& waiting, const QueuePlace& place, std::uint64_t& told,
                          std::vector<QueuePlace>& barriers) {
  if (place.commands == told) return;
  told = place.commands;
  if (place.queue != waiting.last.queue && !place.is_passed()) barriers.push_back(place);
}

}  // namespace tessera::tlm_model
