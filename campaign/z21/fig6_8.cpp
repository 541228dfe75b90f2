// SPDX-License-Identifier: Apache-2.0
// What the accepted task sets load the GPU with, between the load without contention and that in a single partition;
// and how many partitions they have.
#include <fmt/format.h>

#include "campaign/z21/figures.h"

namespace tessera::campaign::z21 {
namespace {

const std::string kLoad = "load / U";
const std::string kPartitions = "partitions";
const std::string kTasksAPartition = "tasks a partition";
const std::string kPairs = "partitions of a compute and a memory task, %";

// The partitions are "around 25" (7.2) within so many.
constexpr double kAround = 5;
constexpr std::uint32_t kManyPartitions = 22;  // below, fewer are enough

stats::Estimate mean_load(const Point& point, Way way) {
  return mean_of_accepted(point, way,
                          [&](const SetOutcome&, const Answer& answer) { return answer.load / point.utilisation; });
}

stats::Estimate mean_partitions(const Point& point, Way way) {
  return mean_of_accepted(point, way, [](const SetOutcome&, const Answer& answer) { return answer.num_partitions; });
}

stats::Estimate mean_tasks(const Point& point, Way way) {
  return mean_of_accepted(point, way, [&](const SetOutcome&, const Answer& answer) {
    return static_cast<double>(point.num_tasks) / answer.num_partitions;
  });
}

stats::Estimate mean_pairs(const Point& point, Way way) {
  return mean_of_accepted(point, way, [](const SetOutcome&, const Answer& answer) {
    return 100.0 * answer.num_pairs / answer.num_partitions;
  });
}

stats::Estimate mean_bound(const Point& point, double SetOutcome::*bound) {
  std::vector<stats::Observation> observations;
  for (const SetOutcome& set : point.sets) observations.push_back({0, set.*bound / point.utilisation, 1});
  return stats::estimate(observations);
}

void add(Figure& figure, const std::string& panel, const std::string& series, const Points& points,
         const std::function<stats::Estimate(const Point&)>& estimate_at) {
  Curve curve{panel, series, {}};
  for (const Point& point : points) {
    const stats::Estimate ours = estimate_at(point);
    if (ours.number == 0) continue;  // no set is accepted
    figure.values.push_back({fmt::format("{}, {}", panel, series), row_of(point), 0, "", {}, ours, {}, {}});
    curve.points.push_back({static_cast<double>(point.utilisation), ours.mean});
  }
  figure.curves.push_back(std::move(curve));
}

// The means at points with accepted sets, of all heuristics, from a utilisation on.
Extremes over_heuristics(const Points& points, std::uint32_t from, stats::Estimate (*mean)(const Point&, Way)) {
  Extremes means;
  for (const Point& point : points) {
    for (const Way way : kHeuristics) {
      const stats::Estimate ours = mean(point, way);
      if (point.utilisation >= from && ours.number > 0) means.add(ours.mean, point.utilisation);
    }
  }
  return means;
}

void claim_bounds(Figure& figure, const Points& points) {
  std::size_t sets = 0;
  std::size_t outside = 0;
  for (const Point& point : points) {
    for (const SetOutcome& set : point.sets) {
      for (const Way way : kHeuristics) {
        const Answer& answer = set.answers.at(way);
        if (!answer.is_accepted) continue;
        constexpr double kRounding = 1e-9;
        ++sets;
        outside += answer.load < set.least_load - kRounding || answer.load > set.most_load + kRounding;
      }
    }
  }
  figure.orderings.push_back(
      {"loads lie between the bounds", outside == 0, fmt::format("of {} partitionings {} lie outside", sets, outside)});
}

stats::Estimate mean_of_1g(const Point& point, Way way) {
  return mean_of_accepted(point, way,
                          [](const SetOutcome& set, const Answer& answer) { return answer.load / set.most_load; });
}

void claim_below_1g(Figure& figure, const Points& points) {
  const Extremes of_1g = over_heuristics(points, kLeastUtilisation, mean_of_1g);
  figure.orderings.push_back(
      {"the load is below that of 1G at any U", !of_1g.is_empty && of_1g.most < 1, of_1g.text() + " times that of 1G"});
}

// Over the sets that both accept.
void claim_bf_loads_more(Figure& figure, const Points& points) {
  for (const auto& [sms, bf] : {std::pair{kSmsIna, kBfIna}, std::pair{kSmsAct, kBfAct}}) {
    std::vector<stats::Observation> differences;
    for (const Point& point : points) {
      for (const SetOutcome& set : point.sets) {
        if (!set.answers.at(sms).is_accepted || !set.answers.at(bf).is_accepted) continue;
        differences.push_back({point.utilisation, set.answers[bf].load - set.answers[sms].load, 1});
      }
    }
    const stats::Estimate more = stats::estimate(differences);
    figure.orderings.push_back({fmt::format("{} schedules more load than {}", kWayNames[bf], kWayNames[sms]),
                                more.mean > more.half_width,
                                fmt::format("{:+.3g} ± {:.2g} SMs where both accept", more.mean, more.half_width)});
  }
}

Figure efficiency(const char* name, const Points& points) {
  Figure figure = figure_over_utilisation(
      name, fmt::format("Load and partitions of {} tasks, of accepted sets", points.front().num_tasks), "");
  add(figure, kLoad, "no conflict", points, [](const Point& p) { return mean_bound(p, &SetOutcome::least_load); });
  add(figure, kLoad, "1G", points, [](const Point& p) { return mean_bound(p, &SetOutcome::most_load); });
  for (const Way way : kHeuristics) {
    add(figure, kLoad, kWayNames[way], points, [way](const Point& p) { return mean_load(p, way); });
  }
  for (const Way way : kHeuristics) {
    add(figure, kPartitions, kWayNames[way], points, [way](const Point& p) { return mean_partitions(p, way); });
  }
  for (const Way way : kHeuristics) {
    add(figure, kTasksAPartition, kWayNames[way], points, [way](const Point& p) { return mean_tasks(p, way); });
  }
  for (const Way way : kHeuristics) {
    add(figure, kPairs, kWayNames[way], points, [way](const Point& p) { return mean_pairs(p, way); });
  }
  claim_bounds(figure, points);
  claim_below_1g(figure, points);
  claim_bf_loads_more(figure, points);
  figure.notes.emplace_back(
      "Means over the sets that a way accepts, so the curves of two ways end at different sets; the bounds are over "
      "all "
      "sets. Merging goes on until no merge saves an SM.");
  return figure;
}

// Load over the lower bound.
Extremes excess(const Points& points) {
  Extremes excess;
  for (const Point& point : points) {
    for (const Way way : kHeuristics) {
      const stats::Estimate ours = mean_of_accepted(
          point, way, [](const SetOutcome& set, const Answer& answer) { return answer.load / set.least_load; });
      if (ours.number > 0) excess.add(ours.mean, point.utilisation);
    }
  }
  return excess;
}

}  // namespace

Figure fig6(const Study& study) {
  const Points& points = study.points(kFewTasks);
  Figure figure = efficiency("z21-fig6", points);
  const Extremes all = over_heuristics(points, kLeastUtilisation, mean_partitions);
  const auto is_around_25 = [](const Extremes& partitions) {
    return partitions.least >= 25 - kAround && partitions.most <= 25 + kAround;
  };
  figure.orderings.push_back({"about 25 partitions (20 to 30), at any U", is_around_25(all), all.text()});
  const Extremes many = over_heuristics(points, kManyPartitions, mean_partitions);
  figure.orderings.push_back({"about 25 partitions (20 to 30) from U = 22 on", is_around_25(many), many.text()});
  const Extremes pairs = over_heuristics(points, kLeastUtilisation, mean_pairs);
  figure.orderings.push_back(
      {"most partitions hold a single compute and a single memory task (more than half), at any U", pairs.least > 50,
       pairs.text() + " %"});
  return figure;
}

Figure fig8(const Study& study) {
  const Points& points = study.points(kManyTasks);
  Figure figure = efficiency("z21-fig8", points);
  const Extremes tasks = over_heuristics(points, kLeastUtilisation, mean_tasks);
  figure.orderings.push_back({"more than 4 tasks a partition, at any U", tasks.least > 4, tasks.text()});
  const Extremes many = excess(points);
  const Extremes few = excess(study.points(kFewTasks));
  figure.orderings.push_back({"the load is farther above its lower bound than with 50 tasks (at most)",
                              many.most > few.most,
                              fmt::format("{:.4g} times at U = {}, with 50 tasks {:.4g} at U = {}", many.most,
                                          many.most_at, few.most, few.most_at)});
  return figure;
}

}  // namespace tessera::campaign::z21
