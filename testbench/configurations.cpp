// SPDX-License-Identifier: Apache-2.0
#include "testbench/configurations.h"

#include <fmt/format.h>

#include <stdexcept>

#include "model/spec/names.h"
#include "model/spec/spec.h"

namespace tessera::testbench {
namespace {

constexpr unsigned kWaitWidth = 4;  // holds the latencies of any profile

struct Sizes {
  std::uint32_t num_sms, max_tbs_per_sm, num_ksrs, num_command_buffers, num_contexts, search_width;
  std::uint32_t ptbq_depth = 0;  // 0: all that can be preempted at once
  unsigned tb_width = 32;
  unsigned tag_width = 0;
  bool has_kept_turn = false;
  bool has_refill_lane = false;
};

Configuration make(const std::string& name, const std::string& why, const Sizes& sizes) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.gpu.num_sms = sizes.num_sms;
  spec.gpu.max_tbs_per_sm = sizes.max_tbs_per_sm;
  spec.gpu.framework.num_ksrs = sizes.num_ksrs;
  spec.gpu.framework.num_command_buffers = sizes.num_command_buffers;
  spec.scheduler.search_width = sizes.search_width;
  spec.processes.resize(sizes.num_contexts);
  rtl_model::Params params(spec);
  if (sizes.ptbq_depth != 0) params.ptbq_depth = sizes.ptbq_depth;
  params.tb_width = sizes.tb_width;
  params.tag_width = sizes.tag_width;
  params.has_kept_turn = sizes.has_kept_turn;
  params.has_refill_lane = sizes.has_refill_lane;
  params.wait_width = kWaitWidth;
  params.policies = spec::policy_mask(spec::Cores::kClocked);
  return {name, why, params};
}

std::string name_of(const spec::CoreSpec& core) {
  std::string name = fmt::format("{}x{}_k{}_b{}_c{}_t{}_w{}", core.num_sms, core.max_tbs_per_sm, core.num_ksrs,
                                 core.num_command_buffers, core.num_contexts, core.tb_id_bits, core.search_width);
  if (core.parity_bits != 0) name += "_parity";
  if (core.linger != 0) name += "_linger";
  if (core.kept_turn != 0) name += "_kept";
  if (core.setup_tag_bits != 0) name += fmt::format("_g{}", core.setup_tag_bits);
  if (core.policies.size() == spec::CoreSpec{}.policies.size()) return name;
  for (const spec::PolicyKind policy : core.policies) name += fmt::format("_{}", spec::to_string(policy));
  return name;
}

}  // namespace

Configuration configuration(const spec::CoreSpec& core) {
  Configuration made =
      make(name_of(core), "to be synthesised",
           {core.num_sms, core.max_tbs_per_sm, core.num_ksrs, core.num_command_buffers, core.num_contexts,
            core.search_width, 0, core.tb_id_bits, core.setup_tag_bits, core.kept_turn != 0});
  made.policies = made.params.policies = spec::policy_mask(core.policies);
  return made;
}

std::vector<Configuration> configurations() {
  return {
      make("one_sm", "one SM, two kernels", {1, 4, 2, 2, 2, 1, 0, 32, 1}),
      make("one_of_all", "one of everything", {1, 1, 1, 1, 1, 1, 0, 4, 2, true}),
      make("two_sms", "all SMs pass in one step", {2, 2, 3, 3, 3, 2, 0, 32, 1, true}),
      make("few_ksrs", "fewer KSRs than SMs and contexts", {3, 3, 2, 4, 4, 1, 0, 32, 1, true}),
      make("one_slot", "an SM holds one TB", {4, 1, 4, 4, 3, 1}),
      make("ragged", "the last step of a walk is not full", {5, 4, 5, 5, 5, 2, 0, 16, 2}),
      make("tight", "a PTBQ holds one SM", {6, 4, 6, 6, 4, 4, 4, 8, 1, true}),
      make("all_logic", "small, and yet no logic of the core is idle", {5, 3, 3, 3, 3, 2, 5, 10, 1, true}),
      make("many_ksrs", "more KSRs than SMs, one command buffer", {8, 8, 16, 1, 6, 4, 0, 8, 2, true}),
      make("k20c", "the paper's GPU", {13, 16, 13, 16, 16, 1}),
      make("short_ptbq", "traps wait for room in the PTBQ", {16, 8, 8, 8, 8, 2, 11, 5}),
      make("wide", "tables of more than 32 rows", {33, 4, 33, 12, 11, 4, 0, 32, 3, true}),
      // With a refill lane.
      make("lane_one_sm", "jobs and lane have the same SM", {1, 4, 2, 2, 2, 1, 0, 16, 1, false, true}),
      make("lane_one_slot", "an issue is over after one TB", {4, 1, 3, 4, 3, 1, 0, 16, 2, true, true}),
      make("lane_narrow", "the lane counts all bits, and few TBs", {3, 4, 3, 3, 3, 2, 0, 4, 1, true, true}),
      make("lane_tight", "traps wait for room, beside the lane", {6, 4, 5, 6, 4, 4, 4, 8, 1, true, true}),
      make("lane_many_sms", "an event in most cycles, of few kernels", {12, 5, 4, 4, 4, 4, 0, 32, 3, false, true}),
      make("lane_k20c", "the paper's GPU", {13, 16, 13, 16, 16, 1, 0, 32, 1, true, true}),
  };
}

Configuration configuration(const std::string& name) {
  std::string known;
  for (const Configuration& candidate : configurations()) {
    if (candidate.name == name) return candidate;
    known += (known.empty() ? "" : ", ") + candidate.name;
  }
  throw std::invalid_argument("no configuration '" + name + "' (there are: " + known + ")");
}

std::vector<Configuration> configurations(const std::vector<std::string>& names) {
  if (names.empty()) return configurations();
  std::vector<Configuration> chosen;
  for (const std::string& name : names) chosen.push_back(configuration(name));
  return chosen;
}

}  // namespace tessera::testbench
