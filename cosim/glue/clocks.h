// SPDX-License-Identifier: Apache-2.0
// The clock pins of the core: its own, and those of its blocks (docs/hardware/rtl.md), which are raised only in cycles
// in which a block may change. So a block at rest is not evaluated.
#pragma once

#include "Vtsr_core.h"
#include "Vtsr_core___024root.h"
#include "core_config.h"
#include "rtl_model/interfaces/pins.h"

// Whether the parts of eval() are those of this Verilator, and all that there is to a rising edge.
#define TESSERA_HAS_PARTS_OF_EVAL \
  (VERILATOR_VERSION_INTEGER == 5006000 && !VM_COVERAGE && !VM_TRACE && !TESSERA_HAS_ASSERTIONS)
#if TESSERA_HAS_PARTS_OF_EVAL
void Vtsr_core___024root___eval_triggers__act(Vtsr_core___024root*);  // which clocks have risen
void Vtsr_core___024root___eval_nba(Vtsr_core___024root*);            // what follows
#endif

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

// A rising edge with the inputs of the last one: what follows from them is not worked out again.
inline void eval_with_same_inputs(Vtsr_core& top) {
#if TESSERA_HAS_PARTS_OF_EVAL
  Vtsr_core___024root& root = *top.rootp;
  Vtsr_core___024root___eval_triggers__act(&root);
  root.__VnbaTriggered = root.__VactTriggered;
  Vtsr_core___024root___eval_nba(&root);
#else
  top.eval();
#endif
}

}  // namespace tessera::cosim
