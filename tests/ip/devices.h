// SPDX-License-Identifier: Apache-2.0
// The register front end alone, and the IP, Verilated, as C++ sees them: a call per cycle. Outputs are functions of
// registers alone: those of a cycle are known before its inputs.
#pragma once

#include <cstdint>
#include <string>

#include "rtl_model/interfaces/pins.h"

namespace tessera::ip {

struct AxiInputs {
  bool awvalid = false;
  std::uint32_t awaddr = 0;
  bool wvalid = false;
  std::uint32_t wdata = 0;
  std::uint32_t wstrb = 0;
  bool bready = false;
  bool arvalid = false;
  std::uint32_t araddr = 0;
  bool rready = false;
};

struct AxiOutputs {
  bool awready = false;
  bool wready = false;
  bool bvalid = false;
  std::uint32_t bresp = 0;
  bool arready = false;
  bool rvalid = false;
  std::uint32_t rdata = 0;
  std::uint32_t rresp = 0;
  bool irq = false;
};

template <typename Inputs, typename Outputs>
class IDevice {
 public:
  virtual ~IDevice() = default;
  // Holds reset for an edge, with these straps. outputs() are then those of cycle 0.
  virtual void reset(const Inputs& straps) = 0;
  // The edge that ends this cycle, with these inputs. outputs() are then those of the next cycle.
  virtual void cycle(const Inputs& inputs) = 0;
  const Outputs& outputs() const { return outputs_; }

 protected:
  Outputs outputs_;
};

// tsr_axi_lite: the core is the test's to play.
struct FrontEndInputs {
  std::uint32_t strap_policy = 0;
  AxiInputs axi;
  std::uint32_t buffer_free = 0;  // a bit each
  bool control_ready = true;
  rtl_model::KernelDonePins kernel_done;
  rtl_model::DispatchPins dispatch;
  bool sm_tick = false;
  rtl_model::UsagePins usage;  // freed: as the port has it, not signed
  rtl_model::EventPins events;
  bool slice_timer_enable = false;
  std::uint32_t turn = 0;
  bool switch_start = false;
  bool switch_runs = false;
  bool switch_over = false;  // as the core sees it
  bool fault = false;
};
struct FrontEndOutputs {
  AxiOutputs axi;
  rtl_model::CommandPins command;
  rtl_model::ControlPins control;
  std::uint32_t waiting = 0, listed = 0;  // a bit for each of the first 32 contexts
  bool slice_tick = false, switch_over = false;
};
class IFrontEnd : public IDevice<FrontEndInputs, FrontEndOutputs> {
 public:
  // Half a performance counter, behind its back: not soon after a reset.
  virtual void set_counter(std::uint32_t counter, bool is_upper, std::uint32_t value) = 0;
  // The SM cycle that it is now.
  virtual void set_sm_time(std::uint64_t value) = 0;
};

// tsr_ip: the SMs are the test's to play. Commands and control writes are the IP's own.
struct IpInputs {
  std::uint32_t strap_policy = 0;
  bool strap_breadth_first = false;
  AxiInputs axi;
  rtl_model::SchedulerInputs core;
};
struct IpOutputs {
  AxiOutputs axi;
  rtl_model::SchedulerOutputs core;  // without buffer_free; what usage frees is not signed
  std::string messages;              // rules for the core's inputs that were broken
};
using IIp = IDevice<IpInputs, IpOutputs>;

// What a library exports as make_device().
using MakeFrontEnd = IFrontEnd*();
using MakeIp = IIp*();

}  // namespace tessera::ip
