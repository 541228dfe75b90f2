// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: an input moved alike for all kernels, and what becomes of violations, overhead and estimates.
#include <fmt/format.h>

#include "campaign/s16/beyond_figures.h"

namespace tessera::campaign::s16 {

namespace {

std::uint32_t ppm(std::int32_t percent) { return static_cast<std::uint32_t>(10'000 * percent); }

std::string at(std::uint32_t limit) { return limit == kTightUs ? "" : fmt::format(" at {} us", limit); }

}  // namespace

Sweep sweep_of_points() {
  return {"s16-idempotence",
          "How far thread blocks can start again, at 2 us",
          "idempotent_until, % of instructions",
          {0, 20, 40, 60, 80, 100},
          [](std::int32_t percent) -> Change {
            return [percent](std::size_t, spec::KernelSpec& kernel) { kernel.idempotent_until_ppm = ppm(percent); };
          },
          {kTightUs},
          {},
          {}};
}

// A thread block's time is its instructions times CPI: which of the two do times differ by (docs/concepts/readings.md,
// Progress 3)?
Sweep sweep_of_work() {
  return {"s16-work",
          "How much of the spread of thread blocks' times is work, at 2 us",
          "work_share of all kernels, %",
          {0, 12, 25, 50, 75, 100},
          [](std::int32_t percent) -> Change {
            return [percent](std::size_t, spec::KernelSpec& kernel) { kernel.work_share_ppm = ppm(percent); };
          },
          {kTightUs},
          {},
          {}};
}

// [S16] 4.2: an estimate of draining is wrong where "insufficient active threads" remain. What remains runs slower
// (below 0), or faster where an SM's issue or bandwidth was shared.
Sweep sweep_of_speed() {
  return {"s16-occupancy",
          "Thread blocks whose speed changes with the number on their SM",
          "occupancy_speedup of all kernels, %",
          {-100, -50, -25, 0, 25, 50, 100},
          [](std::int32_t percent) -> Change {
            return
                [percent](std::size_t, spec::KernelSpec& kernel) { kernel.occupancy_speedup_ppm = 10'000 * percent; };
          },
          {2, 3, 4, 5},
          {},
          {},
          false};
}

void prepare(Sweep& sweep, const spec::Spec& base, std::uint32_t probes) {
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kFrontSchemes) {
      for (const std::uint32_t limit : sweep.limits_us) sweep.settings.push_back(setting_of(scheme, limit, pricing));
    }
  }
  if (sweep.has_flush) sweep.settings.push_back(plain(kPlain[0]));
  for (const Scheme& scheme : {kChimera, kChimeraPlus})
    sweep.settings.push_back(setting_of(scheme, kAllDrain, spec::SwitchPricing::kPerTb));
  for (const std::int32_t x : sweep.xs)
    sweep.samples.emplace_back(make_study(base, probes, sweep.change(x)), sweep.settings);
}

Figure figure_of(const Sweep& sweep) {
  Figure figure = campaign_figure(sweep.name, sweep.title, "%");
  figure.drawing = Drawing::kCurves;
  figure.x_label = sweep.x_label;
  figure.log_axes = "";
  figure.cluster_head = "input";
  figure.is_wide = false;
  const auto add = [&](const std::string& panel, const char* series, const auto& value) {
    figure.curves.push_back({panel, series, {}});
    for (std::size_t i = 0; i < sweep.xs.size(); ++i) {
      const stats::Estimate one = value(sweep.samples[i]);
      figure.values.push_back(bar(panel, series, fmt::format("{} %", sweep.xs[i]), one));
      figure.curves.back().points.push_back({static_cast<double>(sweep.xs[i]), one.mean});
    }
  };
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const std::uint32_t limit : sweep.limits_us) {
      const std::string late = fmt::format("SMs late{}, {}", at(limit), name_of(pricing));
      const std::string wasted = fmt::format("wasted{}, {}", at(limit), name_of(pricing));
      for (const Scheme& scheme : kFrontSchemes) {
        const Setting setting = setting_of(scheme, limit, pricing);
        add(late, scheme.name, [&](const Samples& samples) { return samples.late(setting); });
        add(wasted, scheme.name, [&](const Samples& samples) { return samples.overhead(setting); });
      }
      if (!sweep.has_flush) continue;
      const Setting flush = plain(kPlain[0]);
      add(late, kPlain[0].name, [&](const Samples& samples) { return samples.late(flush); });
      add(wasted, kPlain[0].name, [&](const Samples& samples) { return samples.overhead(flush); });
    }
  }
  for (const Scheme& scheme : {kChimera, kChimeraPlus}) {
    add("error of the estimate, all thread blocks", scheme.estimator == kDual.estimator ? kDual.name : scheme.name,
        [&](const Samples& samples) {
          return average(samples.of(setting_of(scheme, kAllDrain, spec::SwitchPricing::kPerTb)),
                         total_estimate_error());
        });
  }
  return figure;
}

}  // namespace tessera::campaign::s16
