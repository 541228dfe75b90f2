// SPDX-License-Identifier: Apache-2.0
// An AXI4-Lite master: carries out reads and writes, with handshakes as early or as late as its pace says, and holds
// the slave to the rules of the protocol.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "testbench/random.h"
#include "tests/ip/devices.h"

namespace tessera::ip {

struct Answer {
  bool is_error = false;
  std::uint32_t data = 0;  // of a read
};

// The last of them, and none is left; without one the bus is stuck, and its master says so.
inline Answer take(std::deque<Answer>& answers) {
  const Answer last = answers.empty() ? Answer{} : answers.back();
  answers.clear();
  return last;
}

struct Pace {
  testbench::Range address_gap, data_gap, read_gap;  // cycles between a request and the next in its channel
  unsigned ready_permille;                           // chance that a response is taken in a cycle
  bool is_pipelined;                                 // requests do not wait for the responses to those before
};
inline constexpr Pace kFast{{0, 0}, {0, 0}, {0, 0}, 1000, true};
Pace any_pace(testbench::Random& random);

class AxiMaster {
 public:
  explicit AxiMaster(std::uint64_t seed) : random_(seed) {}

  void set_pace(const Pace& pace) { pace_ = pace; }
  // In the order of the calls; reads and writes side by side.
  void write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes = 0xF);
  void read(std::uint32_t address);
  bool is_idle() const { return writes_.empty() && reads_.empty(); }
  std::deque<Answer> written;  // responses; the caller takes them away
  std::deque<Answer> was_read;

  // Inputs of a cycle, and its end with the outputs that it had.
  AxiInputs drive();
  void settle(const AxiInputs& in, const AxiOutputs& out);
  // The rule that was broken first; empty: none.
  const std::string& violation() const { return violation_; }

 private:
  struct Write {
    std::uint32_t address, data, strobes;
  };
  // Requests of a channel: the next to be shown, and how long until then.
  struct Channel {
    std::size_t next = 0;  // in the queue, whose front has no response yet
    std::uint64_t wait = 0;
    bool is_shown = false;
  };
  bool show(Channel& channel, std::size_t queued);
  void accept(Channel& channel, const testbench::Range& gap);
  void check(const AxiInputs& in, const AxiOutputs& out);
  void expect(bool holds, const char* rule);

  Pace pace_ = kFast;
  testbench::Random random_;
  std::deque<Write> writes_;
  std::deque<std::uint32_t> reads_;
  Channel address_, data_, read_;
  AxiInputs last_in_;
  AxiOutputs last_out_;
  std::uint32_t patience_ = 0;  // cycles without a response
  std::string violation_;
};

}  // namespace tessera::ip
