// SPDX-License-Identifier: Apache-2.0
// Figures that are wanted together share their task sets; `z21` is all of the paper's. What runs on the machine goes by
// itself.
#include "campaign/z21/reproduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/keys.h"
#include "campaign/z21/figures.h"
#include "campaign/z21/machine_figures.h"
#include "campaign/z21/preset_figure.h"

namespace tessera::campaign::z21 {
namespace {

constexpr const char* kWhole = "z21";

struct FigurePart {
  Target target;
  Figure (*figure)(const Study&);
  std::vector<std::uint32_t> nums_tasks;  // of the sets that it is made of
};

const std::vector<FigurePart>& figure_parts() {
  const Keys read{"seed", "gpu", "gpu.num_sms"};
  static const std::vector<FigurePart> all{
      {{"z21-fig5", "Figure 5: schedulable sets of 50 tasks over their utilisation", {}, read}, fig5, {kFewTasks}},
      {{"z21-fig6", "Figure 6: load and partitions of 50 tasks", {}, read}, fig6, {kFewTasks}},
      {{"z21-fig7", "Figure 7: schedulable sets of 200 tasks", {}, read}, fig7, {kFewTasks, kManyTasks}},
      {{"z21-fig8", "Figure 8: load and partitions of 200 tasks", {}, read}, fig8, {kFewTasks, kManyTasks}},
      {{"z21-fig9", "Figure 9: what the analysis costs, as counts", {}, read}, fig9, {kFewTasks, kManyTasks}},
  };
  return all;
}

Target presets_target() {
  return {"z21-presets",
          "beyond the paper: partitions of MIG's slices and of pairs of SMs, analysed",
          {"gpu", "gpu.**"},
          Keys{"seed"},
          false};
}

struct MachinePart {
  Target target;
  Figure (*figure)(Survival&);
  double sets_per_workload;  // of each cell
};

const std::vector<MachinePart>& machine_parts() {
  const auto target = [](const char* name, const char* description) -> Target {
    return {name, description,
            joined(kWayKeys, {"scheduler.access", "scheduler.exclusive_scope", "workload.**", "contention.**",
                              "partitions.**", "stop.**"}),
            joined(kGpuKeys, {"seed", "host", "host.**", "scheduler.search_width"}), false};
  };
  static const std::vector<MachinePart> all{
      {target("z21-execution", "beyond the paper: partitions and whole-GPU policies run, over contention"),
       fig_execution, 0.5},
      {target("z21-co-running", "beyond the paper: the same where only those contend that meet"), fig_co_running, 0.5},
      {target("z21-techniques", "beyond the paper: context switch and drain, over thread blocks and time units"),
       fig_techniques, 0.5},
      {target("z21-bounds", "beyond the paper: simulated responses against the analysis's bounds"), fig_bounds, 3},
  };
  return all;
}

Reproduction reproduce_on_machine(const Request& request, const MachinePart& part) {
  Reproduction reproduction;
  const double num_sets = part.sets_per_workload * request.num_workloads;
  Survival survival(request, std::max(1U, static_cast<std::uint32_t>(num_sets)));
  part.figure(survival);  // what it wants
  survival.run(reproduction);
  reproduction.figures.push_back(part.figure(survival));
  reproduction.measurements_csv = survival.measurements_csv();
  return reproduction;
}

std::vector<Variant> variants() {
  std::vector<std::string> figures;
  for (const FigurePart& part : figure_parts()) figures.emplace_back(part.target.name);
  std::vector<Variant> variants;
  for (const Limit& limit : kLimits) {
    variants.push_back(
        {limit.variant,
         figures,
         {},
         fmt::format("no task has a utilisation above {}: sets with one are drawn again", limit.most_of_a_task),
         "[Z21] 7.1 names UUniFast-Discard, and no limit",
         {"the limit"}});
  }
  return variants;
}

Reproduction reproduce(const Request& request) {
  if (request.target == presets_target().name) return reproduce_presets(request);
  for (const MachinePart& part : machine_parts()) {
    if (request.target == part.target.name) return reproduce_on_machine(request, part);
  }
  const std::vector<const FigurePart*> wanted = wanted_of(figure_parts(), request, kWhole);
  std::vector<std::uint32_t> nums_tasks;
  for (const FigurePart* const part : wanted) {
    for (const std::uint32_t num_tasks : part->nums_tasks) {
      if (std::find(nums_tasks.begin(), nums_tasks.end(), num_tasks) == nums_tasks.end()) {
        nums_tasks.push_back(num_tasks);
      }
    }
  }
  const Study study(request, nums_tasks);
  Reproduction reproduction;
  for (const FigurePart* const part : wanted) reproduction.figures.push_back(part->figure(study));
  reproduction.measurements_csv = study.measurements_csv();
  return reproduction;
}

}  // namespace

Paper paper() {
  std::vector<Target> targets = targets_of(kWhole, figure_parts());
  targets.push_back(presets_target());
  add_targets(machine_parts(), targets);
  return {"papers/z21.yaml", kWhole, std::move(targets), variants(), reproduce};
}

}  // namespace tessera::campaign::z21
