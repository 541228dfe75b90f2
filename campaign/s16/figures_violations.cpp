// SPDX-License-Identifier: Apache-2.0
// Figures 4.1 and 4.2: SMs that come too late, and how well their draining was estimated.
#include <fmt/format.h>

#include <algorithm>

#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/paper_values.h"

namespace tessera::campaign::s16 {
namespace {

const std::vector<Scheme> kOf41{kChimera, kDual, kOracle};

std::optional<double> printed_of(const char* figure, const std::string& panel, const char* series) {
  return printed(figure, panel, series, kTightUs);
}

// Benchmarks by how many points fewer SMs are late than under Chimera, the most first.
std::vector<std::pair<double, std::string>> gains(const Samples& samples, spec::SwitchPricing pricing) {
  std::vector<std::pair<double, std::string>> found;
  for (const std::string& benchmark : samples.study().benchmarks()) {
    const double gain = samples.late(setting_of(kChimera, kTightUs, pricing), benchmark).mean -
                        samples.late(setting_of(kDual, kTightUs, pricing), benchmark).mean;
    found.emplace_back(gain, benchmark);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return found;
}

void add_claims_41(Figure& figure, const Samples& samples, spec::SwitchPricing pricing) {
  const std::string panel = name_of(pricing);
  const double chimera = samples.late(setting_of(kChimera, kTightUs, pricing)).mean;
  const double dual = samples.late(setting_of(kDual, kTightUs, pricing)).mean;
  const double oracle = samples.late(setting_of(kOracle, kTightUs, pricing)).mean;
  const auto pair = [](double a, double b) { return fmt::format("{:.3g} and {:.3g} %", a, b); };
  figure.orderings.push_back(
      {panel + ": dual_kernel violates no more than chimera", dual <= chimera, pair(dual, chimera)});
  figure.orderings.push_back(
      {panel + ": oracle violates no more than dual_kernel", oracle <= dual, pair(oracle, dual)});
  figure.orderings.push_back(
      {panel + ": dual_kernel is within 2 points of oracle", dual - oracle <= 2, pair(dual, oracle)});
  const auto late_requests = [&](const Scheme& scheme) {
    return samples.late_requests(setting_of(scheme, kTightUs, pricing)).mean;
  };
  const auto no_more = [&](const Scheme& one, const Scheme& other) {
    const double a = late_requests(one), b = late_requests(other);
    figure.orderings.push_back(
        {fmt::format("{}: by the request, {} violates no more than {}", panel, one.name, other.name), a <= b,
         pair(a, b)});
  };
  no_more(kDual, kChimera);
  no_more(kOracle, kDual);
  const auto sorted = gains(samples, pricing);
  const std::string most = fmt::format("{} {:.3g}, {} {:.3g}, {} {:.3g} points", sorted[0].second, sorted[0].first,
                                       sorted[1].second, sorted[1].first, sorted[2].second, sorted[2].first);
  const auto is_among = [&](const char* name) { return sorted[0].second == name || sorted[1].second == name; };
  figure.orderings.push_back({panel + ": b+tree and srad gain most", is_among("b+tree") && is_among("srad"), most});
  std::pair<double, std::string> worst{-1, ""};
  for (const std::string& benchmark : samples.study().benchmarks()) {
    const double late = samples.late(setting_of(kChimera, kTightUs, pricing), benchmark).mean;
    if (late > worst.first) worst = {late, benchmark};
  }
  figure.orderings.push_back({panel + ": b+tree violates most under chimera", worst.second == "b+tree",
                              fmt::format("{} {:.3g} %", worst.second, worst.first)});
}

}  // namespace

std::vector<Setting> settings_of_41() {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kOf41) {
      settings.push_back(setting_of(scheme, kTightUs, pricing));
      settings.push_back(by_request(settings.back()));
    }
  }
  return settings;
}

Figure fig4_1(const Samples& samples) {
  Figure figure = campaign_figure("s16-fig4_1", "SMs that are granted later than 2 us", "% of SMs");
  figure.drawing = Drawing::kBars;
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    for (const Scheme& scheme : kOf41) {
      const Setting setting = setting_of(scheme, kTightUs, pricing);
      const Sample& sample = samples.of(setting);
      for (const std::string& benchmark : samples.study().benchmarks())
        figure.values.push_back(bar(panel, scheme.name, benchmark, samples.late(setting, benchmark)));
      figure.values.push_back(
          bar(panel, scheme.name, kAverage, samples.late(setting), printed_of("s16-fig4_1", "average", scheme.name)));
      figure.values.push_back(
          bar(panel, scheme.name, "average of requests", average(sample, late_requests(samples.gpu(), setting.limit))));
      figure.values.push_back(bar(panel, scheme.name, "average of places", average(sample, late_places())));
      figure.values.push_back(bar(panel, scheme.name, "average of completions", samples.late_requests(setting)));
    }
    add_claims_41(figure, samples, pricing);
    figure.orderings.back().evidence +=
        fmt::format("; b+tree gains {:.3g} points, 23.1 printed",
                    difference(samples.late(setting_of(kChimera, kTightUs, pricing), "b+tree"),
                               samples.late(setting_of(kDual, kTightUs, pricing), "b+tree"))
                        .mean);
  }
  figure.notes.emplace_back(
      "The paper prints averages only. An SM is late when its last place is granted later than 2 us after the kernel's "
      "arrival; \"average of requests\" counts requests that have such an SM, \"average of places\" the thread blocks "
      "of the kernel that wait so long; \"average of completions\" counts requests whose last thread block ends later "
      "than the limit and the kernel's time alone after its arrival. The oracle knows when a thread block will end, "
      "and chooses by Algorithm 1 all "
      "the same: it is late where no way out is short enough.");
  figure.notes.emplace_back(
      "The level hangs on what is not printed: times of thread blocks (against 2 us), the points of the kernels that "
      "are not idempotent, and how much of the spread of times is work (s16-work, s16-prior).");
  return figure;
}

