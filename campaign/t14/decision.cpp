// SPDX-License-Identifier: Apache-2.0
// A question the paper's 13 cycles raise: how long may a policy's search take before turnaround suffers?
#include <fmt/format.h>

#include <cmath>

#include "campaign/t14/bar_figure.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/priority_measures.h"

namespace tessera::campaign::t14 {
namespace {

const std::vector<std::string> kTechniques{"ppq_context_switch", "ppq_drain"};
const std::vector<std::string> kSchemes{"fcfs", "npq", kTechniques[0], kTechniques[1]};

// Which scheduler takes so long: the orders of magnitude are ours.
const char* scheduler_of(std::uint32_t search_cycles) {
  switch (search_cycles) {
    case 1:
      return "hardware, all rows at once";
    case kPapersSearch:
      return "hardware, a row a cycle, 13 SMs";
    case 100:
      return "hardware, a row a cycle, 100 SMs";
    case 1'000:
      return "firmware on the GPU";
    default:
      return "a driver on the host";
  }
}

Figure empty_figure(const Plan& plan, const char* name, const char* title, const char* y_label) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.drawing = Drawing::kCurves;
  figure.is_matrix = true;
  figure.has_intervals = true;
  figure.log_axes = "xy";
  figure.x_label = "cycles a search";
  figure.y_label = y_label;
  figure.meaning_heads = {"us", "scheduler"};
  for (const std::uint32_t cycles : kSearches) {
    const double us = cycles * 1e6 / static_cast<double>(plan.base.gpu.clock_hz);
    figure.meanings.push_back({std::to_string(cycles), {fmt::format("{:.3g}", us), scheduler_of(cycles)}});
  }
  return figure;
}

std::string panel_at(const std::string& panel, std::uint32_t num_processes) {
  return fmt::format("{} at {}", panel, num_processes);
}

// A value for every search, and the curve through them; `observer_of` makes the observer from the cycles of a search.
template <class ObserverOf>
void add_curve(Figure& figure, const Group& group, const std::string& panel, const std::string& series,
               ObserverOf observer_of) {
  Curve curve{panel_at(panel, group.num_processes), series, {}};
  for (const std::uint32_t cycles : kSearches) {
    Value value = measure(group, curve.panel, series, observer_of(cycles));
    if (value.ours.number == 0) continue;
    value.category = std::to_string(cycles);
    curve.points.push_back({static_cast<double>(cycles), value.ours.mean});
    figure.values.push_back(std::move(value));
  }
  if (!curve.points.empty()) figure.curves.push_back(std::move(curve));
}

// Calls `use` for every number of processes, class of applications and scheme.
template <class Use>
void for_each_class(const Plan& plan, const Results& results, Use use) {
  for (const std::uint32_t n : plan.num_processes) {
    for (const ClassPanel& panel : kClassPanels) {
      for (const std::string& scheme : kSchemes) use(results.group(std::string(kDecisionStudy), n), panel, scheme);
    }
  }
}

double mean_at(const Figure& figure, const std::string& panel, const std::string& series, std::uint32_t cycles) {
  for (const Value& value : figure.values) {
    if (value.panel == panel && value.series == series && value.category == std::to_string(cycles)) {
      return value.ours.mean;
    }
  }
  return std::nan("");
}

// Whether preemption is still worth it: with what its search takes, against no preemption with the paper's search.
void claim_decision(Figure& figure, const std::vector<std::uint32_t>& counts) {
  for (const std::string& technique : kTechniques) {
    for (const std::uint32_t cycles : kSearches) {
      if (cycles <= kPapersSearch) continue;
      claim(
          figure,
          fmt::format("{}, {} cycles a search, is better than npq, {} cycles", technique, cycles, kPapersSearch),
          counts, [&](std::uint32_t n) {
            const std::string panel = panel_at("average", n);
            return Comparison{mean_at(figure, panel, technique, cycles), mean_at(figure, panel, "npq", kPapersSearch)};
          });
    }
  }
}

}  // namespace

Figure decision(const Plan& plan, const Results& results) {
  Figure figure = empty_figure(plan, "t14-decision", "Turnaround of the high-priority process by the time of a search",
                               "NTT under FCFS of 13 cycles / NTT");
  for_each_class(plan, results, [&](const Group& group, const ClassPanel& panel, const std::string& scheme) {
    add_curve(figure, group, panel.name, scheme, [&](std::uint32_t cycles) {
      return turnaround_gain(plan, group, with_search("fcfs", kPapersSearch), with_search(scheme, cycles), panel.only);
    });
  });
  claim_decision(figure, plan.num_processes);
  figure.notes.push_back(fmt::format(
      "A search makes one move: it gives a kernel all idle SMs that it needs and may have, or takes one away, so {0} "
      "SMs "
      "that run change hands after {0} searches. Thread blocks last, and applications take alone, what they do with "
      "the "
      "searches of the configuration. Cycles are of {1:g} MHz; which scheduler takes so long is an order of magnitude.",
      plan.base.gpu.num_sms, static_cast<double>(plan.base.gpu.clock_hz) / 1e6));
  return figure;
}

Figure decision_cost(const Plan& plan, const Results& results) {
  Figure figure = empty_figure(plan, "t14-decision-cost", "What a longer search costs",
                               "relative to the same scheme with 13 cycles");
  figure.log_axes = "x";  // per cents, not factors
  for_each_class(plan, results, [&](const Group& group, const ClassPanel& panel, const std::string& scheme) {
    add_curve(figure, group, panel.name, scheme, [&](std::uint32_t cycles) {
      return turnaround_gain(plan, group, with_search(scheme, cycles), with_search(scheme, kPapersSearch), panel.only);
    });
  });
  for (const auto& [panel, value] :
       {std::pair("throughput", &Measurement::stp), std::pair("fairness", &Measurement::fairness)}) {
    for (const std::uint32_t n : plan.num_processes) {
      const Group& group = results.group(std::string(kDecisionStudy), n);
      for (const std::string& scheme : kSchemes) {
        add_curve(figure, group, panel, scheme, [&, member = value](std::uint32_t cycles) {
          return loss(group, with_search(scheme, kPapersSearch), with_search(scheme, cycles), member);
        });
      }
    }
  }
  figure.notes.emplace_back(
      "Workload by workload, above 1 is worse: NTT of the high-priority process over that with 13 cycles; STP and "
      "fairness with 13 cycles over those.");
  return figure;
}

}  // namespace tessera::campaign::t14
