// SPDX-License-Identifier: Apache-2.0
// The streams of a process as the host knows them: what was put where, and who has to wait for whom
// (docs/concepts/streams.md). Everything waits only for what was submitted before it, so no two streams can wait for
// each other.
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

  // What the NULL stream's rule has the next piece of work of `stream` wait for, each place told once. `queue(stream)`
  // is in order: its own places are left out.
  std::vector<QueuePlace> barriers(std::uint32_t stream);
  // Work was submitted to the stream, and nothing behind it yet.
  void submitted(std::uint32_t stream) { streams_[stream].last.commands = queue(stream).submitted; }

  void record(std::uint32_t event, std::uint32_t stream) { events_[event] = streams_[stream].last; }
  std::optional<QueuePlace> recorded(std::uint32_t event) const { return events_[event]; }  // none yet: nothing

 private:
  struct Stream {
    QueuePlace last;                    // behind its last piece of work
    bool is_blocking = false;           // it and the NULL stream wait for each other
    std::uint64_t awaited_by_null = 0;  // last.commands that the NULL stream waits for
    std::uint64_t awaits_of_null = 0;   // the NULL stream's that this one waits for
  };
  void add_barrier(const Stream& waiting, const QueuePlace& place, std::uint64_t& told,
                   std::vector<QueuePlace>& barriers);

  bool has_null_stream_;
  std::vector<Stream> streams_;
  std::vector<std::optional<QueuePlace>> events_;
};

}  // namespace tessera::tlm_model
