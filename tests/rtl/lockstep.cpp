// SPDX-License-Identifier: Apache-2.0
// The core's Verilog and its clocked model in lockstep: random legal traffic into both, and every output pin
// compared in every cycle.
#include <cstdio>
#include <cstdlib>

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/rtl/verilog_core.h"
#include "tests/scheduler/compare.h"
#include "tests/scheduler/tick_in_pick.h"
#include "tests/scheduler/traffic.h"

namespace {
bool has_failed_assertion = false;
}
// Verilator's hook: an assertion of testbench/checkers has failed, and has said so.
void vl_stop(const char*, int, const char*) { has_failed_assertion = true; }

namespace tessera::rtl_model::test {
namespace {

// A core with a fault in it is alone: that it differs from the model is no news.
void run(std::uint64_t seed, std::uint64_t cycles, int fault) {
  Random random(seed);
  CoreParams params = params_of_build(random);
  TrafficProfile profile = TrafficProfile::random(random, seed, params);
  if (KEPT_TURN != 0) {
    add_kept_turn(random, params);
    profile.turn = TurnProfile::random(random);
  }
  Traffic traffic(params, profile);
  TsrScheduler model(params);
  VerilogCore verilog(params, fault);
  for (std::uint64_t t = 0; t < cycles; ++t) {
    if (fault == 0) {
      const std::string differences = compare(model.outputs(), verilog.outputs(), params.num_command_buffers);
      if (!differences.empty()) {
        throw std::runtime_error("cycle " + std::to_string(t) + ": model, Verilog: " + differences);
      }
    }
    SchedulerInputs in;
    try {
      in = traffic.drive(verilog.outputs());
    } catch (...) {
      verilog.step({});  // the checkers look at a cycle when it ends
      throw;
    }
    if (fault == 0) model.step(in);
    verilog.step(in);
    if (has_failed_assertion) throw std::runtime_error("cycle " + std::to_string(t) + ": a checker is not content");
  }
  std::printf("seed %llu: %u kernels, %u saves, %u turns\n", static_cast<unsigned long long>(seed),
              traffic.ledger().num_finished(), traffic.num_saves(), traffic.num_turns());
}

// Directed input, which random traffic rarely is. Whether the core does what the contract says.
bool does_as_said() {
  Random random(1);
  CoreParams params = params_of_build(random);
  params.policy = 0;  // fcfs: one kernel gets all SMs
  params.is_breadth_first = params.issues_in_rounds = true;
  VerilogCore core(params);
  return TickInPick<VerilogCore>(core).run() == kDispatchesOfTickInPick && !has_failed_assertion;
}

}  // namespace
}  // namespace tessera::rtl_model::test

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // who waits for a certain line need not wait for the end
  if (argc == 1) return tessera::rtl_model::test::does_as_said() ? 0 : 1;
  if (argc != 4 && argc != 5) return 2;  // first seed, seeds, cycles; a fault
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const int fault = argc == 5 ? std::atoi(argv[4]) : 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    try {
      tessera::rtl_model::test::run(seed, std::strtoull(argv[3], nullptr, 10), fault);
    } catch (const std::exception& error) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
      if (fault == 0) return 1;
      has_failed_assertion = false;
    }
  }
  return 0;
}
