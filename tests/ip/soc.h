// SPDX-License-Identifier: Apache-2.0
// A small SoC: the IP, a host on its bus, SMs that take any time that docs/hardware/timing.md allows, timers of slices
// and switches.
#pragma once

#include <functional>

#include "model/base/sm_usage.h"
#include "testbench/agents/sm_ports.h"
#include "tests/ip/axi_master.h"
#include "tests/ip/device_builder.h"
#include "tests/ip/kernel_ledger.h"
#include "tests/ip/turn_ledger.h"

namespace tessera::ip {

class Soc {
 public:
  static constexpr Sizes kSizes = with_everything();
  static constexpr Cycle kLongestLinger = 500;
  static std::uint64_t page_table(std::uint32_t context) { return 0x1234'5678'9ABC'0000 + context; }

  // `has_timers`: it ends slices and switches itself, after any time; else the IP's timers do.
  explicit Soc(std::uint64_t seed, bool has_timers = true);

  void cycle();
  bool irq() const { return ip_->outputs().axi.irq; }
  // What went wrong first: on the bus, with a thread block, or because nothing happens any more; empty: nothing.
  std::string violation() const;

  AxiMaster master;
  KernelLedger ledger;
  TurnLedger turns{kSizes.num_contexts};
  SmUsage usage{kSizes.num_contexts};  // what the core has shown

 private:
  void count_usage(const rtl_model::UsagePins& pins);
  void drive_timers(const rtl_model::SchedulerOutputs& out);

  testbench::Random random_;
  testbench::SmPorts sms_;
  std::unique_ptr<IIp> ip_;
  IpInputs in_;
  bool has_timers_;
  Cycle now_ = 0;
  Cycle tick_at_ = kNever;
  Cycle linger_ends_at_ = kNever;
  Cycle switch_ends_at_ = kNever;
};

}  // namespace tessera::ip
