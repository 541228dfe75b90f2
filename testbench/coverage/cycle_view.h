// SPDX-License-Identifier: Apache-2.0
// A cycle as the coverpoints look at it: pins, registers, and the cycle before.
#pragma once

#include <vector>

#include "testbench/coverage/register_probe.h"
#include "testbench/scoreboard.h"

namespace tessera::testbench {

// What is kept of the cycle before.
struct CycleBefore {
  rtl_model::SchedulerInputs in;
  rtl_model::SchedulerOutputs out;
  SearchView search;
  std::vector<SmPhase> phases;  // by SM
};

struct CycleView {
  const rtl_model::Params& params;
  const rtl_model::SchedulerInputs& in;
  const rtl_model::SchedulerOutputs& out;
  const rtl_model::Tables& tables;  // registers, before the edge
  const RegisterProbe& probe;
  const Scoreboard& board;  // this cycle included
  const SearchView& search;
  const rtl_model::SmControlPins& sent;  // chosen in this cycle: on the pins in the next
  const std::vector<SmPhase>& phases;
  const std::uint32_t policy;  // the policy register, bits 6:0
  const CycleBefore& before;
  const bool has_changed;  // something came or went at the last edge; else only the search may have moved

  bool takes_event() const { return in.sm_event.valid && out.sm_event_ready; }
  bool takes(rtl_model::SmEventKind kind) const { return takes_event() && in.sm_event.kind == kind; }
  // A write that comes before a decision of its cycle.
  bool has_write() const { return in.control.valid && in.control.reg != rtl_model::ControlRegister::kPageTable; }
  bool sends(rtl_model::SmControlKind kind, std::uint32_t sm) const {
    return sent.valid && sent.kind == kind && sent.sm == sm;
  }
  bool writes(rtl_model::ControlRegister reg) const { return in.control.valid && in.control.reg == reg; }
};

}  // namespace tessera::testbench
