// SPDX-License-Identifier: Apache-2.0
// Waits of processes for places in hardware queues.
#include "tlm/driver/held_driver.h"

#include <vector>

#include "tlm/host/host_threads.h"

namespace tessera::tlm_model {

void HeldDriver::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  const HeldStreams& streams = streams_of(process);
  if (stream) return wait_until_all_passed(streams.all_of(*stream));
  std::vector<QueuePlace> places;
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    const std::vector<QueuePlace> of_stream = streams.all_of(i);
    places.insert(places.end(), of_stream.begin(), of_stream.end());
  }
  wait_until_all_passed(places);
}

void HeldDriver::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  streams_of(process).record(event, stream);
}

void HeldDriver::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  streams_of(process).await(event, stream);
}

void HeldDriver::synchronise_event(std::uint32_t process, std::uint32_t event) {
  wait_until_all_passed(streams_of(process).recorded(event));
}

void HeldDriver::write(RingWriter& writer, HostQueue& queue, const Work& work) {
  const auto has_room = [&] { return RingWriter::has_room(queue, work); };
  if (!has_room()) {
    queue.thread->sleep_until_told([&] {
      while (!has_room()) sc_core::wait(queue.completion);
    });
  }
  writer.write(queue, work);
}

void HeldDriver::write_behind_waits(RingWriter& writer, HeldStreams& streams, std::uint32_t stream, const Work& work,
                                    bool is_flagged) {
  HostQueue& queue = streams.queue(stream);
  for (const QueuePlace& place : streams.take_waits(stream)) write(writer, queue, {wait_for(place)});
  Work flagged = work;
  if (is_flagged) {
    const Command notifier = fence_of(queue);
    flagged.command.flags |= notifier.flags;
    flagged.command.fence_address = notifier.fence_address;
  }
  write(writer, queue, flagged);
}

}  // namespace tessera::tlm_model
