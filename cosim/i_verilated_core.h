// SPDX-License-Identifier: Apache-2.0
// C++ interface of the Verilated Verilog core: the pins of docs/hardware/timing.md, one call per cycle. One
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

// Inputs that an integrator ties off (tsr_scheduler.v): latencies, and reset values of the control registers.
struct Straps {
  std::uint32_t policy = 0;  // bits 6:0 as in the policy register
  std::uint32_t activation_cycles = 1;
  std::uint32_t search_step_cycles = 1;
  bool is_breadth_first = false;
  bool issues_in_rounds = false;  // breadth first with a core clock faster than the SMs'
  bool lingers = false;           // hold-off: SMs that a kernel leaves are kept for a while
  std::uint32_t mutant = 0;       // the fault that a netlist for mutation testing shows; 0: none
};

// A signal outside the core, for the same waveform as the core's own.
struct WaveSignal {
  std::string scope;  // instances joined by '.', below the root
  std::string name;
  unsigned width = 1;
  std::function<std::uint64_t()> value;
};

class IVerilatedCore {
 public:
  virtual ~IVerilatedCore() = default;

  // Applies reset for one edge. outputs() are then those of cycle 0.
  virtual void reset(const Straps& straps) = 0;
  // Clocks the edge that ends this cycle, with these inputs. outputs() are then those of the next cycle.
  virtual void cycle(const rtl_model::SchedulerInputs& inputs) = 0;
  // Functions of registers only, so they are stable for the whole cycle.
  virtual const rtl_model::SchedulerOutputs& outputs() const = 0;
  // Whether registers can be read by their names: not in a netlist of gates.
  virtual bool has_registers() const { return true; }
  // The current registers, if there are any. Not const, since it may have to settle the model.
  virtual void read(rtl_model::CoreSnapshot& snapshot) = 0;

  // For tests of what large kernels do: one that was just activated goes on as if so many of its thread blocks had been
  // issued and finished. At least one is left, and no job is under way. Returns false where the core cannot.
  virtual bool start_late(std::uint32_t /*ksr*/, std::uint32_t /*num_tbs*/) { return false; }

  // Waveform of all internal signals and `extra`; only in a build with waves, else returns false. sample(), called
  // before cycle(), records this cycle: the current registers and `extra`, and the inputs of the following cycle().
  // Without a cycle() (clock stopped) no input was valid.
  virtual bool open_wave(const std::string& path, std::vector<WaveSignal> extra) = 0;
  virtual void sample(std::uint64_t time_ps) = 0;
  virtual void close_wave() = 0;

  // Line and toggle counts so far, in Verilator's format; only in an elaboration built with coverage.
  virtual void write_coverage(const std::string& path) = 0;
  // Message of the first assertion of the bound checkers that has failed since the last call; empty: none has.
  virtual std::string take_assertion_failure() = 0;
};

using MakeVerilatedCore = IVerilatedCore*();

}  // namespace tessera::cosim
