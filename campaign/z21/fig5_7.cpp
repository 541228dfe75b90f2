// SPDX-License-Identifier: Apache-2.0
// How many of the task sets are schedulable, over their total utilisation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/z21/figures.h"

namespace tessera::campaign::z21 {
namespace {

constexpr std::uint32_t kCritical = 35;  // "When the total utilization is less than 35 .." (7.2)
constexpr std::uint32_t kZoomFrom = 34;
constexpr std::uint32_t kZoomTo = 54;

void add_curve(Figure& figure, const std::string& panel, const Points& points, Way way, std::uint32_t from,
               std::uint32_t to) {
  Curve curve{panel, kWayNames[way], {}};
  for (const Point& point : points) {
    if (point.utilisation < from || point.utilisation > to) continue;
    curve.points.push_back({static_cast<double>(point.utilisation), rate(point, way).mean});
  }
  figure.curves.push_back(std::move(curve));
}

void add_rates(Figure& figure, const Points& points) {
  const std::size_t num_ways = points.front().sets.front().answers.size();
  for (const Point& point : points) {
    for (std::size_t way = 0; way < num_ways; ++way) {
      figure.values.push_back({kWayNames[way], row_of(point), 0, "", {}, rate(point, static_cast<Way>(way)), {}, {}});
    }
  }
  for (const Way way : {kSmsIna, kSmsAct, kBfIna, kBfAct, k1gAsPrinted, k1gSound}) {
    add_curve(figure, "(a) all", points, way, kLeastUtilisation, kMostUtilisation);
  }
  for (const Way way : kHeuristics) add_curve(figure, "(b) heuristics", points, way, kZoomFrom, kZoomTo);
}

// The lowest rate of a way below the critical utilisation.
Extremes below_critical(const Points& points, Way way) {
  Extremes rates;
  for (const Point& point : points) {
    if (point.utilisation < kCritical) rates.add(rate(point, way).mean, point.utilisation);
  }
  return rates;
}

void claim_all_accepted(Figure& figure, const Points& points) {
  Extremes rates;
  for (const Way way : kHeuristics) rates.add(below_critical(points, way).least, below_critical(points, way).least_at);
  figure.orderings.push_back(
      {"below 35 all heuristics reach 100 %", rates.least >= 100,
       rates.least >= 100 ? std::string("100 %") : fmt::format("{:.4g} % at U = {}", rates.least, rates.least_at)});
}

void claim_1g(Figure& figure, const Points& points, Way way, const std::string& name) {
  const Extremes rates = below_critical(points, way);
  figure.orderings.push_back({"below 35 " + name + " reaches 100 %", rates.least >= 100,
                              fmt::format("{:.4g} % at U = {}", rates.least, rates.least_at)});
  constexpr std::uint32_t kBefore = 34;
  constexpr std::uint32_t kAfter = 40;
  const double before = rate(at(points, kBefore), way).mean;
  const double after = rate(at(points, kAfter), way).mean;
  figure.orderings.push_back({"from 35 on " + name + " falls drastically (to less than half between 34 and 40)",
                              before > 0 && after < before / 2, fmt::format("{:.4g} and {:.4g} %", before, after)});
}

void claim_above_1g(Figure& figure, const Points& points) {
  for (const Way way : kHeuristics) {
    const Discordance found = compare(points, way, k1gAsPrinted);
    figure.orderings.push_back({fmt::format("{} accepts more than 1G as printed", kWayNames[way]),
                                found.only_first > found.only_second && found.points_for_second == 0,
                                found.text(way, k1gAsPrinted)});
  }
}

void claim_order(Figure& figure, const Points& points) {
  for (const auto& [sms, bf] : {std::pair{kSmsIna, kBfIna}, std::pair{kSmsAct, kBfAct}}) {
    const Discordance found = compare(points, sms, bf);
    figure.orderings.push_back({fmt::format("{} accepts more than {}", kWayNames[sms], kWayNames[bf]),
                                found.only_first > found.only_second && found.points_for_second == 0,
                                found.text(sms, bf)});
  }
  for (const auto& [ina, act] : {std::pair{kSmsIna, kSmsAct}, std::pair{kBfIna, kBfAct}}) {
    const Discordance found = compare(points, ina, act);
    figure.orderings.push_back({fmt::format("{} accepts slightly less than {}", kWayNames[act], kWayNames[ina]),
                                found.only_first > found.only_second && found.points_for_second == 0,
                                found.text(ina, act)});
  }
}

// How far the heuristics lie apart at most.
Extremes spreads(const Points& points) {
  Extremes spreads;
  for (const Point& point : points) {
    Extremes rates;
    for (const Way way : kHeuristics) rates.add(rate(point, way).mean, point.utilisation);
    spreads.add(rates.most - rates.least, point.utilisation);
  }
  return spreads;
}

// Where the mean load of all tasks in conflict crosses what the GPU can do.
void note_crossing(Figure& figure, const Points& points, double num_sms) {
  const auto mean_load = [](const Point& point) {
    double sum = 0;
    for (const SetOutcome& set : point.sets) sum += set.most_load;
    return sum / static_cast<double>(point.sets.size());
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double before = mean_load(points[i - 1]);
    const double after = mean_load(points[i]);
    if (before > num_sms || after <= num_sms) continue;
    const double part = (num_sms - before) / (after - before);
    const double crossing = points[i - 1].utilisation + part * kUtilisationStep;
    figure.notes.push_back(fmt::format(
        "The mean load of all tasks in conflict is {} SMs at U = {:.1f}: there 1G as printed must accept about half.",
        num_sms, crossing));
  }
}

Figure schedulability(const char* name, const Study& study, std::uint32_t num_tasks) {
  const Points& points = study.points(num_tasks);
  Figure figure =
      figure_over_utilisation(name, fmt::format("Schedulable task sets of {} tasks", num_tasks), "schedulable, %");
  add_rates(figure, points);
  claim_all_accepted(figure, points);
  claim_above_1g(figure, points);
  claim_order(figure, points);
  figure.notes.emplace_back(
      "Intervals are Wilson's. All ways are put to the same sets. A point speaks for one way where McNemar's test does "
      "at 95 %.");
  figure.notes.emplace_back(
      "1G as printed: the load in conflict is at most the number of SMs, which is necessary only. 1G sound: the demand "
      "test on all SMs, as for any partition.");
  note_crossing(figure, points, study.num_sms());
  return figure;
}

}  // namespace

Figure fig5(const Study& study) {
  const Points& points = study.points(kFewTasks);
  Figure figure = schedulability("z21-fig5", study, kFewTasks);
  claim_1g(figure, points, k1gAsPrinted, "1G as printed");
  claim_1g(figure, points, k1gSound, "1G with a sound test");
  return figure;
}

Figure fig7(const Study& study) {
  const Points& points = study.points(kManyTasks);
  Figure figure = schedulability("z21-fig7", study, kManyTasks);
  const Extremes many = spreads(points);
  const Extremes few = spreads(study.points(kFewTasks));
  figure.orderings.push_back({"the heuristics are closer to each other than with 50 tasks", many.most < few.most,
                              fmt::format("{:.4g} points apart at U = {}, with 50 tasks {:.4g} at U = {}", many.most,
                                          many.most_at, few.most, few.most_at)});
  return figure;
}

}  // namespace tessera::campaign::z21
