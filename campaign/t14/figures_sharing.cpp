// SPDX-License-Identifier: Apache-2.0
// Figures 7 and 8: all processes share the SMs equally.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "campaign/measure.h"
#include "campaign/t14/bar_figure.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {
namespace {

const std::vector<std::string> kDssSchemes{"dss_context_switch", "dss_drain"};
constexpr double kAlmostAll = 0.9;

// Every workload tells one number, made from FCFS's measurement and the scheme's.
Observe per_workload(const Group& group, const std::string& scheme,
                     double (*value)(const Measurement& fcfs, const Measurement& dss)) {
  return [value, fcfs = group.scheme("fcfs"), s = group.scheme(scheme)](const Cell& cell) {
    return std::optional(stats::Observation{0, value(cell.schemes[fcfs], cell.schemes[s]), 1});
  };
}

// NTT under FCFS over that under the scheme, of every process whose application is of the class.
Observe improvement(const Plan& plan, const Group& group, const std::string& scheme, std::optional<Class> only) {
  return [&plan, only, fcfs = group.scheme("fcfs"),
          s = group.scheme(scheme)](const Cell& cell) -> std::optional<stats::Observation> {
    stats::Observation one{0, 0, 0};
    for (std::size_t i = 0; i < cell.workload.applications.size(); ++i) {
      if (only && class_2(plan.base.processes[cell.workload.applications[i]].name) != *only) continue;
      one.sum += cell.schemes[fcfs].ntt[i] / cell.schemes[s].ntt[i];
      ++one.count;
    }
    return one.count == 0 ? std::nullopt : std::optional(one);
  };
}

// Mean over mean, not a mean of ratios.
Observe fairness_of_means(const Group& group, const std::string& scheme) {
  return [fcfs = group.scheme("fcfs"), s = group.scheme(scheme)](const Cell& cell) {
    return std::optional(stats::Observation{0, cell.schemes[s].fairness(), cell.schemes[fcfs].fairness()});
  };
}

double fairness_gain(const Measurement& fcfs, const Measurement& dss) { return dss.fairness() / fcfs.fairness(); }
double throughput_loss(const Measurement& fcfs, const Measurement& dss) { return fcfs.stp() / dss.stp(); }

// Whether the workload's ANTT is better by so many times at least.
Observe improved(const Group& group, const std::string& scheme, double threshold) {
  return [threshold, fcfs = group.scheme("fcfs"), s = group.scheme(scheme)](const Cell& cell) {
    const bool is_better = cell.schemes[fcfs].antt() >= threshold * cell.schemes[s].antt();
    return std::optional(stats::Observation{0, is_better ? 1.0 : 0.0, 1});
  };
}

// Of the workloads that either technique improves: whether draining does it better.
Observe drain_is_ahead(const Group& group) {
  return [fcfs = group.scheme("fcfs"), cs = group.scheme(kDssSchemes[0]),
          drain = group.scheme(kDssSchemes[1])](const Cell& cell) -> std::optional<stats::Observation> {
    const double best = std::min(cell.schemes[cs].antt(), cell.schemes[drain].antt());
    if (cell.schemes[fcfs].antt() < kSignificant * best) return std::nullopt;
    return stats::Observation{0, cell.schemes[drain].antt() < cell.schemes[cs].antt() ? 1.0 : 0.0, 1};
  };
}

void claim_fig7(Figure& figure, const std::vector<std::uint32_t>& counts) {
  const auto value = [&](const char* panel, const std::string& scheme) {
    return [&figure, panel, scheme](std::uint32_t n) { return mean_of(figure, panel, scheme, n); };
  };
  const auto compare = [&](auto left, auto right) {
    return [left, right](std::uint32_t n) { return Comparison{left(n), right(n)}; };
  };
  const auto one = [](std::uint32_t) { return 1.0; };
  for (const std::string& scheme : kDssSchemes) {
    claim(figure, scheme + ": SHORT gains more than MEDIUM", counts,
          compare(value("short", scheme), value("medium", scheme)));
    claim(figure, scheme + ": MEDIUM gains more than LONG", counts,
          compare(value("medium", scheme), value("long", scheme)));
    claim(figure, scheme + ": LONG pays", counts, compare(one, value("long", scheme)));
    claim(figure, scheme + ": turnaround improves on average", counts, compare(value("average", scheme), one));
    claim(figure, scheme + ": fairness improves", counts, compare(value("fairness", scheme), one));
    claim(figure, scheme + ": throughput degrades", counts, compare(value("throughput", scheme), one));
  }
  claim(figure, "turnaround: context switch is ahead of drain on average", counts,
        compare(value("average", kDssSchemes[0]), value("average", kDssSchemes[1])));
  claim(figure, "fairness: context switch is ahead of drain", counts,
        compare(value("fairness", kDssSchemes[0]), value("fairness", kDssSchemes[1])));
  claim(figure, "throughput: drain degrades it more than context switch", counts,
        compare(value("throughput", kDssSchemes[1]), value("throughput", kDssSchemes[0])));
}

std::string improved_panel(double threshold) {
  return threshold == kSignificant ? "improved" : fmt::format("improved {} times", threshold);
}

void claim_fig8(Figure& figure, const std::vector<std::uint32_t>& counts) {
  for (const std::string& scheme : kDssSchemes) {
    const auto share = [&](std::uint32_t n) { return mean_of(figure, "improved", scheme, n); };
    claim(
        figure, scheme + ": the share of improved workloads grows with their size", {counts.begin() + 1, counts.end()},
        [&](std::uint32_t n) {
          return Comparison{share(n), share(*(std::find(counts.begin(), counts.end(), n) - 1))};
        },
        std::greater_equal<>());
    std::vector<std::uint32_t> large;
    std::copy_if(counts.begin(), counts.end(), std::back_inserter(large), [](std::uint32_t n) { return n >= 6; });
    claim(
        figure, scheme + ": almost all (90 %) of the workloads of 6 and 8 improve, by 1.1 times at least", large,
        [&](std::uint32_t n) {
          return Comparison{mean_of(figure, improved_panel(kLower), scheme, n), kAlmostAll};
        },
        std::greater_equal<>());
  }
  std::vector<std::uint32_t> beyond_two;
  std::copy_if(counts.begin(), counts.end(), std::back_inserter(beyond_two), [](std::uint32_t n) { return n > 2; });
  claim(
      figure, "with more than 2 processes the techniques cross: drain is ahead for a quarter to three quarters",
      beyond_two,
      [&](std::uint32_t n) {
        return Comparison{mean_of(figure, "drain ahead", "dss_drain", n), 0.5};
      },
      [](double ours, double half) { return ours >= half / 2 && ours <= half * 3 / 2; });
}

// The ANTT of every workload under one scheme, in ascending order.
Curve antt_curve(const Group& group, const std::string& scheme) {
  std::vector<double> antt;
  for (const Cell& cell : group.cells) antt.push_back(cell.schemes[group.scheme(scheme)].antt());
  std::sort(antt.begin(), antt.end());
  Curve curve{fmt::format("{} processes", group.num_processes), scheme, {}};
  for (std::size_t i = 0; i < antt.size(); ++i) {
    curve.points.push_back({static_cast<double>(i + 1) / static_cast<double>(antt.size()), antt[i]});
  }
  return curve;
}

}  // namespace

