// SPDX-License-Identifier: Apache-2.0
// Figures that are wanted together share their task sets; `z21` is all of the paper's. What runs on the machine goes by
// itself.
#include "campaign/z21/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "campaign/z21/figures.h"
#include "campaign/z21/machine_figures.h"
#include "campaign/z21/preset_figure.h"

namespace tessera::campaign::z21 {
namespace {

constexpr const char* kAllFigures = "z21";
constexpr Target kPresets{"z21-presets", "beyond the paper: partitions of MIG's slices and of pairs of SMs, analysed"};

struct FigurePart {
  Target target;
  Figure (*figure)(const Study&);
  std::vector<std::uint32_t> nums_tasks;  // of the sets that it is made of
};

const std::vector<FigurePart>& figure_parts() {
  static const std::vector<FigurePart> all{
      {{"z21-fig5", "Figure 5: schedulable sets of 50 tasks over their utilisation"}, fig5, {kFewTasks}},
      {{"z21-fig6", "Figure 6: load and partitions of 50 tasks"}, fig6, {kFewTasks}},
      {{"z21-fig7", "Figure 7: schedulable sets of 200 tasks"}, fig7, {kFewTasks, kManyTasks}},
      {{"z21-fig8", "Figure 8: load and partitions of 200 tasks"}, fig8, {kFewTasks, kManyTasks}},
      {{"z21-fig9", "Figure 9: what the analysis costs, as counts"}, fig9, {kFewTasks, kManyTasks}},
  };
  return all;
}

struct MachinePart {
  Target target;
  Figure (*figure)(Survival&);
  double sets_per_workload;  // of each cell
};

const std::vector<MachinePart>& machine_parts() {
  static const std::vector<MachinePart> all{
      {{"z21-execution", "beyond the paper: partitions and whole-GPU policies run, over contention"},
       fig_execution,
       0.5},
      {{"z21-co-running", "beyond the paper: the same where only those contend that meet"}, fig_co_running, 0.5},
      {{"z21-techniques", "beyond the paper: context switch and drain, over thread blocks and time units"},
       fig_techniques,
       0.5},
      {{"z21-bounds", "beyond the paper: simulated responses against the analysis's bounds"}, fig_bounds, 3},
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

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> targets;
    for (const FigurePart& part : figure_parts()) targets.push_back(part.target);
    targets.push_back({kAllFigures, "all of the above"});
    targets.push_back(kPresets);
    for (const MachinePart& part : machine_parts()) targets.push_back(part.target);
    return targets;
  }();
  return all;
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = [] {
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
  }();
  return all;
}

Reproduction reproduce(const Request& request) {
  if (request.target == kPresets.name) return reproduce_presets(request);
  for (const MachinePart& part : machine_parts()) {
    if (request.target == part.target.name) return reproduce_on_machine(request, part);
  }
  std::vector<Figure (*)(const Study&)> wanted;
  std::vector<std::uint32_t> nums_tasks;
  for (const FigurePart& part : figure_parts()) {
    if (!is_wanted(request, part.target.name, kAllFigures)) continue;
    wanted.push_back(part.figure);
    for (const std::uint32_t num_tasks : part.nums_tasks) {
      if (std::find(nums_tasks.begin(), nums_tasks.end(), num_tasks) == nums_tasks.end()) {
        nums_tasks.push_back(num_tasks);
      }
    }
  }
  if (wanted.empty()) throw std::out_of_range("no target " + request.target);
  const Study study(request, nums_tasks);
  Reproduction reproduction;
  for (const auto figure : wanted) reproduction.figures.push_back(figure(study));
  reproduction.measurements_csv = study.measurements_csv();
  return reproduction;
}

}  // namespace tessera::campaign::z21
