// SPDX-License-Identifier: Apache-2.0
// The streams of a process as the host sees them: their places in hardware queues and the waits between them
// (docs/concepts/streams.md). Work waits only for work submitted earlier, so streams cannot deadlock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/spec/application_spec.h"
#include "tlm/driver/interrupt_service.h"

namespace tessera::tlm_model {

class Streams {
 public:
  Streams(const spec::ApplicationSpec& application, InterruptService& queues, std::uint32_t process);

  std::uint32_t size() const { return static_cast<std::uint32_t>(streams_.size()); }
  HostQueue& queue(std::uint32_t stream) { return *streams_[stream].last.queue; }

  // The places that the next work of `stream` must wait for under the NULL stream's rule; each is returned only once.
  // Places in `queue(stream)` itself are left out, since it is in order.
  std::vector<QueuePlace> barriers(std::uint32_t stream);
  // Call directly after work was submitted to the stream.
  void submitted(std::uint32_t stream) { streams_[stream].last.commands = queue(stream).submitted; }

  void record(std::uint32_t event, std::uint32_t stream) { events_[event] = streams_[stream].last; }
  std::optional<QueuePlace> recorded(std::uint32_t event) const { return events_[event]; }  // empty: not recorded yet

 private:
  struct Stream {
    QueuePlace last;                    // after its last piece of work
    bool is_blocking = false;           // it and the NULL stream wait for each other
    std::uint64_t awaited_by_null = 0;  // last.commands that the NULL stream waits for
    std::uint64_t awaits_of_null = 0;   // the NULL stream's last.commands that this one waits for
  };
  void add_barrier(const Stream& waiting, const QueuePlace& place, std::uint64_t& told,
                   std::vector<QueuePlace>& barriers);

  bool has_null_stream_;
  std::vector<Stream> streams_;
  std::vector<std::optional<QueuePlace>> events_;
};

}  // namespace tessera::tlm_model
