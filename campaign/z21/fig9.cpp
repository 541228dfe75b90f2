// SPDX-License-Identifier: Apache-2.0
// What the analysis costs, as counts that are the same on any machine: unions whose size is worked out, and these times
// their numbers of tasks, to which a test that sums over tasks takes its time.
#include <fmt/format.h>

#include "campaign/z21/figures.h"

namespace tessera::campaign::z21 {
namespace {

constexpr double kThousand = 1000;
constexpr double kFlat = 2;              // "does not depend on the total utilization": within this factor
constexpr std::uint32_t kFlatFrom = 20;  // .. where most sets have partitions of few tasks
constexpr double kSignificantly = 2;     // "reduces the analysis time significantly": at least to half

using Count = std::uint64_t Answer::*;

// Over the sets that merging was begun with, in thousands.
stats::Estimate mean_count(const Point& point, Way way, Count count) {
  std::vector<stats::Observation> observations;
  for (const SetOutcome& set : point.sets) {
    const Answer& answer = set.answers.at(way);
    if (answer.num_partitions > 0) observations.push_back({0, static_cast<double>(answer.*count) / kThousand, 1});
  }
  return stats::estimate(observations);
}

Extremes over_points(const Points& points, Way way, Count count, std::uint32_t from) {
  Extremes means;
  for (const Point& point : points) {
    const stats::Estimate ours = mean_count(point, way, count);
    if (point.utilisation >= from && ours.number > 0) means.add(ours.mean, point.utilisation);
  }
  return means;
}

// At each point from a utilisation on, what one way takes over what another does.
Extremes ratios(const Points& points, Way more, Way less, std::uint32_t from) {
  Extremes ratios;
  for (const Point& point : points) {
    const stats::Estimate of_more = mean_count(point, more, &Answer::task_tests);
    const stats::Estimate of_less = mean_count(point, less, &Answer::task_tests);
    const bool is_known = of_more.number > 0 && of_less.mean > 0;
    if (point.utilisation >= from && is_known) ratios.add(of_more.mean / of_less.mean, point.utilisation);
  }
  return ratios;
}

void add_counts(Figure& figure, const Points& points, const char* what, Count count) {
  const std::string panel = fmt::format("{} tasks: {}", points.front().num_tasks, what);
  for (const Way way : kHeuristics) {
    Curve curve{panel, kWayNames[way], {}};
    for (const Point& point : points) {
      const stats::Estimate ours = mean_count(point, way, count);
      if (ours.number == 0) continue;
      figure.values.push_back({fmt::format("{}, {}", panel, kWayNames[way]), row_of(point), 0, "", {}, ours, {}, {}});
      curve.points.push_back({static_cast<double>(point.utilisation), ours.mean});
    }
    figure.curves.push_back(std::move(curve));
  }
}

void claim_costs(Figure& figure, const Points& points) {
  const std::uint32_t num_tasks = points.front().num_tasks;
  for (const Way way : kHeuristics) {
    const Extremes all = over_points(points, way, &Answer::task_tests, kLeastUtilisation);
    const Extremes later = over_points(points, way, &Answer::task_tests, kFlatFrom);
    figure.orderings.push_back(
        {fmt::format("{} tasks: the cost of {} does not depend on U (within 2 times)", num_tasks, kWayNames[way]),
         !all.is_empty && all.most <= kFlat * all.least,
         fmt::format("{} thousand task tests; from U = {} on {}", all.text(), kFlatFrom, later.text())});
  }
  const auto claim_ratio = [&](Way more, Way less, double at_least, const std::string& claim) {
    const Extremes all = ratios(points, more, less, kLeastUtilisation);
    const Extremes later = ratios(points, more, less, kFlatFrom);
    figure.orderings.push_back({fmt::format("{} tasks: {}", num_tasks, claim), !all.is_empty && all.least >= at_least,
                                fmt::format("{} times; from U = {} on {}", all.text(), kFlatFrom, later.text())});
  };
  claim_ratio(kSmsIna, kSmsAct, kSignificantly, "SMS/ACT takes at most half of SMS/INA, at any U");
  claim_ratio(kBfIna, kBfAct, kSignificantly, "BF/ACT takes at most half of BF/INA, at any U");
  claim_ratio(kSmsIna, kBfIna, 1, "BF/INA takes less than SMS/INA, at any U");
  claim_ratio(kSmsAct, kBfAct, 1, "BF/ACT takes less than SMS/ACT, at any U");
}

}  // namespace

Figure fig9(const Study& study) {
  Figure figure = figure_over_utilisation("z21-fig9", "What the analysis costs, in thousands", "thousand");
  figure.log_axes = "y";
  for (const std::uint32_t num_tasks : {kFewTasks, kManyTasks}) {
    const Points& points = study.points(num_tasks);
    add_counts(figure, points, "unions tried", &Answer::merges_tried);
    add_counts(figure, points, "task tests", &Answer::task_tests);
    claim_costs(figure, points);
  }
  figure.notes.emplace_back(
      "Counts, not seconds: a union is counted each time that the algorithm asks for its size, although the program "
      "keeps sizes; task tests count a union as often as it has tasks. Sets that Lemma 1 rejects, or that have a task "
      "too long for the GPU, cost nothing and are left out.");
  return figure;
}

}  // namespace tessera::campaign::z21
