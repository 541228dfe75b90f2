// SPDX-License-Identifier: Apache-2.0
// From the Spec.
#include "model/record/checks/gloop/gloop_facts.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::record {
namespace {

LoopFacts loop_facts_of(const spec::KernelSpec& kernel, const Clock& clock) {
  const spec::EventDrivenSpec& loops = *kernel.event_driven;
  LoopFacts facts;
  facts.program = cooperative::make_program(loops, clock);
  facts.num_tbs = kernel.num_tbs;
  facts.is_blocking = loops.mode == spec::LoopMode::kBlocking;
  facts.kept_bytes = cooperative::state_bytes(loops.slots, loops.state_bytes_per_slot, false);
  facts.done_bytes = cooperative::state_bytes(loops.slots, loops.state_bytes_per_slot, true);
  facts.least_factor_ppm = workload::kMillion - std::min<std::uint64_t>(kernel.tb_time_spread_ppm, workload::kMillion);
  return facts;
}

}  // namespace

GloopFacts make_gloop_facts(const spec::Spec& spec) {
  GloopFacts facts;
  const Clock clock(spec.gpu.clock_hz);
  bool is_any_event_driven = false;
  for (const spec::ProcessSpec& process : spec.processes) {
    auto& kernels = facts.kernels.emplace_back();
    for (const spec::KernelSpec& kernel : spec.applications[process.application].kernels) {
      kernels.emplace_back();
      if (kernel.event_driven) kernels.back() = loop_facts_of(kernel, clock);
      is_any_event_driven = is_any_event_driven || kernel.event_driven;
    }
  }
  if (!is_any_event_driven) return {};
  if (spec.driver.kind == spec::DriverKind::kGloop) {
    facts.token = cooperative::token_parameters(spec.driver, clock);
  }
  return facts;
}

namespace gloop_check {

const char* to_string(Rule rule) {
  switch (rule) {
    case Rule::kToken:
      return "gloop_token";
    case Rule::kCallbacks:
      return "gloop_callbacks";
    case Rule::kState:
      return "gloop_state";
    case Rule::kKills:
      break;
  }
  return "gloop_kills";
}

}  // namespace gloop_check

}  // namespace tessera::record
