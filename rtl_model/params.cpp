// SPDX-License-Identifier: Apache-2.0
// From the Spec's microarchitecture to counts and widths.
#include "rtl_model/params.h"

#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "rtl_model/base/field.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model {
namespace {

constexpr std::uint32_t kMaxCommandBuffers = 256;  // contexts have no use for more
static_assert(CoreShape::kMaxTagWidth == spec::kMaxSetupTagBits);

// Tables of dues and of partitions cost every cycle of a simulation: a core has them where a policy of the experiment
// needs them. All other policies are there: experiments share a core.
std::uint32_t policies_of(const spec::Spec& spec) {
  std::uint32_t used = spec::policy_mask({spec.scheduler.policy});
  if (spec.baseline) used |= spec::policy_mask({spec.baseline->policy});
  std::uint32_t policies = spec::policy_mask(spec::Cores::kClocked);
  for (std::uint32_t code = 0; code < spec::kNumPolicyCodes; ++code) {
    const std::uint32_t policy = 1U << code & policies;
    if (have_dues(policy) && !have_dues(used) || have_partitions(policy) && !have_partitions(used)) policies &= ~policy;
  }
  return policies;
}

CoreShape core_shape(const spec::Spec& spec) {
  CoreShape core;
  core.num_sms = spec.gpu.num_sms;
  core.max_tbs_per_sm = spec.gpu.max_tbs_per_sm;
  core.num_ksrs = spec.gpu.framework.num_ksrs;
  core.num_command_buffers = std::min(spec.gpu.framework.num_command_buffers, kMaxCommandBuffers);
  core.num_contexts = static_cast<std::uint32_t>(spec.processes.size());
  core.ptbq_depth = core.num_sms * core.max_tbs_per_sm;  // holds whatever can be preempted at once
  core.tb_width = spec.gpu.framework.tb_id_bits;
  core.search_width = spec.scheduler.search_width;
  core.tag_width = spec.gpu.framework.setup_tag_bits;
  core.has_refill_lane = spec.gpu.framework.refill_lane;
  core.search_step_cycles = std::max(1U, spec.gpu.framework.search_entry_cycles * spec.scheduler.tbs_per_cycle);
  core.activation_cycles = std::max(1U, static_cast<std::uint32_t>(spec::given_activation_cycles(spec)));
  core.has_kept_turn = spec::keeps_turn(spec.scheduler) || (spec.baseline && spec::keeps_turn(*spec.baseline));
  core.policies = policies_of(spec);
  core.is_breadth_first = spec.scheduler.fill == spec::Fill::kBreadthFirst;
  return core;
}

std::vector<LinkDelays> link_delays(const spec::LinkSpec& sm_cycles, Cycle clock_ratio) {
  std::vector<LinkDelays> links;
  for (std::size_t sm = 0; sm < sm_cycles.up.size(); ++sm) {
    links.push_back({sm_cycles.up[sm] * clock_ratio, sm_cycles.down[sm] * clock_ratio});
  }
  return links;
}

SwitchCycles switch_cycles_of(const spec::GpuSpec& gpu) {
  const spec::GpuSwitchSpec& costs = gpu.framework.gpu_switch;
  const Clock clock(gpu.clock_hz);
  return {clock.cycles_in(costs.preempted), clock.cycles_in(costs.dry), clock.cycles_in(costs.in_slice)};
}

Cycle cycles_of(Picoseconds slice, std::uint64_t clock_hz) {
  return std::max<Cycle>(1, Clock(clock_hz).cycles_in(slice));
}

}  // namespace

Params::Params(const spec::Spec& spec)
    : CoreShape(core_shape(spec)),
      wait_width(std::max(8U, bits_for_value(std::max(activation_cycles, search_step_cycles)))),
      clock_ratio(spec.scheduler.tbs_per_cycle),
      has_loops(std::any_of(spec.applications.begin(), spec.applications.end(),
                            [](const auto& application) { return application.has_event_driven_kernels(); })),
      sm_setup_cycles(spec.gpu.framework.sm_setup_cycles),
      tb_issue_cycles(spec.gpu.framework.tb_issue_cycles),
      pipeline_drain_cycles(spec.gpu.framework.pipeline_drain_cycles),
      trap_entry_cycles(spec.gpu.framework.trap_entry_cycles),
      links(link_delays(spec.gpu.framework.link_cycles, clock_ratio)),
      switch_cycles(switch_cycles_of(spec.gpu)),
      microcode(spec.gpu),
      scheduler(spec.scheduler),
      slice_cycles(slice_cycles_of(spec.scheduler, spec.gpu.clock_hz)),
      linger_cycles(spec::linger_cycles(spec)) {
  for (const spec::ProcessSpec& process : spec.processes) {
    budgets.push_back(process.tokens);
    slice_ends.push_back(process.slice_end);
    own_slice_cycles.emplace_back();
    if (process.time_slice) own_slice_cycles.back() = cycles_of(*process.time_slice, spec.gpu.clock_hz);
  }
}

CoreParams Params::core() const { return {*this, policy_register(scheduler), has_rounds(), linger_cycles > 0}; }

Cycle Params::slice_cycles_of(const spec::SchedulerSpec& scheduler, std::uint64_t clock_hz) {
  return cycles_of(scheduler.time_slice, clock_hz);
}

}  // namespace tessera::rtl_model
