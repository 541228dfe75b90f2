// SPDX-License-Identifier: Apache-2.0
// A question the paper's Figure 5 raises: for each application with high priority, how long is an SM waited for, and
// what is that wait made of?
#include <fmt/format.h>

#include "campaign/t14/figures.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {
namespace {

constexpr std::uint32_t kPercentiles[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100};

struct Part {
  const char* name;
  std::uint64_t LatencyParts::*cycles;
};
constexpr Part kParts[] = {{"decision", &LatencyParts::decision}, {"restore", &LatencyParts::restore},
                           {"trap", &LatencyParts::trap},         {"movement", &LatencyParts::movement},
                           {"channel", &LatencyParts::channel},   {"drain", &LatencyParts::drain}};

// Over all numbers of processes.
LatencyResult merged(const Results& results, const std::string& scheme, std::uint32_t application) {
  LatencyResult all;
  for (const Group& group : results.groups) {
    if (group.study->name != kPriorityStudy) continue;
    const std::size_t index = group.scheme(scheme);
    for (const Cell& cell : group.cells) {
      if (cell.workload.applications.front() == application) all.merge(cell.schemes[index].latency);
    }
  }
  return all;
}

void add_parts(Figure& figure, const std::string& technique, const std::string& application,
               const LatencyResult& latency, double us_per_cycle) {
  const auto count = static_cast<double>(latency.total.count());
  for (const Part& part : kParts) {
    Value value;
    value.panel = technique;
    value.series = part.name;
    value.category = application;
    value.ours = {static_cast<double>(latency.parts.*part.cycles) * us_per_cycle / count, 0, latency.total.count()};
    figure.values.push_back(std::move(value));
  }
}

void add_distribution(Figure& figure, const std::string& technique, const std::string& application,
                      const LatencyResult& latency, double us_per_cycle) {
  Curve curve{technique, application, {}};
  for (const std::uint32_t percent : kPercentiles) {
    curve.points.push_back(
        {static_cast<double>(percent), static_cast<double>(latency.total.percentile(percent)) * us_per_cycle});
  }
  figure.curves.push_back(std::move(curve));
}

}  // namespace

Figure latency(const Plan& plan, const Results& results) {
  Figure figure;
  figure.name = "t14-latency";
  figure.title = "The wait for a preempted SM, by the high-priority application";
  figure.drawing = Drawing::kStackedBars;
  figure.y_label = "us a preemption";
  const double us_per_cycle = 1e6 / static_cast<double>(plan.base.gpu.clock_hz);
  for (const std::string technique : {"context_switch", "drain"}) {
    for (std::uint32_t i = 0; i < plan.base.processes.size(); ++i) {
      const LatencyResult all = merged(results, "ppq_" + technique, i);
      if (all.total.count() == 0) continue;
      add_parts(figure, technique, plan.base.processes[i].name, all, us_per_cycle);
      add_distribution(figure, technique, plan.base.processes[i].name, all, us_per_cycle);
    }
  }
  figure.notes.emplace_back(
      "From the policy's invocation to the SM's hand-over, over all numbers of processes. `decision`: until the SM is "
      "chosen; `restore`: a restore under way is waited for; `trap`: pipeline drain and trap entry; `movement`: the "
      "context's bytes at the whole bandwidth of the memory; `channel`: what the transfer takes beyond that, because "
      "the other SMs have their share; `drain`: until the last thread block has finished. The number of workloads is "
      "that of the preemptions. The distribution (percentile, us) is in the curves.");
  return figure;
}

}  // namespace tessera::campaign::t14
