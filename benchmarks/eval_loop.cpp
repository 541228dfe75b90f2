// SPDX-License-Identifier: Apache-2.0
// A bare loop of eval().
#include "Vraw.h"
#include "measurement.h"
#include "verilated_loops.h"

namespace tessera::bench {

LoopResult eval_loop(const Stimulus& stimulus) {
  Vraw top;
  tie_off(top);
  const auto edge = [&] {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  };
  top.rst_ni = 0;
  top.eval();  // the first one takes the clock as it is: no edge
  edge();
  top.rst_ni = 1;
  LoopResult result;
  const double start = cpu_seconds();
  replay(stimulus, [&](const rtl_model::SchedulerInputs& inputs) {
    result.num_dispatches += top.dispatch_valid_o;
    drive(top, inputs);
    edge();
  });
  result.seconds = cpu_seconds() - start;
  return result;
}

}  // namespace tessera::bench
