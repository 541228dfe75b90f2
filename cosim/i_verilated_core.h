// SPDX-License-Identifier: Apache-2.0
// The Verilog core, Verilated, as C++ sees it: the pins of docs/hardware/timing.md, a call per cycle. One
// implementation (cosim/glue/core_glue.cpp) is compiled against the Verilated model of each elaboration, into a shared
// object that exports make_verilated_core().
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::cosim {

// Inputs that an integrator ties off (tsr_scheduler.v): latencies, and what the control registers hold after reset.
struct Straps {
  std::uint32_t policy = 0;  // bits 6:0 as written to the policy register
  std::uint32_t activation_cycles = 1;
  std::uint32_t search_step_cycles = 1;
  bool is_breadth_first = false;
  bool issues_in_rounds = false;  // breadth first, and a core clock faster than the SMs'
  bool lingers = false;           // SMs that a kernel leaves are kept for a while
  std::uint32_t mutant = 0;       // which fault a netlist made for mutation testing shows; 0: none
};

// A signal of the surroundings, to be kept in the same waveform as the core's own.
struct WaveSignal {
  std::string scope;  // instances joined by '.', below the root
  std::string name;
  unsigned width = 1;
  std::function<std::uint64_t()> value;
};

class IVerilatedCore {
 public:
  virtual ~IVerilatedCore() = default;

  // Holds reset for an edge. outputs() are then those of cycle 0.
  virtual void reset(const Straps& straps) = 0;
  // The edge that ends this cycle, with these inputs. outputs() are then those of the next cycle.
  virtual void cycle(const rtl_model::SchedulerInputs& inputs) = 0;
  // Functions of registers alone: they hold for the whole of the cycle.
  virtual const rtl_model::SchedulerOutputs& outputs() const = 0;
  // Registers as they are now. Not const: it may have to settle the model.
  virtual void read(rtl_model::CoreSnapshot& snapshot) = 0;

  // Waveform of all internal signals, `extra` beside them; only in an elaboration built with one. Returns false where
  // it was built without. sample(), before cycle(), keeps this cycle: the registers and `extra` as they are, and the
  // inputs that cycle() brings. Without a cycle() (the clock stands still) no input was valid.
  virtual bool open_wave(const std::string& path, std::vector<WaveSignal> extra) = 0;
  virtual void sample(std::uint64_t time_ps) = 0;
  virtual void close_wave() = 0;

  // Line and toggle counts so far, in Verilator's format; only in an elaboration built with coverage.
  virtual void write_coverage(const std::string& path) = 0;
  // What the first assertion of the bound checkers to fail since the last call said; empty: all hold.
  virtual std::string take_assertion_failure() = 0;
};

using MakeVerilatedCore = IVerilatedCore*();

}  // namespace tessera::cosim
