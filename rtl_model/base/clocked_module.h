// SPDX-License-Identifier: Apache-2.0
// Base of every clocked module: combinational work in a given order, and a clock edge. Driven either by a clock with
// one process per module (clk_i bound), or by one process that calls the modules in turn (clk_i open), with the same
// registers and pins.
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

  // Combinational work: outputs and next register values, from registers and inputs. Work that depends on another
  // module's combinational outputs needs a higher level; within a cycle, levels are evaluated in order. Levels must
  // ascend from call to call.
  void at_level(unsigned level, std::function<void()> work) { work_.emplace_back(level, std::move(work)); }
  // The edge: registers take their next values. It may read pins, but not another module's registers.
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
