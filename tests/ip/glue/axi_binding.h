// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite on the ports of a Verilated model, and its clock.
#pragma once

#include "Vdevice.h"
#include "tests/ip/devices.h"

namespace tessera::ip {

inline void drive(Vdevice& top, const AxiInputs& in) {
  top.axi_awvalid_i = in.awvalid;
  top.axi_awaddr_i = static_cast<SData>(in.awaddr);
  top.axi_wvalid_i = in.wvalid;
  top.axi_wdata_i = in.wdata;
  top.axi_wstrb_i = static_cast<CData>(in.wstrb);
  top.axi_bready_i = in.bready;
  top.axi_arvalid_i = in.arvalid;
  top.axi_araddr_i = static_cast<SData>(in.araddr);
  top.axi_rready_i = in.rready;
}

inline void show(const Vdevice& top, AxiOutputs& out) {
  out = {top.axi_awready_o != 0, top.axi_wready_o != 0, top.axi_bvalid_o != 0, top.axi_bresp_o, top.axi_arready_o != 0,
         top.axi_rvalid_o != 0,  top.axi_rdata_o,       top.axi_rresp_o,       top.irq_o != 0};
}

inline void edge(Vdevice& top) {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

// What holds no reset value is anything.
inline void make_unknown(VerilatedContext& context) {
  context.randReset(2);
  context.randSeed(7);
}

}  // namespace tessera::ip
