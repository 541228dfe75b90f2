// SPDX-License-Identifier: Apache-2.0
// A question the paper's Figure 5 raises: for each application with high priority, how long is an SM waited for, and
// what is that wait made of?
#include <fmt/format.h>

#include "campaign/t14/figures.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {
namespace {

constexpr std::uint32_t kPercentStep = 2;

struct Part {
  const char* name;
  std::uint64_t LatencyParts::*cycles;
};
struct Technique {
  const char* name;
  std::vector<Part> parts;  // the others are 0
};
const std::vector<Technique>& techniques() {
  static const std::vector<Technique> all{
      {"context_switch",
       {{"decision", &LatencyParts::decision},
        {"restore", &LatencyParts::restore},
        {"trap", &LatencyParts::trap},
        {"movement", &LatencyParts::movement},
        {"channel", &LatencyParts::channel}}},
      {"drain", {{"decision", &LatencyParts::decision}, {"drain", &LatencyParts::drain}}}};
  return all;
}

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

// Calls `use` for every technique and every application that preempted an SM by it.
template <class Use>
void for_each_latency(const Plan& plan, const Results& results, Use use) {
  for (const Technique& technique : techniques()) {
    for (std::uint32_t i = 0; i < plan.base.processes.size(); ++i) {
      const LatencyResult all = merged(results, std::string("ppq_") + technique.name, i);
      if (all.total.count() > 0) use(technique, plan.base.processes[i].name, all);
    }
  }
}

void add_percentiles(Figure& figure, const char* technique, const std::string& application,
                     const LatencyResult& latency, double us_per_cycle) {
  const auto us_at = [&](std::uint32_t percent) {
    return static_cast<double>(latency.total.percentile(percent)) * us_per_cycle;
  };
  Curve curve{technique, application, {}};
  for (std::uint32_t percent = kPercentStep; percent <= 100; percent += kPercentStep) {
    curve.points.push_back({static_cast<double>(percent), us_at(percent)});
  }
  figure.curves.push_back(std::move(curve));
  const auto add = [&](const std::string& series, double ours) {
    Value value;
    value.panel = technique;
    value.series = series;
    value.category = application;
    value.ours = {ours, 0, latency.total.count()};
    figure.values.push_back(std::move(value));
  };
  for (const std::uint32_t percent : {50U, 90U, 99U, 100U}) add(fmt::format("p{}, us", percent), us_at(percent));
  add("served, %", 100 * static_cast<double>(latency.total.count()) / static_cast<double>(latency.requested));
}

double us_per_cycle(const Plan& plan) { return 1e6 / static_cast<double>(plan.base.gpu.clock_hz); }

}  // namespace

Figure latency(const Plan& plan, const Results& results) {
  Figure figure;
  figure.name = "t14-latency";
  figure.title = "The wait for a preempted SM, by the high-priority application";
  figure.drawing = Drawing::kStackedBars;
  figure.y_label = "us a preemption";
  for_each_latency(plan, results,
                   [&](const Technique& technique, const std::string& application, const LatencyResult& latency) {
                     for (const Part& part : technique.parts) {
                       Value value;
                       value.panel = technique.name;
                       value.series = part.name;
                       value.category = application;
                       const double us = static_cast<double>(latency.parts.*part.cycles) * us_per_cycle(plan);
                       value.ours = {us / static_cast<double>(latency.total.count()), 0, latency.total.count()};
                       figure.values.push_back(std::move(value));
                     }
                   });
  figure.notes.emplace_back(
      "From the policy's invocation to the SM's hand-over, over all numbers of processes. `decision`: until the SM is "
      "chosen; `restore`: a restore under way is waited for; `trap`: pipeline drain and trap entry; `movement`: the "
      "context's bytes at the whole bandwidth of the memory; `channel`: what the transfer takes beyond that, because "
      "the other SMs have their share; `drain`: until the last thread block has finished. The number of workloads is "
      "that of the preemptions.");
  return figure;
}

Figure latency_distribution(const Plan& plan, const Results& results) {
  Figure figure;
  figure.name = "t14-latency-distribution";
  figure.title = "Percentiles of the wait for a preempted SM";
  figure.drawing = Drawing::kCurves;
  figure.x_label = "% of the preemptions";
  figure.y_label = "us at most";
  for_each_latency(plan, results,
                   [&](const Technique& technique, const std::string& application, const LatencyResult& latency) {
                     add_percentiles(figure, technique.name, application, latency, us_per_cycle(plan));
                   });
  figure.notes.emplace_back(
      "Of the SMs that were reserved for the application, `served` is the share that it got: a kernel may end on the "
      "SMs that came first. Only waits that ended so are counted here and in `t14-latency`.");
  return figure;
}

}  // namespace tessera::campaign::t14
