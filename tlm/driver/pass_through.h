// SPDX-License-Identifier: Apache-2.0
// The driver that passes commands through: processes write rings and doorbells themselves, as with user-level
// submission, and use fences to learn of the GPU's progress.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/spec/spec_fwd.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/interrupt_service.h"
#include "tlm/driver/ring_writer.h"
#include "tlm/driver/streams.h"

namespace tessera::tlm_model {

class PassThrough final : public IDriver {
 public:
  PassThrough(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts);

  void open(std::uint32_t process) override;
  void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) override;
  void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) override;
  void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void synchronise_event(std::uint32_t process, std::uint32_t event) override;

  bool is_idle(std::uint32_t process);  // everything that it submitted is known to be done

 private:
  struct Channel {
    RingWriter writer;
    Streams streams;
  };

  static void submit_work(Channel& channel, std::uint32_t stream, const Work& work);
  static void submit_command(Channel& channel, HostQueue& queue, const Work& work);
  static void request_completion(Channel& channel, HostQueue& queue);
  static void wait_for_all(Channel& channel, HostQueue& queue);

  InterruptService& interrupts_;
  std::deque<Channel> channels_;  // by process
};

}  // namespace tessera::tlm_model