std::vector<Setting> settings_of_42() {
  std::vector<Setting> settings = settings_of_41();
  for (const Scheme& scheme : {kChimera, kChimeraPlus})
    settings.push_back(setting_of(scheme, kAllDrain, spec::SwitchPricing::kPerTb));
  return settings;
}

namespace {

// Two estimators on the victims that drained under a limit, or on all thread blocks.
void add_errors(Figure& figure, const Samples& samples, const std::string& panel, const Sample& theirs,
                const Sample& ours, const std::vector<std::string>& gaining) {
  for (const auto& [sample, name] : {std::pair(&theirs, kChimera.name), std::pair(&ours, kDual.name)}) {
    for (const std::string& benchmark : samples.study().benchmarks()) {
      const stats::Estimate error = of_benchmark(*sample, benchmark, total_estimate_error());
      if (error.number > 0) figure.values.push_back(bar(panel, name, benchmark, error));
    }
    figure.values.push_back(bar(panel, name, kAverage, average(*sample, total_estimate_error())));
    figure.values.push_back(bar(panel, name, "mean of ratios", average(*sample, estimate_error())));
    if (!gaining.empty())
      figure.values.push_back(bar(panel, name, "that gain", average(*sample, total_estimate_error(), gaining)));
  }
  const auto claim = [&](const char* of, const stats::Estimate& a, const stats::Estimate& b) {
    figure.orderings.push_back(
        {fmt::format("{}: the estimator of [S16] errs less than Chimera's, {}", panel, of), b.mean < a.mean,
         fmt::format("{:.3g} and {:.3g} %, {:.3g} points less", b.mean, a.mean, a.mean - b.mean)});
  };
  claim("over all benchmarks", average(theirs, total_estimate_error()), average(ours, total_estimate_error()));
  claim("as a mean of ratios", average(theirs, estimate_error()), average(ours, estimate_error()));
  if (gaining.empty()) return;
  claim("over those that gain (15.6 points printed)", average(theirs, total_estimate_error(), gaining),
        average(ours, total_estimate_error(), gaining));
}

}  // namespace

Figure fig4_2(const Samples& samples) {
  Figure figure = campaign_figure("s16-fig4_2", "Error of the estimated draining latency", "% of what draining took");
  figure.drawing = Drawing::kBars;
  constexpr std::size_t kThatGain = 3;  // as many as the paper shows
  const auto estimated = [&](const Scheme& scheme) -> const Sample& {
    return samples.of(setting_of(scheme, kAllDrain, spec::SwitchPricing::kPerTb));
  };
  for (const spec::SwitchPricing pricing : kPricings) {
    std::vector<std::string> gaining;
    for (const auto& [gain, benchmark] : gains(samples, pricing)) {
      if (gain > 0 && gaining.size() < kThatGain) gaining.push_back(benchmark);
    }
    if (pricing == spec::SwitchPricing::kPerTb)
      add_errors(figure, samples, "all thread blocks", estimated(kChimera), estimated(kChimeraPlus), gaining);
    add_errors(figure, samples, "drained victims, " + name_of(pricing), samples.of(kChimera, kTightUs, pricing),
               samples.of(kDual, kTightUs, pricing), gaining);
    std::string names;
    for (const std::string& benchmark : gaining) names += (names.empty() ? "" : ", ") + benchmark;
    figure.notes.push_back(fmt::format("{}: most gained by {}.", name_of(pricing), names.empty() ? "none" : names));
  }
  figure.notes.emplace_back(
      "The sum of |estimate - real| over the sum of real, of a benchmark; \"mean of ratios\" is that of |estimate - "
      "real| / real, which victims that end at once dominate. Drained victims are those that a scheme chose to drain "
      "within 2 us: a scheme drains what it believes to be nearly done, so that the two schemes drain different ones. "
      "\"All thread blocks\" asks both estimators for all that run when the kernel arrives, whatever becomes of them.");
  figure.notes.emplace_back(
      "Hangs on how much of the spread of times is work (s16-work), and on the two spreads of CPI; none is printed. "
      "Without the one between neighbours, thread blocks on an SM tell nothing of each other.");
  return figure;
}

}  // namespace tessera::campaign::s16
