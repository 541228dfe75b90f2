// SPDX-License-Identifier: Apache-2.0
// The simulations of all wanted figures run together; `g16` is all of them.
#include "campaign/g16/reproduction.h"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

#include "campaign/g16/figures.h"

namespace tessera::campaign::g16 {
namespace {

constexpr const char* kAll = "g16";

struct FigurePart {
  Target target;
  std::vector<Scenario> (*scenarios)();
  std::vector<Figure> (*figures)(const std::vector<Outcome>&);
};

const std::vector<FigurePart>& figure_parts() {
  static const std::vector<FigurePart> all{
      {{"g16-fig4", "Figure 4: two instances of a workload under GLoop"}, fig4_scenarios, fig4_figures},
      {{"g16-preemption", "beyond the paper: its token against preemptive hardware, and both"},
       preemption_scenarios,
       preemption_figures},
  };
  return all;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> targets;
    for (const FigurePart& part : figure_parts()) targets.push_back(part.target);
    targets.push_back({kAll, "all of the above"});
    return targets;
  }();
  return all;
}

namespace {

// Processes 1 and 2 of papers/g16.yaml copy.
Variant page(const char* name, const char* size) {
  return {name,
          {"g16-fig4"},
          {fmt::format("workload.processes.1.application=../applications/gloop/copy1gb_{}.yaml", size),
           fmt::format("workload.processes.2.application=../applications/gloop/copy1gb_cold_{}.yaml", size)},
          fmt::format("the copy benchmark reads and writes pages of {}", size),
          "nobody: [G16] 5.2 prints no size",
          {"page of copy1GB"}};
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      page("page-128k", "128k"),
      page("page-512k", "512k"),
      {"no-switch",
       {"g16-fig4"},
       {"driver.switch_us=0"},
       "suspending and resuming cost what yields, launches and state do, and nothing that is fitted",
       "[G16] 4.1 prints no time",
       {}},
      {"slices",
       {"g16-fig4"},
       {"driver.slice_us=10000"},
       "a kernel yields when its slice is exhausted, too, whoever waits: as long as the threshold",
       "[G16] 3.2.1",
       {"slice"}},
  };
  return all;
}

Reproduction reproduce(const Request& request) {
  std::vector<const FigurePart*> wanted;
  std::vector<Scenario> scenarios;
  std::vector<std::size_t> begins;
  for (const FigurePart& part : figure_parts()) {
    if (!is_wanted(request, part.target.name, kAll)) continue;
    wanted.push_back(&part);
    begins.push_back(scenarios.size());
    for (Scenario& scenario : part.scenarios()) scenarios.push_back(std::move(scenario));
  }
  if (wanted.empty()) throw std::out_of_range("no target " + request.target);
  begins.push_back(scenarios.size());
  const std::vector<Outcome> outcomes = run(request, scenarios);
  Reproduction reproduction;
  for (const Outcome& outcome : outcomes) {
    reproduction.effort.add(outcome.effort);
    reproduction.violations.insert(reproduction.violations.end(), outcome.faults.begin(), outcome.faults.end());
  }
  const auto at = [&](std::size_t i) { return outcomes.begin() + static_cast<std::ptrdiff_t>(begins[i]); };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (Figure& figure : wanted[i]->figures(std::vector<Outcome>(at(i), at(i + 1)))) {
      reproduction.figures.push_back(std::move(figure));
    }
  }
  return reproduction;
}

}  // namespace tessera::campaign::g16
