// SPDX-License-Identifier: Apache-2.0
// The simulations of all wanted figures run together; `g16` is all of them.
#include "campaign/g16/reproduction.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "campaign/g16/figures.h"
#include "campaign/keys.h"

namespace tessera::campaign::g16 {
namespace {

constexpr const char* kWhole = "g16";

struct FigurePart {
  Target target;
  std::vector<Scenario> (*scenarios)();
  std::vector<Figure> (*figures)(const std::vector<Outcome>&);
};

const std::vector<FigurePart>& figure_parts() {
  static const std::vector<FigurePart> all{
      {{"g16-fig4", "Figure 4: two instances of a workload under GLoop", {"workload.processes.*.runs", "baseline.**"}},
       fig4_scenarios,
       fig4_figures},
      {{"g16-preemption", "beyond the paper: its token against preemptive hardware, and both",
        joined(kWayKeys, {"gpu", "driver.kind", "driver.threshold_us", "driver.switch_us", "driver.kill_us",
                          "workload.processes.**", "stop.max_time_us"})},
       preemption_scenarios,
       preemption_figures},
  };
  return all;
}

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

std::vector<Variant> variants() {
  return {
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
}

Reproduction reproduce(const Request& request) {
  const std::vector<const FigurePart*> wanted = wanted_of(figure_parts(), request, kWhole);
  std::vector<Scenario> scenarios;
  std::vector<std::size_t> begins;
  for (const FigurePart* const part : wanted) {
    begins.push_back(scenarios.size());
    for (Scenario& scenario : part->scenarios()) scenarios.push_back(std::move(scenario));
  }
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

}  // namespace

Paper paper() { return {"papers/g16.yaml", kWhole, targets_of(kWhole, figure_parts()), variants(), reproduce}; }

}  // namespace tessera::campaign::g16
