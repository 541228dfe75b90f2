// SPDX-License-Identifier: Apache-2.0
// Targets are made of parts: those that one campaign makes together, and those that stand alone.
#include "campaign/t14/reproduction.h"

#include <algorithm>
#include <iterator>

#include "campaign/keys.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/sensitivity.h"
#include "campaign/t14/studies.h"
#include "campaign/t14/variants.h"
#include "model/spec/diagnostics.h"
#include "model/spec/names.h"

namespace tessera::campaign::t14 {
namespace {

constexpr double kNarrow = 0.05;               // half-width of an average, over the average
constexpr std::uint32_t kMaxWorkloads = 4000;  // of one number of processes: nobody waits for more

// A figure that is made from a campaign.
struct CampaignFigure {
  const char* name;
  std::string_view study;
  Figure (*make)(const Plan&, const Results&);
};

// A way to read the paper, under which the figures are made.
struct Reading {
  Plan plan;
  std::string name;  // of its figures, behind their own; empty: the configured one
};
constexpr CampaignFigure kCampaignFigures[] = {
    {"t14-fig5", kPriorityStudy, fig5},       {"t14-fig6", kPriorityStudy, fig6},
    {"t14-latency", kPriorityStudy, latency}, {"t14-latency-distribution", kPriorityStudy, latency_distribution},
    {"t14-fig7", kSharingStudy, fig7},        {"t14-fig8", kSharingStudy, fig8}};

constexpr const char* kWhole = "t14";

// A target is a figure, all of them, or the figures whose names it begins.
bool is_wanted(const Request& request, const std::string& name) {
  if (request.target == kWhole) return campaign::is_wanted(request, name, kWhole);
  return name == request.target || name.rfind(request.target + "-", 0) == 0;
}

bool needs_study(const Request& request, std::string_view study) {
  return std::any_of(std::begin(kCampaignFigures), std::end(kCampaignFigures), [&](const CampaignFigure& figure) {
    return figure.study == study && is_wanted(request, figure.name);
  });
}

std::vector<Study> studies_for(const Request& request, const spec::Spec& base) {
  std::vector<Study> studies;
  if (needs_study(request, kPriorityStudy)) studies.push_back(priority_study(base));
  if (needs_study(request, kSharingStudy)) studies.push_back(sharing_study(base));
  return studies;
}

Plan plan_for(const Request& request, const std::vector<std::string>& overrides) {
  Plan plan;
  plan.base = request.load(overrides);
  plan.studies = studies_for(request, plan.base);
  plan.num_processes.assign(std::begin(kNumProcesses), std::end(kNumProcesses));
  plan.num_workloads = request.num_workloads;
  plan.has_all_pairs = request.num_workloads >= plan.base.processes.size();
  return plan;
}

// The same campaign under both readings of Table 1's time per thread block, first the one that is configured.
std::vector<Reading> readings_for(const Request& request) {
  std::vector<Reading> readings{{plan_for(request, {}), ""}};
  if (!request.variant.empty()) return readings;
  const bool is_kernel_time = readings.front().plan.base.time_base == spec::TimeBase::kKernelTime;
  const std::string other(spec::to_string(is_kernel_time ? spec::TimeBase::kTimePerTb : spec::TimeBase::kKernelTime));
  readings.push_back({plan_for(request, {"workload.time_base=" + other}), other});
  return readings;
}

std::vector<Figure> figures_of(const Request& request, const Reading& reading, const Results& results) {
  std::vector<Figure> figures;
  const auto has_study = [&](std::string_view name) {
    const std::vector<Study>& studies = reading.plan.studies;
    return std::any_of(studies.begin(), studies.end(), [&](const Study& study) { return study.name == name; });
  };
  for (const CampaignFigure& part : kCampaignFigures) {
    if (!is_wanted(request, part.name) || !has_study(part.study)) continue;
    Figure figure = part.make(reading.plan, results);
    figure.time_base = spec::to_string(reading.plan.base.time_base);
    if (!reading.name.empty()) {
      figure.name += "-" + reading.name;
      figure.title += " (" + reading.name + ")";
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

// Panels that average over all applications or workloads.
constexpr std::pair<std::string_view, std::string_view> kAverages[] = {
    {"t14-fig5", "average"}, {"t14-fig6", "exclusive"}, {"t14-fig6", "shared"},
    {"t14-fig7", "average"}, {"t14-fig7", "fairness"},  {"t14-fig7", "throughput"}};

// More workloads tell nothing about all pairs.
bool is_narrow(const Request& request, const Reading& reading, const Results& results) {
  for (const Figure& figure : figures_of(request, reading, results)) {
    for (const Value& value : figure.values) {
      if (reading.plan.has_all_pairs && value.num_processes == 2) continue;
      const bool is_average =
          std::find(std::begin(kAverages), std::end(kAverages),
                    std::pair<std::string_view, std::string_view>(figure.name, value.panel)) != std::end(kAverages);
      if (is_average && (value.ours.number < 2 || value.ours.half_width > kNarrow * value.ours.mean)) return false;
    }
  }
  return true;
}

void add_work(Results& results, Reproduction& reproduction) {
  reproduction.effort.add(results.effort);
  for (std::string& violation : results.violations) reproduction.violations.push_back(std::move(violation));
}

void run_campaign_for(const Request& request, Reproduction& reproduction) {
  std::vector<Reading> readings = readings_for(request);
  std::vector<Plan> plans;
  for (const Reading& reading : readings) plans.push_back(reading.plan);
  std::vector<Results> results = run_campaign(plans, request.options);
  while (request.goes_on && !is_narrow(request, readings[0], results[0]) &&
         plans[0].first_workload + plans[0].num_workloads < kMaxWorkloads) {
    for (Plan& plan : plans) plan.first_workload += plan.num_workloads;
    std::vector<Results> more = run_campaign(plans, request.options);
    for (std::size_t i = 0; i < results.size(); ++i) results[i].append(std::move(more[i]));
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    for (Figure& figure : figures_of(request, readings[i], results[i])) {
      reproduction.figures.push_back(std::move(figure));
    }
    add_work(results[i], reproduction);
  }
  reproduction.measurements_csv = measurements_csv(plans[0], results[0]);
}

// The ends of the paper's range of processes, under the configured time base.
void run_decision(const Request& request, Reproduction& reproduction) {
  std::vector<Plan> plans(1);
  Plan& plan = plans.front();
  plan.base = request.load({});
  plan.studies = {decision_study(plan.base)};
  plan.num_processes = {*std::begin(kNumProcesses), *(std::end(kNumProcesses) - 1)};
  plan.num_workloads = request.num_workloads;
  Results results = std::move(run_campaign(plans, request.options).front());
  reproduction.figures = {decision(plan, results), decision_cost(plan, results)};
  for (Figure& figure : reproduction.figures) figure.time_base = spec::to_string(plan.base.time_base);
  add_work(results, reproduction);
  reproduction.measurements_csv = measurements_csv(plan, results);
}

void check_processes(const spec::Spec& base) {
  std::vector<spec::Diagnostic> diagnostics;
  const auto complain = [&](const std::string& problem, const std::string& value, const std::string& allowed) {
    diagnostics.push_back({"--set", 1, 1, "workload.processes", problem, value, allowed});
  };
  if (base.processes.size() < kNumProcesses[std::size(kNumProcesses) - 1]) {
    complain("has too few entries for the largest workloads", std::to_string(base.processes.size()), "at least 8");
  }
  for (const spec::ProcessSpec& process : base.processes) {
    if (!is_classified(process.name)) {
      complain("has an entry that is not named after an application of Table 1", process.name,
               "lbm, histo, tpacf, ...");
    }
  }
  if (!diagnostics.empty()) throw spec::InputError(std::move(diagnostics));
}

bool has_averages(const std::string& target) {
  Request request;
  request.target = target;
  return std::any_of(std::begin(kAverages), std::end(kAverages),
                     [&](const auto& average) { return is_wanted(request, std::string(average.first)); });
}

std::vector<Target> targets() {
  const Keys of_campaign = joined(kWayKeys, {"scheduler.access", "dma.policy", "workload.processes.*.priority",
                                             "workload.processes.*.background", "workload.processes.*.start_us"});
  return {
      {"t14-table1", "Table 1: every kernel on the machine, and its time alone", {"stop.min_runs", "baseline.**"}},
      {"t14-fig2", "Figure 2: a kernel with a deadline under FCFS, NPQ and PPQ",
       joined(kWayKeys, {"workload.time_base", "workload.processes.*.priority", "workload.processes.*.start_us",
                         "stop.min_runs"})},
      {"t14-fig5", "Figure 5: turnaround of the high-priority process", of_campaign},
      {"t14-fig6", "Figure 6: throughput that preemptive priorities cost, exclusive and shared", of_campaign},
      {"t14-fig7", "Figure 7: turnaround, fairness and throughput of equal sharing", of_campaign},
      {"t14-fig8", "Figure 8: ANTT of all workloads under equal sharing", of_campaign},
      {"t14-sram",
       "Section 3.3: storage of the scheduling framework",
       {},
       joined(kGpuKeys, {"scheduler.search_width", "scheduler.tbs_per_cycle"})},
      {"t14-latency", "beyond the paper: what the wait for a preempted SM is made of", of_campaign},
      whole_target(kWhole, "all of the above, in one campaign"),
      {"t14-sensitivity",
       "every assumption moved one at a time, and what that does to the figures",
       of_campaign,
       {},
       false},
      {"t14-decision",
       "beyond the paper: how the time of a decision feeds back into turnaround",
       joined(of_campaign, {"scheduler.search_width", "gpu.framework.search_entry_cycles"}),
       {},
       false},
  };
}

Reproduction reproduce(const Request& request) {
  const spec::Spec& base = request.load({});
  check_processes(base);
  Reproduction reproduction;
  if (request.target == "t14-sensitivity") {
    reproduction.figures.push_back(sensitivity(request.load, request.num_workloads, request.options,
                                               reproduction.effort, reproduction.violations));
    return reproduction;
  }
  if (request.target == "t14-decision") {
    run_decision(request, reproduction);
    return reproduction;
  }
  if (is_wanted(request, "t14-table1")) {
    reproduction.figures.push_back(table1(base, request.options, reproduction.violations));
  }
  if (is_wanted(request, "t14-fig2")) {
    reproduction.figures.push_back(fig2(base, request.options, reproduction.violations));
  }
  if (is_wanted(request, "t14-sram")) reproduction.figures.push_back(sram(base));
  if (!studies_for(request, base).empty()) run_campaign_for(request, reproduction);
  if (request.options.is_interrupted()) throw Interrupted();  // those that stand alone are too short to ask
  return reproduction;
}

}  // namespace

Paper paper() { return {"papers/t14.yaml", kWhole, targets(), variants(), reproduce, has_averages}; }

}  // namespace tessera::campaign::t14
