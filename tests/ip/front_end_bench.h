// SPDX-License-Identifier: Apache-2.0
// The front end by itself: a driver on its bus, and a core that takes what it is told when the test likes.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tessera/register_map.h"
#include "tests/ip/axi_master.h"
#include "tests/ip/device_builder.h"

namespace tessera::ip::test {

namespace reg = tlm_model::reg;

class FrontEndBench {
 public:
  explicit FrontEndBench(const Sizes& device_sizes, std::uint32_t strap_policy = 0)
      : sizes(device_sizes), device(make_front_end(sizes)), master(11) {
    in.strap_policy = strap_policy;
    in.buffer_free = (std::uint32_t{1} << sizes.num_command_buffers) - 1;
    device->reset(in);
  }
  ~FrontEndBench() { EXPECT_EQ(master.violation(), ""); }

  void cycle() {
    in.axi = master.drive();
    const FrontEndOutputs out = device->outputs();
    if (watch) watch(out);
    if (out.command.valid) {
      commands.push_back(out.command);
      command_cycles.push_back(now);
      EXPECT_TRUE(in.buffer_free >> out.command.buffer & 1) << "a command goes to a free buffer";
      EXPECT_FALSE(out.control.valid) << "a command overtakes no control write";
    }
    if (out.control.valid && in.control_ready) control_writes.push_back(out.control);
    in.usage.freed &= (2 << num_bits(sizes.num_sms)) - 1;
    device->cycle(in);
    master.settle(in.axi, out.axi);
    ++now;
    // Once it is accepted, the buffer is taken until the test frees it.
    if (out.command.valid) in.buffer_free &= ~(std::uint32_t{1} << out.command.buffer);
    in.kernel_done.valid = false;
    in.usage.valid = false;
    in.events = {};
    in.dispatch = {};
  }
  void cycles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) cycle();
  }
  void finish() {
    while (!master.is_idle() && master.violation().empty()) cycle();
  }

  // True: OKAY.
  bool write(std::uint64_t address, std::uint32_t data, std::uint32_t strobes = 0xF) {
    master.write(static_cast<std::uint32_t>(address), data, strobes);
    finish();
    return !take(master.written).is_error;
  }
  std::uint32_t read_half(std::uint64_t address) {
    master.read(static_cast<std::uint32_t>(address));
    finish();
    const Answer answer = take(master.was_read);
    EXPECT_FALSE(answer.is_error);
    return answer.data;
  }
  std::uint64_t read(std::uint64_t address) {
    const std::uint64_t lower = read_half(address);
    return lower | std::uint64_t{read_half(address + 4)} << 32;
  }
  bool write_register(std::uint64_t address, std::uint64_t value) {
    const bool is_ok = write(address, static_cast<std::uint32_t>(value));
    return write(address + 4, static_cast<std::uint32_t>(value >> 32)) && is_ok;
  }
  static std::uint64_t context(std::uint64_t id, std::uint64_t word) {
    return reg::kContexts + id * reg::kContextStride + word;
  }
  std::uint64_t error() { return read(reg::kError); }
  bool irq() {
    cycles(2);
    return device->outputs().axi.irq;
  }

  // The grid and the descriptor stay as they are; true: the doorbell was taken.
  void describe(std::uint32_t num_tbs, std::uint32_t tbs_per_sm, std::uint64_t descriptor) {
    write_register(reg::kLaunchGrid, num_tbs | std::uint64_t{tbs_per_sm} << 32);
    write_register(reg::kLaunchDescriptor, descriptor);
  }
  bool launch(std::uint32_t context) { return write(reg::kLaunchDoorbell, context); }

  const Sizes sizes;
  FrontEndInputs in;
  std::vector<rtl_model::CommandPins> commands;
  std::vector<std::uint64_t> command_cycles;           // in which they were on the pins, since reset
  std::vector<rtl_model::ControlPins> control_writes;  // taken
  std::unique_ptr<IFrontEnd> device;
  AxiMaster master;
  std::uint64_t now = 0;
  std::function<void(const FrontEndOutputs&)> watch;  // sees each cycle, and may still choose its inputs
};

}  // namespace tessera::ip::test
