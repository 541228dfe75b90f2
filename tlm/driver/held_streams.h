// SPDX-License-Identifier: Apache-2.0
// The streams of a process whose groups a driver holds back (docs/concepts/streams.md). Event records and waits are not
// commands here: a stream's pending waits are a set of queue places after groups, attached to its next group; a
// recorded event is such a set too.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/application_spec.h"
#include "tlm/driver/interrupt_service.h"

namespace tessera::tlm_model {

class HeldStreams {
 public:
  HeldStreams(const spec::ApplicationSpec& application, InterruptService& queues, std::uint32_t process);

  std::uint32_t size() const { return static_cast<std::uint32_t>(streams_.size()); }
  HostQueue& queue(std::uint32_t stream) { return *streams_[stream].last.queue; }

  // The places that the stream's next command must wait for on the GPU; each is returned only once. Places in
  // `queue(stream)` itself are left out, since it is in order.
  std::vector<QueuePlace> take_waits(std::uint32_t stream);
  // Call directly after work was submitted to the stream.
  void submitted(std::uint32_t stream) { streams_[stream].last.commands = queue(stream).submitted; }

  void record(std::uint32_t event, std::uint32_t stream);
  void await(std::uint32_t event, std::uint32_t stream);

  // Once all of these places have passed, everything submitted to the stream, or recorded in the event, is done.
  std::vector<QueuePlace> all_of(std::uint32_t stream) const;
  const std::vector<QueuePlace>& recorded(std::uint32_t event) const { return events_[event]; }

 private:
  struct Stream {
    QueuePlace last;                  // after its last group
    bool is_blocking = false;         // it and the NULL stream wait for each other
    std::vector<QueuePlace> awaited;  // by its next group; at most one per queue, as in all these sets
    std::vector<QueuePlace> told;     // waits that are already in its queue
  };

  void await_null_stream_rule(std::uint32_t stream);
  static void await_all(Stream& stream, const std::vector<QueuePlace>& places);

  bool has_null_stream_;
  std::vector<Stream> streams_;
  std::vector<std::vector<QueuePlace>> events_;  // empty: never recorded
};

}  // namespace tessera::tlm_model
