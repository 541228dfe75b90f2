// SPDX-License-Identifier: Apache-2.0
#include "tests/ip/axi_master.h"

namespace tessera::ip {
namespace {

using testbench::Range;

constexpr std::uint32_t kMostPatience = 5000;  // cycles

}  // namespace

Pace any_pace(testbench::Random& random) {
  static constexpr std::array<Range, 4> kGaps = {{{0, 0}, {0, 2}, {0, 20}, {5, 30}}};
  static constexpr std::array<unsigned, 4> kReady = {1000, 1000, 500, 50};
  return {random.of(kGaps), random.of(kGaps), random.of(kGaps), random.of(kReady), random.one_in(2)};
}

void AxiMaster::write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes) {
  writes_.push_back({address, data, strobes});
}

void AxiMaster::read(std::uint32_t address) { reads_.push_back(address); }

// Valid stays until it is accepted.
bool AxiMaster::show(Channel& channel, std::size_t queued) {
  if (channel.is_shown) return true;
  if (channel.next == queued || (!pace_.is_pipelined && channel.next > 0)) return false;
  if (channel.wait > 0) {
    --channel.wait;
    return false;
  }
  channel.is_shown = true;
  return true;
}

AxiInputs AxiMaster::drive() {
  AxiInputs in;
  in.awvalid = show(address_, writes_.size());
  in.wvalid = show(data_, writes_.size());
  in.arvalid = show(read_, reads_.size());
  if (in.awvalid) in.awaddr = writes_[address_.next].address;
  if (in.wvalid) {
    in.wdata = writes_[data_.next].data;
    in.wstrb = writes_[data_.next].strobes;
  }
  if (in.arvalid) in.araddr = reads_[read_.next];
  in.bready = random_.chance(pace_.ready_permille);
  in.rready = random_.chance(pace_.ready_permille);
  return in;
}

void AxiMaster::accept(Channel& channel, const Range& gap) {
  channel.is_shown = false;
  ++channel.next;
  channel.wait = random_.in(gap);
}

void AxiMaster::settle(const AxiInputs& in, const AxiOutputs& out) {
  check(in, out);
  // A response never comes in the cycle of its request: what is owed is what was accepted before.
  if (out.bvalid && in.bready && address_.next > 0 && data_.next > 0) {
    written.push_back({out.bresp != 0, 0});
    writes_.pop_front();
    --address_.next;
    --data_.next;
    patience_ = 0;
  }
  if (out.rvalid && in.rready && read_.next > 0) {
    was_read.push_back({out.rresp != 0, out.rdata});
    reads_.pop_front();
    --read_.next;
    patience_ = 0;
  }
  if (in.awvalid && out.awready) accept(address_, pace_.address_gap);
  if (in.wvalid && out.wready) accept(data_, pace_.data_gap);
  if (in.arvalid && out.arready) accept(read_, pace_.read_gap);
  last_in_ = in;
  last_out_ = out;
}

void AxiMaster::check(const AxiInputs& in, const AxiOutputs& out) {
  const bool writes_are_owed = address_.next > 0 && data_.next > 0;
  expect(!out.bvalid || writes_are_owed, "a write response answers a write that was accepted");
  expect(!out.rvalid || read_.next > 0, "read data answer a read that was accepted");
  expect(out.bresp % 2 == 0 && out.rresp % 2 == 0, "responses are OKAY or SLVERR");
  if (last_out_.bvalid && !last_in_.bready) {
    expect(out.bvalid && out.bresp == last_out_.bresp, "a write response stays until it is taken");
  }
  if (last_out_.rvalid && !last_in_.rready) {
    expect(out.rvalid && out.rresp == last_out_.rresp && out.rdata == last_out_.rdata, "read data stay until taken");
  }
  const bool master_keeps = (!last_in_.awvalid || last_out_.awready || (in.awvalid && in.awaddr == last_in_.awaddr)) &&
                            (!last_in_.wvalid || last_out_.wready || (in.wvalid && in.wdata == last_in_.wdata)) &&
                            (!last_in_.arvalid || last_out_.arready || (in.arvalid && in.araddr == last_in_.araddr));
  expect(master_keeps, "the master keeps its requests until they are accepted");
  expect(is_idle() || ++patience_ < kMostPatience, "every request is answered");
}

void AxiMaster::expect(bool holds, const char* rule) {
  if (!holds && violation_.empty()) violation_ = rule;
}

}  // namespace tessera::ip
