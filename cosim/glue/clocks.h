// SPDX-License-Identifier: Apache-2.0
// The clock pins of the core: its own, and those of its blocks (docs/hardware/rtl.md), which are raised only in cycles
// in which a block may change. So a block at rest is not evaluated.
#pragma once

#include "Vtsr_core.h"
#include "Vtsr_core___024root.h"
#include "core_config.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::cosim {

inline void raise_all_clocks(Vtsr_core& top) {
  top.clk_i = 1;
#if TESSERA_HAS_BLOCK_CLOCKS
  top.clk_search_i = top.clk_tables_i = top.clk_rings_i = top.clk_row_i = 1;
#endif
}

// For the cycle with these inputs: a block acts by its registers, or because it hears one of them.
inline void raise_clocks(Vtsr_core& top, const rtl_model::SchedulerInputs& in) {
  top.clk_i = 1;
#if TESSERA_HAS_BLOCK_CLOCKS
  const bool is_invoked = in.command.valid || in.control.valid || in.slice_tick || in.linger_over || in.switch_over;
  top.clk_search_i = top.search_acts_o || is_invoked;
  top.clk_tables_i = top.tables_act_o || in.control.valid;
  top.clk_rings_i = top.rings_act_o || in.handle.valid;
  top.clk_row_i = top.row_acts_o;
#endif
}

inline void lower_clocks(Vtsr_core& top) {
  top.clk_i = 0;
#if TESSERA_HAS_BLOCK_CLOCKS
  top.clk_search_i = top.clk_tables_i = top.clk_rings_i = top.clk_row_i = 0;
#endif
}

// Where we know how this Verilator remembers clocks, it is made to forget that they were high: the falling edge then
// needs no evaluation. False: it does.
template <typename Root>
auto forget_clocks(Root& root, int) -> decltype(root.__Vtrigrprev__TOP__clk_i, true) {
  root.__Vtrigrprev__TOP__clk_i = 0;
#if TESSERA_HAS_BLOCK_CLOCKS
  root.__Vtrigrprev__TOP__clk_search_i = 0;
  root.__Vtrigrprev__TOP__clk_tables_i = 0;
  root.__Vtrigrprev__TOP__clk_rings_i = 0;
  root.__Vtrigrprev__TOP__clk_row_i = 0;
#endif
  return true;
}
template <typename Root>
bool forget_clocks(Root&, long) {
  return false;
}

}  // namespace tessera::cosim
