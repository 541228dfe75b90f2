// SPDX-License-Identifier: Apache-2.0
// The parameters of the clocked machine, computed once from the Spec: those of its core, and the latencies, timers and
// budgets around it. The Verilog core uses the same numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/spec/policies.h"
#include "model/spec/spec_fwd.h"
#include "rtl_model/core_params.h"
#include "rtl_model/sm/microcode.h"

namespace tessera::rtl_model {

// Delays between the core and an SM, in core cycles.
struct LinkDelays {
  Cycle up = 0;    // of events and handles
  Cycle down = 0;  // of commands and dispatches

  bool any() const { return up != 0 || down != 0; }
};

// What a switch of a kept turn takes, in SM cycles.
struct SwitchCycles {
  Cycle preempted = 0;  // something was running
  Cycle dry = 0;        // nothing was
  Cycle in_slice = 0;   // of either, counts for the slice that begins after it
};

// All policies are included, since an experiment may select any at run time.
struct Params : CoreShape {
  explicit Params(const spec::Spec& spec);

  unsigned wait_width;  // width of the core's two latency straps; generous, since latencies are not sizes
  // Core clock cycles per SM clock cycle, which is also the number of TBs that can be issued per SM cycle.
  std::uint32_t clock_ratio;
  bool has_loops;  // there are event-driven kernels, so SMs have loop units
  // The core's part of an SM's latencies (timing.md 7): from the end of a thread block to the next one on the pins, in
  // core cycles; for a batch's last handle, in SM cycles.
  static constexpr std::uint32_t kIssueLead = 6;
  static constexpr std::uint32_t kRestoreLead = 7;
  // The SM's own latencies, in SM cycles.
  std::uint32_t sm_setup_cycles;
  std::uint32_t tb_issue_cycles;
  std::uint32_t pipeline_drain_cycles;
  std::uint32_t trap_entry_cycles;
  std::vector<LinkDelays> links;  // by SM; empty: all are wired to the core
  SwitchCycles switch_cycles;
  Microcode microcode;  // of saves and restores
  // Reset values of the control registers.
  spec::SchedulerSpec scheduler;
  std::vector<std::optional<std::uint32_t>> budgets;   // by context: tokens assigned by the OS
  Cycle slice_cycles;                                  // period of the slice timer
  std::vector<std::optional<Cycle>> own_slice_cycles;  // with a kept turn, by context: its own period
  std::vector<spec::SliceEnd> slice_ends;              // by context
  Cycle linger_cycles;                                 // hold-off of SMs that a kernel leaves; 0: none

  bool has_rounds() const { return is_breadth_first && clock_ratio > 1; }
  CoreParams core() const;  // with the derived straps

  static Cycle slice_cycles_of(const spec::SchedulerSpec& scheduler, std::uint64_t clock_hz);

  std::uint32_t max_num_tbs() const { return 0xFFFFFFFFU >> (32 - tb_width); }  // maximum of a kernel
};

}  // namespace tessera::rtl_model
