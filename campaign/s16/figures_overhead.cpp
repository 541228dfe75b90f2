// SPDX-License-Identifier: Apache-2.0
// Figures 4.3 and 4.4: what preemption wastes, and what it leaves unused.
#include <fmt/format.h>

#include <algorithm>

#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/paper_values.h"

namespace tessera::campaign::s16 {
namespace {

const std::vector<Scheme> kOf43{kChimera, kChimeraPlus, kDual};
const std::vector<Scheme> kOf44{kChimera, kDual};

std::vector<Setting> at_tight_limit(const std::vector<Scheme>& schemes) {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : schemes) settings.push_back(setting_of(scheme, kTightUs, pricing));
  }
  return settings;
}

std::string two(double a, double b) { return fmt::format("{:.3g} and {:.3g} %", a, b); }

void add_claims_43(Figure& figure, const Samples& samples, spec::SwitchPricing pricing) {
  const std::string panel = name_of(pricing);
  const auto of = [&](const Scheme& scheme, const std::string& benchmark = {}) {
    return samples.overhead(setting_of(scheme, kTightUs, pricing), benchmark).mean;
  };
  figure.orderings.push_back(
      {panel + ": dual_kernel wastes less than chimera", of(kDual) < of(kChimera), two(of(kDual), of(kChimera))});
  for (const char* benchmark : {"srad", "b+tree"}) {
    const double plus = of(kChimeraPlus, benchmark), plain = of(kChimera, benchmark);
    figure.orderings.push_back(
        {fmt::format("{}: chimera+ wastes more than chimera in {}", panel, benchmark), plus > plain, two(plus, plain)});
  }
  std::size_t no_more = 0;
  std::pair<double, std::string> best{-1e9, ""};
  std::string exceptions;
  const std::vector<std::string> benchmarks = samples.study().benchmarks();
  for (const std::string& benchmark : benchmarks) {
    const double gain = of(kChimera, benchmark) - of(kDual, benchmark);
    if (gain >= 0) {
      ++no_more;
    } else {
      exceptions += fmt::format("{}{} {:.3g}", exceptions.empty() ? "" : ", ", benchmark, -gain);
    }
    if (gain > best.first) best = {gain, benchmark};
  }
  figure.orderings.push_back({panel + ": dual_kernel wastes no more than chimera in most benchmarks",
                              2 * no_more > benchmarks.size(), fmt::format("{} of {}", no_more, benchmarks.size())});
  figure.orderings.push_back({panel + ": b+tree is the one benchmark in which dual_kernel wastes more (12.5 points)",
                              no_more + 1 == benchmarks.size() && of(kDual, "b+tree") > of(kChimera, "b+tree"),
                              exceptions.empty() ? "none" : exceptions + " points"});
  figure.orderings.push_back(
      {panel + ": bfs gains most", best.second == "bfs",
       fmt::format("{} {:.3g} points, bfs {:.3g}", best.second, best.first, of(kChimera, "bfs") - of(kDual, "bfs"))});
}

}  // namespace

std::vector<Setting> settings_of_43() { return at_tight_limit(kOf43); }
std::vector<Setting> settings_of_44() { return at_tight_limit(kOf44); }

Figure fig4_3(const Samples& samples) {
  Figure figure = campaign_figure("s16-fig4_3", "Normalised throughput overhead at 2 us", "% of flushing the same");
  figure.drawing = Drawing::kBars;
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    for (const Scheme& scheme : kOf43) {
      const Setting setting = setting_of(scheme, kTightUs, pricing);
      for (const std::string& benchmark : samples.study().benchmarks())
        figure.values.push_back(bar(panel, scheme.name, benchmark, samples.overhead(setting, benchmark)));
      figure.values.push_back(bar(panel, scheme.name, kAverage, samples.overhead(setting),
                                  printed("s16-fig4_5b", kAverage, scheme.name, kTightUs)));
    }
    const stats::Estimate chimera = samples.overhead(setting_of(kChimera, kTightUs, pricing));
    const stats::Estimate dual = samples.overhead(setting_of(kDual, kTightUs, pricing));
    stats::Estimate less = ratio(dual, chimera);
    less.mean = 100 * (1 - less.mean);
    less.half_width *= 100;
    figure.values.push_back(
        bar(panel, "reduction", "reduction", less, printed("s16-fig4_3", kAverage, "reduction", kTightUs)));
    add_claims_43(figure, samples, pricing);
  }
  figure.notes.emplace_back(
      "Instructions wasted (flush: those executed; switch: twice its time at the thread block's own rate; drain: "
      "none) over what flushing the same victims would waste. Above 100 %: switching costs more than dropping. "
      "\"Reduction\" is of dual_kernel against chimera, relative, as the paper's 25.3 is.");
  figure.notes.emplace_back(
      "Hangs on the times of thread blocks, against 2 us and against the price of a switch, and on the points of the "
      "kernels that are not idempotent.");
  return figure;
}

Figure fig4_4(const Samples& samples) {
  Figure figure = campaign_figure("s16-fig4_4", "Registers in use while SMs are preempted, at 2 us", "% of registers");
  figure.drawing = Drawing::kBars;
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    const auto add = [&](const char* series, const Sample& sample, const Measure& measure) {
      for (const std::string& benchmark : samples.study().benchmarks()) {
        const stats::Estimate one = of_benchmark(sample, benchmark, measure);
        if (one.number > 0) figure.values.push_back(bar(panel, series, benchmark, one));
      }
      figure.values.push_back(bar(panel, series, kAverage, average(sample, measure)));
    };
    const Sample& chimera = samples.of(kChimera, kTightUs, pricing);
    const Sample& dual = samples.of(kDual, kTightUs, pricing);
    add("MAX", chimera, utilisation_before());
    add(kChimera.name, chimera, utilisation());
    add(kDual.name, dual, utilisation());
    const stats::Estimate more = ratio(average(dual, utilisation()), average(chimera, utilisation()));
    const double printed_ratio = printed("s16-fig4_4", kAverage, "ratio", kTightUs).value_or(0);
    figure.orderings.push_back(
        {panel + ": more is in use with two kernels on an SM", more.mean > 1,
         fmt::format("{:.3g} +- {:.2g} times as much, {:.3g} printed", more.mean, more.half_width, printed_ratio)});
    const double hotspot = of_benchmark(dual, "hotspot", utilisation()).mean;
    const double before = of_benchmark(dual, "hotspot", utilisation_before()).mean;
    figure.orderings.push_back(
        {panel + ": in hotspot more is in use than without preemption", hotspot > before, two(hotspot, before)});
  }
  figure.notes.emplace_back(
      "The paper does not say what it measures. Here: registers of resident thread blocks of both kernels, from the "
      "kernel's arrival to the last place granted, every cycle alike, over the registers of all SMs. MAX is what the "
      "benchmark holds when the kernel arrives.");
  return figure;
}

}  // namespace tessera::campaign::s16
