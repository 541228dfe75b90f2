// SPDX-License-Identifier: Apache-2.0
// Figure 4.5: violations, overhead and ways out over the latency limit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/s16/over_limits.h"

namespace tessera::campaign::s16 {
namespace {

constexpr preemption::Exit kWays[] = {preemption::Exit::kDrain, preemption::Exit::kFlush, preemption::Exit::kSwitch};
constexpr double kAlmost = 10;  // points: ours, for "almost the same"
constexpr const char* kWayNames[] = {"drain", "flush", "switch"};

// By how many points the shares of two schemes' ways out differ at most.
double apart(const Samples& samples, std::uint32_t limit, spec::SwitchPricing pricing) {
  double most = 0;
  for (const preemption::Exit way : kWays) {
    const double chimera = average(samples.of(kChimera, limit, pricing), share_of(way)).mean;
    most = std::max(most, std::abs(chimera - average(samples.of(kDual, limit, pricing), share_of(way)).mean));
  }
  return most;
}

}  // namespace

std::vector<Setting> settings_of_45() {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kOverLimits) {
      for (const std::uint32_t limit : kLimitsUs) {
        settings.push_back(setting_of(scheme, limit, pricing));
        settings.push_back(by_request(settings.back()));
      }
    }
  }
  return settings;
}

Figure fig4_5a(const Samples& samples) {
  Figure figure = over_limits("s16-fig4_5a", "s16-fig4_5a", "SMs that are granted later than the limit", "% of SMs",
                              [&](const Setting& setting) { return samples.late(setting); });
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    const auto late = [&](const Scheme& scheme, std::uint32_t limit) {
      return samples.late(setting_of(scheme, limit, pricing)).mean;
    };
    claim_at_limits(figure, panel + ": dual_kernel violates no more than chimera", [&](std::uint32_t limit) {
      const double a = late(kDual, limit), b = late(kChimera, limit);
      return Verdict{a, b, a <= b};
    });
    claim_at_limits(figure, panel + ": dual_kernel is within 2 points of oracle", [&](std::uint32_t limit) {
      const double a = late(kDual, limit), b = late(kOracle, limit);
      return Verdict{a, b, a - b <= 2};
    });
    for (const Scheme& scheme : {kDual, kOracle}) {
      const double at4 = late(scheme, 4), at5 = late(scheme, 5);
      figure.orderings.push_back({fmt::format("{}: {} never violates 4 and 5 us", panel, scheme.name),
                                  at4 == 0 && at5 == 0, fmt::format("{:.3g} and {:.3g} %", at4, at5)});
    }
    for (const Scheme& scheme : {kChimera, kDual}) {
      bool falls = true;
      for (std::size_t i = 1; i < std::size(kLimitsUs); ++i)
        falls = falls && late(scheme, kLimitsUs[i]) <= late(scheme, kLimitsUs[i - 1]);
      figure.orderings.push_back({fmt::format("{}: {} violates a longer limit less", panel, scheme.name), falls,
                                  fmt::format("{:.3g}, {:.3g}, {:.3g}, {:.3g} %", late(scheme, 2), late(scheme, 3),
                                              late(scheme, 4), late(scheme, 5))});
    }
  }
  figure.notes.emplace_back(
      "One context alone can be saved within 3.8 us (s16-table4_2), so that with a price per thread block any limit of "
      "4 us can be met by switching what cannot be flushed; what is late then drained longer than was estimated. On "
      "the real channel contexts of an SM wait for each other.");
  return figure;
}

Figure fig4_5b(const Samples& samples) {
  Figure figure = over_limits("s16-fig4_5b", "s16-fig4_5b", "Normalised throughput overhead", "% of flushing the same",
                              [&](const Setting& setting) { return samples.overhead(setting); });
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    const auto wasted = [&](const Scheme& scheme, std::uint32_t limit) {
      return samples.overhead(setting_of(scheme, limit, pricing)).mean;
    };
    claim_at_limits(figure, panel + ": dual_kernel wastes less than chimera", [&](std::uint32_t limit) {
      const double a = wasted(kDual, limit), b = wasted(kChimera, limit);
      return Verdict{a, b, a < b};
    });
    const auto gap = [&](std::uint32_t limit) { return wasted(kChimera, limit) - wasted(kDual, limit); };
    figure.orderings.push_back({panel + ": the gap is wider at 5 us than at 2", gap(5) > gap(2),
                                fmt::format("{:.3g}, {:.3g}, {:.3g}, {:.3g} points; 16.9, 17.1, 23.5, 24.6 printed",
                                            gap(2), gap(3), gap(4), gap(5))});
  }
  return figure;
}

Figure fig4_5c(const Samples& samples) {
  Figure figure = campaign_figure("s16-fig4_5c", "How victims leave", "% of victims");
  figure.drawing = Drawing::kStackedBars;
  figure.cluster_head = "limit";
  figure.is_wide = false;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : {kChimera, kDual}) {
      for (std::size_t way = 0; way < std::size(kWays); ++way) {
        for (const std::uint32_t limit : kLimitsUs) {
          figure.values.push_back(bar(fmt::format("{}, {}", scheme.name, name_of(pricing)), kWayNames[way],
                                      limit_name(limit),
                                      average(samples.of(scheme, limit, pricing), share_of(kWays[way]))));
        }
      }
    }
    const double at2 = apart(samples, 2, pricing), at5 = apart(samples, 5, pricing);
    figure.orderings.push_back({name_of(pricing) + ": at 2 us the decisions are almost the same, within 10 points",
                                at2 <= kAlmost, fmt::format("at most {:.3g} points apart", at2)});
    figure.orderings.push_back({name_of(pricing) + ": at 5 us they are farther apart", at2 < at5,
                                fmt::format("at most {:.3g} points apart", at5)});
    const auto drains = [&](const Scheme& scheme, std::uint32_t limit) {
      return average(samples.of(scheme, limit, pricing), share_of(preemption::Exit::kDrain)).mean;
    };
    figure.orderings.push_back({name_of(pricing) + ": at 5 us dual_kernel drains more than chimera",
                                drains(kDual, 5) > drains(kChimera, 5),
                                fmt::format("{:.3g} and {:.3g} %", drains(kDual, 5), drains(kChimera, 5))});
  }
  return figure;
}

}  // namespace tessera::campaign::s16
