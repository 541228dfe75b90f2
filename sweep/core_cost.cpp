// SPDX-License-Identifier: Apache-2.0
// Netlists and decisions are tasks of the worker pool: a clocked simulation needs a process of its own.
#include "sweep/core_cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/spec/core_cycles.h"
#include "model/spec/names.h"
#include "model/spec/policies.h"
#include "model/storage/framework_storage.h"
#include "platform/worker_pool.h"
#include "synthesis/core_experiment.h"
#include "synthesis/flow.h"

namespace tessera::sweep {
namespace {

storage::CoreSizes sizes_of(const spec::Spec& spec) {
  storage::CoreSizes sizes(spec.gpu);
  sizes.search_width = spec.scheduler.search_width;
  sizes.keeps_turn = spec::keeps_turn(spec.scheduler);
  return sizes;
}

}  // namespace

Core core_of(const spec::Spec& spec, const spec::SweepSpec& sweep) {
  const storage::CoreSizes sizes = sizes_of(spec);
  Core core;
  core.policy = spec.scheduler.policy;
  core.sizes.num_sms = sizes.num_sms;
  core.sizes.max_tbs_per_sm = sizes.max_tbs_per_sm;
  core.sizes.num_ksrs = sizes.num_ksrs;
  core.sizes.num_command_buffers = sizes.num_command_buffers;
  core.sizes.num_contexts = sizes.num_contexts;
  core.sizes.tb_id_bits = sizes.tb_width;
  core.sizes.search_width = sizes.search_width;
  core.sizes.wait_bits = sizes.wait_width;
  core.sizes.setup_tag_bits = sizes.tag_width;
  core.sizes.kept_turn = sizes.keeps_turn ? 1 : 0;
  core.sizes.refill_lane = sizes.has_refill_lane ? 1 : 0;
  if (sweep.core_policies == spec::CorePolicies::kOwn) core.sizes.policies = {core.policy};
  return core;
}

std::string text_of(const Core& core) {
  const spec::CoreSpec& sizes = core.sizes;
  std::vector<std::string> policies;
  for (const spec::PolicyKind policy : sizes.policies) policies.emplace_back(spec::to_string(policy));
  const std::string tag = sizes.setup_tag_bits == 0 ? "" : fmt::format(" tag {}", sizes.setup_tag_bits);
  const std::string turn = sizes.kept_turn == 0 ? "" : " kept turn";
  const std::string lane = sizes.refill_lane == 0 ? "" : " refill lane";
  return fmt::format("{} {} {} {} {} {} {} {}{}{}{} {} [{}]", sizes.num_sms, sizes.max_tbs_per_sm, sizes.num_ksrs,
                     sizes.num_command_buffers, sizes.num_contexts, sizes.tb_id_bits, sizes.search_width,
                     sizes.wait_bits, tag, turn, lane, spec::to_string(core.policy), fmt::join(policies, " "));
}

std::size_t index_of_core(const Core& core, std::vector<Core>& cores) {
  const auto found = std::find(cores.begin(), cores.end(), core);
  const auto index = static_cast<std::size_t>(found - cores.begin());
  if (found == cores.end()) cores.push_back(core);
  return index;
}

std::vector<CoreCost> measure_cores(const std::vector<Core>& cores, const CoreOptions& options) {
  std::vector<spec::CoreSpec> netlists;
  std::vector<std::function<nlohmann::json()>> tasks;
  const auto add = [&](std::function<nlohmann::json()> task) {
    tasks.emplace_back(
        [task = std::move(task), &options] { return options.is_interrupted() ? nlohmann::json() : task(); });
  };
  for (const Core& core : cores) {
    if (std::find(netlists.begin(), netlists.end(), core.sizes) != netlists.end()) continue;
    netlists.push_back(core.sizes);
    add([sizes = core.sizes, mhz = options.target_mhz] {
      return nlohmann::json(synthesis::map_core(synthesis::elaboration_of(sizes), mhz));
    });
  }
  for (const Core& core : cores) {
    add([core] { return nlohmann::json(synthesis::simulate_decisions(core.sizes, core.policy)); });
  }
  const auto answers = platform::run_in_workers(
      tasks, options.num_workers, [&](std::size_t done) { options.on_progress(done, tasks.size()); }, {},
      options.is_interrupted);
  std::vector<CoreCost> costs;
  if (options.is_interrupted()) return costs;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const auto netlist = std::find(netlists.begin(), netlists.end(), cores[i].sizes) - netlists.begin();
    const auto mapped = answers[static_cast<std::size_t>(netlist)].get<synthesis::MappedCore>();
    const auto decisions = answers[netlists.size() + i].get<synthesis::Decisions>();
    const double cycles = decisions.steady.mean();
    costs.push_back({mapped.kge(), mapped.fmax_mhz(), cycles, cycles * mapped.period_ns()});
  }
  return costs;
}

spec::Spec with_measured_decisions(spec::Spec spec, const CoreCost& cost) {
  constexpr double kHzPerMhz = 1e6;
  const double ratio = std::max(1.0, static_cast<double>(spec.gpu.clock_hz) / (cost.fmax_mhz * kHzPerMhz));
  const auto gpu_cycles = [ratio](double core_cycles) {
    return static_cast<std::uint32_t>(std::ceil(core_cycles * ratio - 1e-9));
  };
  spec::FrameworkSpec& framework = spec.gpu.framework;
  if (spec::has_one_job_engine(spec)) {
    framework.search_entry_cycles = gpu_cycles(static_cast<double>(framework.search_entry_cycles));
  } else {
    // A walk is a single step, as long as the core's over a full queue.
    framework.search_entry_cycles = gpu_cycles(static_cast<double>(spec::walk_core_cycles(spec)));
    spec.scheduler.search_width = spec.gpu.num_sms;
  }
  const Cycle activation = spec::activation_core_cycles(spec) / spec.scheduler.tbs_per_cycle;
  framework.kernel_activation_cycles = gpu_cycles(static_cast<double>(activation));
  return spec;
}

nlohmann::ordered_json storage_cost(const spec::Spec& spec) {
  constexpr double kBitsPerByte = 8;
  std::uint64_t ram = 0;
  std::uint64_t flip_flops = 0;
  for (const storage::Structure& structure : storage::framework_structures(sizes_of(spec))) {
    ram += structure.bits(storage::Memory::kRam);
    flip_flops += structure.bits(storage::Memory::kFlipFlops);
  }
  return {{"sram_bytes", static_cast<double>(ram) / kBitsPerByte},
          {"flip_flop_bytes", static_cast<double>(flip_flops) / kBitsPerByte}};
}

}  // namespace tessera::sweep
