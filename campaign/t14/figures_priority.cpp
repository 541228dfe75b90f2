// SPDX-License-Identifier: Apache-2.0
// Figures 5 and 6: one process of every workload has priority over the others.
#include <string>

#include "campaign/measure.h"
#include "campaign/t14/bar_figure.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/priority_measures.h"

namespace tessera::campaign::t14 {
namespace {

const std::vector<std::string> kPpqTechniques{"context_switch", "drain"};

std::uint32_t high_priority_application(const Cell& cell) { return cell.workload.applications.front(); }

void claim_fig5(Figure& figure, const std::vector<std::uint32_t>& counts) {
  const auto average = [&](const std::string& series, std::uint32_t n) {
    return mean_of(figure, "average", series, n);
  };
  const auto of_class = [&](const std::string& panel, const std::string& technique, std::uint32_t n) {
    return mean_of(figure, panel, "ppq_" + technique, n);
  };
  claim(figure, "NPQ is no better than FCFS at 2 processes (within 2 %)", {counts.front()}, [&](std::uint32_t n) {
    return Comparison{1.02, average("npq", n)};
  });
  claim(figure, "NPQ is better than FCFS with more processes", {counts.begin() + 1, counts.end()},
        [&](std::uint32_t n) {
          return Comparison{average("npq", n), 1};
        });
  for (const std::string& technique : kPpqTechniques) {
    claim(figure, "preemption by " + technique + " is better than NPQ", counts, [&](std::uint32_t n) {
      return Comparison{of_class("average", technique, n), average("npq", n)};
    });
    for (const char* other : {"medium", "long"}) {
      claim(figure, "by " + technique + ", SHORT gains more than " + other, counts, [&](std::uint32_t n) {
        return Comparison{of_class("short", technique, n), of_class(other, technique, n)};
      });
    }
  }
  for (const char* panel : {"average", "short"}) {
    claim(figure, "context switch is ahead of drain: " + std::string(panel), counts, [&](std::uint32_t n) {
      return Comparison{of_class(panel, "context_switch", n), of_class(panel, "drain", n)};
    });
  }
}

void claim_fig6(Figure& figure, const std::vector<std::uint32_t>& counts) {
  const auto overhead = [&](const std::string& access, const std::string& technique, std::uint32_t n) {
    return mean_of(figure, access, "ppq_" + technique, n);
  };
  for (const std::string& technique : kPpqTechniques) {
    claim(figure, "by " + technique + ", shared access costs more throughput than exclusive", counts,
          [&](std::uint32_t n) {
            return Comparison{overhead("shared", technique, n), overhead("exclusive", technique, n)};
          });
  }
  claim(figure, "drain costs more throughput than context switch", counts, [&](std::uint32_t n) {
    return Comparison{overhead("exclusive", "drain", n), overhead("exclusive", "context_switch", n)};
  });
}

}  // namespace

Observe turnaround_gain(const Plan& plan, const Group& group, const std::string& from, const std::string& to,
                        std::optional<Class> only) {
  return [&plan, only, before = group.scheme(from),
          after = group.scheme(to)](const Cell& cell) -> std::optional<stats::Observation> {
    const std::uint32_t application = high_priority_application(cell);
    if (only && class_1(plan.base.processes[application].name) != *only) return std::nullopt;
    return stats::Observation{application, cell.schemes[before].ntt.front() / cell.schemes[after].ntt.front(), 1};
  };
}

Observe loss(const Group& group, const std::string& from, const std::string& to, double (Measurement::*value)() const) {
  return [value, before = group.scheme(from),
          after = group.scheme(to)](const Cell& cell) -> std::optional<stats::Observation> {
    return stats::Observation{high_priority_application(cell),
                              (cell.schemes[before].*value)() / (cell.schemes[after].*value)(), 1};
  };
}

Figure fig5(const Plan& plan, const Results& results) {
  Figure figure = bar_figure("t14-fig5", "Turnaround of the high-priority process", "NTT under FCFS / NTT");
  for (const auto& [panel, only] : kClassPanels) {
    for (const char* scheme : {"npq", "ppq_context_switch", "ppq_drain"}) {
      for (const std::uint32_t n : plan.num_processes) {
        const Group& group = results.group(std::string(kPriorityStudy), n);
        const Value value = measure(group, panel, scheme, turnaround_gain(plan, group, "fcfs", scheme, only));
        if (value.ours.number > 0) add_printed(figure, value);
      }
    }
  }
  claim_fig5(figure, plan.num_processes);
  return figure;
}

Figure fig6(const Plan& plan, const Results& results) {
  Figure figure = bar_figure("t14-fig6", "Throughput that preemptive priorities cost", "STP under NPQ / STP");
  for (const auto& [panel, infix] : {std::pair("exclusive", "ppq_"), std::pair("shared", "ppq_shared_")}) {
    for (const std::string& technique : kPpqTechniques) {
      for (const std::uint32_t n : plan.num_processes) {
        const Group& group = results.group(std::string(kPriorityStudy), n);
        add_printed(figure, measure(group, panel, "ppq_" + technique,
                                    loss(group, "npq", infix + technique, &Measurement::stp)));
      }
    }
  }
  claim_fig6(figure, plan.num_processes);
  return figure;
}

}  // namespace tessera::campaign::t14