Figure fig7(const Plan& plan, const Results& results) {
  Figure figure = bar_figure("t14-fig7", "Equal sharing: turnaround, fairness, throughput", "relative to FCFS");
  for (const auto& [panel, only] : kClassPanels) {
    for (const std::string& scheme : kDssSchemes) {
      for (const std::uint32_t n : plan.num_processes) {
        const Group& group = results.group(std::string(kSharingStudy), n);
        const Value value = measure(group, panel, scheme, improvement(plan, group, scheme, only));
        if (value.ours.number > 0) add_printed(figure, value);
      }
    }
  }
  for (const auto& [panel, of] : {std::pair("fairness", fairness_gain), std::pair("throughput", throughput_loss)}) {
    for (const std::string& scheme : kDssSchemes) {
      for (const std::uint32_t n : plan.num_processes) {
        const Group& group = results.group(std::string(kSharingStudy), n);
        add_printed(figure, measure(group, panel, scheme, per_workload(group, scheme, of)));
      }
    }
  }
  for (const std::string& scheme : kDssSchemes) {
    for (const std::uint32_t n : plan.num_processes) {
      const Group& group = results.group(std::string(kSharingStudy), n);
      Value value = measure(group, "fairness, mean over mean", scheme, fairness_of_means(group, scheme));
      value.paper = printed(figure.name, "fairness", scheme, n);
      figure.values.push_back(std::move(value));
    }
  }
  claim_fig7(figure, plan.num_processes);
  figure.notes.push_back(
      "\"Fairness\" is a mean of ratios, as the text's other averages; \"mean over mean\" is the fairness that all "
      "workloads have on average, over that of FCFS. The paper does not say which it prints.");
  return figure;
}

Figure fig8(const Plan& plan, const Results& results) {
  Figure figure;
  figure.name = "t14-fig8";
  figure.title = "ANTT of all workloads";
  figure.drawing = Drawing::kCurves;
  figure.x_label = "share of the workloads";
  figure.y_label = "ANTT";
  const auto group = [&](std::uint32_t n) -> const Group& { return results.group(std::string(kSharingStudy), n); };
  for (const std::uint32_t n : plan.num_processes) {
    for (const std::string& scheme : {std::string("fcfs"), kDssSchemes[0], kDssSchemes[1]}) {
      figure.curves.push_back(antt_curve(group(n), scheme));
    }
  }
  for (const double threshold : {kSignificant, kLower, kHigher}) {
    const std::string panel = improved_panel(threshold);
    for (const std::string& scheme : kDssSchemes) {
      for (const std::uint32_t n : plan.num_processes) {
        add_printed(figure, measure(group(n), panel, scheme, improved(group(n), scheme, threshold)));
      }
    }
  }
  for (const std::uint32_t n : plan.num_processes) {
    const Value ahead = measure(group(n), "drain ahead", "dss_drain", drain_is_ahead(group(n)));
    if (ahead.ours.number > 0) add_printed(figure, ahead);
  }
  claim_fig8(figure, plan.num_processes);
  figure.notes.push_back(
      fmt::format("\"Improved\" is an ANTT at least {} times better than under FCFS: the text says \"significantly\" "
                  "and no number. "
                  "\"Drain ahead\" is the share of the improved workloads in which draining has the lower ANTT.",
                  kSignificant));
  return figure;
}

}  // namespace tessera::campaign::t14
