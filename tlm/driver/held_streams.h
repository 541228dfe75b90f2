// SPDX-License-Identifier: Apache-2.0
// The streams of a process whose groups a driver holds back (docs/concepts/streams.md). Records and waits are no
// commands here: what a stream waits for is a set of places behind groups, which its next group takes along, and so is
// an event.
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

  // What the stream's next command has to wait for on the GPU, each place told once. `queue(stream)` is in order: its
  // own places are left out.
  std::vector<QueuePlace> take_waits(std::uint32_t stream);
  // Work was submitted to the stream, and nothing behind it yet.
  void submitted(std::uint32_t stream) { streams_[stream].last.commands = queue(stream).submitted; }

  void record(std::uint32_t event, std::uint32_t stream);
  void await(std::uint32_t event, std::uint32_t stream);

  // Who waits until all of these have passed has waited for all that was put into the stream, or for the event.
  std::vector<QueuePlace> all_of(std::uint32_t stream) const;
  const std::vector<QueuePlace>& recorded(std::uint32_t event) const { return events_[event]; }

 private:
  struct Stream {
    QueuePlace last;                  // behind its last group
    bool is_blocking = false;         // it and the NULL stream wait for each other
    std::vector<QueuePlace> awaited;  // by its next group; one a queue, as in all of these
    std::vector<QueuePlace> told;     // waits that lie in its queue
  };

  void await_null_stream_rule(std::uint32_t stream);
  static void await_all(Stream& stream, const std::vector<QueuePlace>& places);

  bool has_null_stream_;
  std::vector<Stream> streams_;
  std::vector<std::vector<QueuePlace>> events_;  // never recorded: nothing
};

}  // namespace tessera::tlm_model
