// SPDX-License-Identifier: Apache-2.0
// What [S16] does not print, drawn anew for every kernel from the prior that configs/applications/rodinia/README.md
// declares: which of its claims hold whatever these inputs are, and how far its numbers spread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/paper_values.h"
#include "model/workload/draws.h"
#include "model/workload/tb_progress.h"

namespace tessera::campaign::s16 {
namespace {

constexpr std::uint64_t kPriorStream = 0x7072696F72000000;
constexpr std::uint64_t kGuestStream = 0x7072696F72677565;
constexpr double kFactor = 3;
constexpr std::uint32_t kAlwaysIdempotent = 1'000'000;

// ---- the prior -----------------------------------------------------------------------------------------------------

double uniform(std::uint64_t key, std::uint64_t number) {
  return static_cast<double>(workload::draw(key, number) >> 11) * 0x1p-53;
}

// Log-uniform in a third .. three times.
double factor(std::uint64_t key, std::uint64_t number) { return std::pow(kFactor, 2 * uniform(key, number) - 1); }

constexpr std::uint64_t kMostUnknownWork = 300'000;  // ppm

std::uint32_t scaled(std::uint32_t ppm, double by) {
  const auto most = static_cast<double>(workload::kMaxProgressSpreadPpm);  // of spreads of times too
  return static_cast<std::uint32_t>(std::min(most, std::round(ppm * by)));
}

// Nobody counts instructions: where all thread blocks are taken to do the same work, some of it may differ.
std::uint32_t work_share(std::uint32_t ppm, std::uint64_t key, std::uint64_t number) {
  if (ppm == 0) return static_cast<std::uint32_t>(workload::draw_below(key, number, kMostUnknownWork + 1));
  return static_cast<std::uint32_t>(
      std::min(static_cast<double>(workload::kMillion), std::round(ppm * factor(key, number))));
}

Change draw_of(std::uint64_t seed, std::uint32_t draw) {
  return [key = workload::mix64(workload::mix64(seed ^ kPriorStream) + draw)](std::size_t number,
                                                                              spec::KernelSpec& kernel) {
    const std::uint64_t its = workload::mix64(key + number);
    std::uint64_t i = 0;
    kernel.tb_time = static_cast<Picoseconds>(std::round(static_cast<double>(*kernel.tb_time) * factor(its, i++)));
    kernel.tb_time_spread_ppm = scaled(kernel.tb_time_spread_ppm, factor(its, i++));
    kernel.work_share_ppm = work_share(kernel.work_share_ppm, its, i++);
    kernel.segment_cpi_spread_ppm = scaled(kernel.segment_cpi_spread_ppm, factor(its, i++));
    kernel.neighbour_cpi_spread_ppm = scaled(kernel.neighbour_cpi_spread_ppm, factor(its, i++));
    if (kernel.idempotent_until_ppm == kAlwaysIdempotent) return;
    const double behind = (kAlwaysIdempotent - kernel.idempotent_until_ppm) * factor(its, i);
    const auto whole = static_cast<double>(kAlwaysIdempotent);
    kernel.idempotent_until_ppm = static_cast<std::uint32_t>(std::round(whole - std::min(whole, behind)));
  };
}

// The guest: 30 to 360 thread blocks of 5 to 100 us, both log-uniform, a spread of 0 to 0.5, and a quota of 3, 4, 5, 6
// or none.
GuestChange draw_of_guest(std::uint64_t seed, std::uint32_t draw) {
  return [key = workload::mix64(workload::mix64(seed ^ kGuestStream) + draw)](spec::KernelSpec& guest) {
    const auto between = [&](double least, double most, std::uint64_t number) {
      return least * std::pow(most / least, uniform(key, number));
    };
    constexpr std::uint32_t kQuotas[] = {3, 4, 5, 6, 0};
    guest.num_tbs = static_cast<std::uint32_t>(std::round(between(30, 360, 0)));
    guest.tb_time = static_cast<Picoseconds>(std::round(between(5e6, 100e6, 1)));
    guest.tb_time_spread_ppm = static_cast<std::uint32_t>(workload::draw_below(key, 2, 500'001));
    guest.max_tbs_per_sm = kQuotas[workload::draw_below(key, 3, std::size(kQuotas))];
  };
}

// ---- what is asked of every draw -----------------------------------------------------------------------------------

struct Number {
  std::string name;
  std::optional<double> paper;
  std::function<double(const Samples&)> of;
};

std::function<double(const Samples&)> late(const Scheme& scheme, std::uint32_t limit, spec::SwitchPricing pricing) {
  return [=](const Samples& s) { return s.late(setting_of(scheme, limit, pricing)).mean; };
}

std::function<double(const Samples&)> late_requests(const Scheme& scheme, std::uint32_t limit,
                                                    spec::SwitchPricing pricing) {
  return [=](const Samples& s) { return s.late_requests(setting_of(scheme, limit, pricing)).mean; };
}

std::function<double(const Samples&)> wasted(const Scheme& scheme, std::uint32_t limit, spec::SwitchPricing pricing) {
  return [=](const Samples& s) { return s.overhead(setting_of(scheme, limit, pricing)).mean; };
}

double more_in_use(const Samples& s, spec::SwitchPricing pricing) {
  return average(s.of(kDual, kTightUs, pricing), utilisation()).mean /
         average(s.of(kChimera, kTightUs, pricing), utilisation()).mean;
}

double error_of(const Samples& s, const Scheme& scheme) {
  return average(s.of(setting_of(scheme, kAllDrain, spec::SwitchPricing::kPerTb)), total_estimate_error()).mean;
}

std::vector<Number> numbers() {
  std::vector<Number> all;
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string name = name_of(pricing);
    for (const Scheme& scheme : {kChimera, kDual, kOracle}) {
      for (const std::uint32_t limit : {2U, 5U}) {
        all.push_back({fmt::format("{}: {} late at {} us, %", name, scheme.name, limit),
                       printed("s16-fig4_5a", kAverage, scheme.name, limit), late(scheme, limit, pricing)});
        all.push_back({fmt::format("{}: requests of {} late at {} us, %", name, scheme.name, limit),
                       printed("s16-fig4_5a", kAverage, scheme.name, limit), late_requests(scheme, limit, pricing)});
      }
    }
    for (const Scheme& scheme : {kChimera, kDual}) {
      for (const std::uint32_t limit : {2U, 5U}) {
        all.push_back({fmt::format("{}: {} wastes at {} us, %", name, scheme.name, limit),
                       printed("s16-fig4_5b", kAverage, scheme.name, limit), wasted(scheme, limit, pricing)});
      }
    }
    all.push_back({name + ": in use, times chimera's", printed("s16-fig4_4", kAverage, "ratio"),
                   [=](const Samples& s) { return more_in_use(s, pricing); }});
  }
  all.push_back({"estimates err less than chimera's, points", printed("s16-fig4_2", kAverage, "reduction"),
                 [](const Samples& s) { return error_of(s, kChimera) - error_of(s, kChimeraPlus); }});
  return all;
}

// The figures of chapter 4, for what they claim.
std::vector<Figure> figures_of(const Samples& samples) {
  return {fig4_1(samples),  fig4_2(samples),           fig4_3(samples),  fig4_4(samples),
          fig4_5a(samples), fig4_5a_requests(samples), fig4_5b(samples), fig4_5c(samples)};
}

std::vector<Setting> settings_of_figures() {
  std::vector<Setting> settings;
  for (const auto& its : {settings_of_42(), settings_of_43(), settings_of_44(), settings_of_45()})
    settings.insert(settings.end(), its.begin(), its.end());
  return settings;
}

// In how many draws a claim holds, of those that make it: all, and those whose guest has a quota.
struct Count {
  std::uint32_t draws = 0;
  std::uint32_t holds = 0;
  std::uint32_t with_quota = 0;
  std::uint32_t holds_with_quota = 0;

  void add(bool does_hold, bool has_quota) {
    ++draws;
    holds += does_hold ? 1 : 0;
    with_quota += has_quota ? 1 : 0;
    holds_with_quota += has_quota && does_hold ? 1 : 0;
  }
};

void add_claims(Figure& figure, const std::vector<Samples>& draws) {
  std::vector<std::string> texts;  // in the order of the figures
  std::map<std::string, Count> counts;
  for (const Samples& draw : draws) {
    for (const Figure& its : figures_of(draw)) {
      for (const Ordering& ordering : its.orderings) {
        const std::string text = its.name + ", " + ordering.claim;
        if (counts.count(text) == 0) texts.push_back(text);
        counts[text].add(ordering.holds, draw.study().guest.max_tbs_per_sm > 0);
      }
    }
  }
  for (const std::string& text : texts) {
    const Count& count = counts.at(text);
    figure.orderings.push_back({text, count.holds == count.draws,
                                fmt::format("in {} of {} draws: {} of {} with a quota, {} of {} without", count.holds,
                                            count.draws, count.holds_with_quota, count.with_quota,
                                            count.holds - count.holds_with_quota, count.draws - count.with_quota)});
  }
}

// ---- the figure ----------------------------------------------------------------------------------------------------

// Shares of draws in which a number is no more than x.
Curve distribution(const std::string& panel, const std::string& series, std::vector<double> drawn) {
  std::sort(drawn.begin(), drawn.end());
  Curve curve{panel, series, {}};
  for (std::size_t i = 0; i < drawn.size(); ++i)
    curve.points.push_back({drawn[i], 100 * static_cast<double>(i + 1) / static_cast<double>(drawn.size())});
  return curve;
}

void add_number(Figure& figure, const Number& number, const Samples& configured, const std::vector<Samples>& draws) {
  std::vector<double> drawn;
  for (const Samples& draw : draws) drawn.push_back(number.of(draw));
  std::sort(drawn.begin(), drawn.end());
  const std::size_t half = drawn.size() / 2;
  const double median = drawn.size() % 2 == 1 ? drawn[half] : (drawn[half - 1] + drawn[half]) / 2;
  const auto add = [&](const char* panel, double value) {
    figure.values.push_back(bar(panel, number.name, {}, stats::Estimate{value, 0, 0}));
  };
  if (number.paper) add("printed", *number.paper);
  add("configured", number.of(configured));
  add("least", drawn.front());
  add("median", median);
  add("most", drawn.back());
}

}  // namespace

void prior(const Request& request, Reproduction& to) {
  const spec::Spec base = request.load({});
  const std::uint32_t num_draws = std::max(2U, request.num_workloads);
  const std::uint32_t probes = std::max(2U, request.num_workloads * 3 / 5);
  const std::vector<Setting> settings = settings_of_figures();
  Samples configured(make_study(base, probes), settings);
  std::vector<Samples> draws;
  for (std::uint32_t i = 0; i < num_draws; ++i)
    draws.emplace_back(make_study(base, probes, draw_of(base.seed, i), 0, draw_of_guest(base.seed, i)), settings);
  std::vector<Samples*> all{&configured};
  for (Samples& draw : draws) all.push_back(&draw);
  run_all(all, request, to);

  Figure figure;
  figure.name = "s16-prior";
  figure.title = fmt::format("{} draws of what is not printed", num_draws);
  figure.is_matrix = true;
  figure.drawing = Drawing::kCurves;
  figure.log_axes = "";
  figure.x_label = "% of SMs late, or % of instructions wasted";
  figure.y_label = "% of draws";
  for (const Number& number : numbers()) add_number(figure, number, configured, draws);
  add_claims(figure, draws);
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : {kChimera, kDual, kOracle}) {
      std::vector<double> of_late, of_wasted;
      for (const Samples& draw : draws) {
        of_late.push_back(late(scheme, kTightUs, pricing)(draw));
        of_wasted.push_back(wasted(scheme, kTightUs, pricing)(draw));
      }
      figure.curves.push_back(distribution("late at 2 us, " + name_of(pricing), scheme.name, of_late));
      figure.curves.push_back(distribution("wasted at 2 us, " + name_of(pricing), scheme.name, of_wasted));
    }
  }
  figure.notes.push_back(fmt::format(
      "Each kernel's time of a thread block, its spread, the two spreads of CPI and what lies behind the point of "
      "those that are not idempotent are drawn log-uniformly from a third to three times what is configured, and so "
      "is work_share; where it is 0, uniformly from 0 to 0.3. The preempting kernel has 30 to 360 thread blocks of 5 "
      "to "
      "100 us, both log-uniformly, a spread of 0 to 0.5, and a quota of 3, 4, 5, 6 or none "
      "(configs/applications/rodinia/README.md). {} requests of a kernel and setting. A claim holds here if it does in "
      "all draws. \"Configured\" has the same few requests, so that it differs from the figures.",
      probes));
  to.figures.push_back(std::move(figure));
}

}  // namespace tessera::campaign::s16
