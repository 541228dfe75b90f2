// SPDX-License-Identifier: Apache-2.0
// Every command has its doorbell at once.
#include "tlm/driver/pass_through.h"

#include <vector>

#include "model/spec/spec.h"

namespace tessera::tlm_model {

PassThrough::PassThrough(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts) : interrupts_(interrupts) {
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    channels_.push_back({RingWriter(gpu, i), Streams(spec.applications[spec.processes[i].application], interrupts, i)});
  }
}

void PassThrough::open(std::uint32_t) { interrupts_.wait_until_ready(); }

void PassThrough::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool) {
  submit_work(channels_[process], stream, work);
}

void PassThrough::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  Channel& channel = channels_[process];
  if (stream) return wait_for_all(channel, channel.streams.queue(*stream));
  for (std::uint32_t i = 0; i < channel.streams.size(); ++i) request_completion(channel, channel.streams.queue(i));
  std::vector<QueuePlace> places;
  for (std::uint32_t i = 0; i < channel.streams.size(); ++i) {
    HostQueue& queue = channel.streams.queue(i);
    places.push_back({&queue, queue.submitted});
  }
  wait_until_all_passed(places);
}

void PassThrough::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  Channel& channel = channels_[process];
  submit_work(channel, stream, {fence_of(channel.streams.queue(stream))});
  channel.streams.record(event, stream);
}

void PassThrough::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  Channel& channel = channels_[process];
  const std::optional<QueuePlace> place = channel.streams.recorded(event);
  if (!place || place->is_passed() || place->queue == &channel.streams.queue(stream)) return;
  submit_work(channel, stream, {wait_for(*place)});
}

void PassThrough::synchronise_event(std::uint32_t process, std::uint32_t event) {
  if (const std::optional<QueuePlace> place = channels_[process].streams.recorded(event)) wait_until_passed(*place);
}

bool PassThrough::is_idle(std::uint32_t process) {
  Streams& streams = channels_[process].streams;
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    if (streams.queue(i).completed != streams.queue(i).submitted) return false;
  }
  return true;
}

void PassThrough::submit_work(Channel& channel, std::uint32_t stream, const Work& work) {
  HostQueue& queue = channel.streams.queue(stream);
  for (const QueuePlace& place : channel.streams.barriers(stream)) submit_command(channel, queue, {wait_for(place)});
  submit_command(channel, queue, work);
  channel.streams.submitted(stream);
}

void PassThrough::submit_command(Channel& channel, HostQueue& queue, const Work& work) {
  // One entry of the ring is kept for the fence that asks for room.
  if (!RingWriter::has_room(queue, work)) wait_for_all(channel, queue);
  channel.writer.write(queue, work);
  channel.writer.ring(queue);
}

// A fence behind everything submitted so far, unless all of that is known to be done.
void PassThrough::request_completion(Channel& channel, HostQueue& queue) {
  if (queue.completed == queue.submitted) return;
  channel.writer.write(queue, {fence_of(queue)});
  channel.writer.ring(queue);
}

void PassThrough::wait_for_all(Channel& channel, HostQueue& queue) {
  request_completion(channel, queue);
  wait_until_passed({&queue, queue.submitted});
}

}  // namespace tessera::tlm_model
