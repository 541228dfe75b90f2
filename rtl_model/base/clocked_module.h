// SPDX-License-Identifier: Apache-2.0
// What every clocked module is: combinational work in a stated order, and a clock edge. Driven by a clock with a
// process per module (clk_i bound), or by one process that calls them in turn (clk_i left open): the same registers
// and the same pins.
#pragma once

#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "rtl_model/base/signal_sink.h"

namespace tessera::rtl_model {

class ClockedModule : public sc_core::sc_module {
 public:
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i;

  explicit ClockedModule(const sc_core::sc_module_name& name) : sc_module(name), clk_i("clk_i") {}

  // Combinational work: outputs and next register values, from registers and inputs. What depends on another module's
  // combinational outputs has a higher level; within a cycle, levels settle one after the other. Levels rise from
  // call to call.
  void at_level(unsigned level, std::function<void()> work) { work_.emplace_back(level, std::move(work)); }
  // The edge: registers take their next values. It looks at pins only, never at another module's registers.
  virtual void seq() = 0;
  virtual void list_signals(ISignalSink& signals) const = 0;

 private:
  void end_of_elaboration() override;
  void on_clock();

  std::vector<std::pair<unsigned, std::function<void()>>> work_;
  std::size_t next_work_ = 0;
  unsigned delta_ = 0;  // since the edge
};

}  // namespace tessera::rtl_model
