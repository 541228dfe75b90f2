// SPDX-License-Identifier: Apache-2.0
// [S16] 4.2's deadline, taken by the request: the latency limit and the preempting kernel's own time, alone.
#include <fmt/format.h>

#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/paper_values.h"

namespace tessera::campaign::s16 {
namespace {

const std::vector<Scheme> kSchemes{kChimera, kDual, kOracle};

Setting ending(const Scheme& scheme, std::uint32_t limit_us, spec::SwitchPricing pricing) {
  Setting setting = setting_of(scheme, limit_us, pricing);
  setting.guest_ends = true;
  return setting;
}

Estimate late(const Samples& samples, const Scheme& scheme, std::uint32_t limit_us, spec::SwitchPricing pricing) {
  const Setting setting = ending(scheme, limit_us, pricing);
  return average(samples.of(setting), late_completions(samples.gpu(), setting.limit));
}

void add_claims(Figure& figure, const Samples& samples, spec::SwitchPricing pricing) {
  const auto no_more = [&](const Scheme& a, const Scheme& b) {
    bool holds = true;
    std::string evidence;
    for (const std::uint32_t limit : kLimitsUs) {
      const double one = late(samples, a, limit, pricing).mean;
      const double other = late(samples, b, limit, pricing).mean;
      holds = holds && one <= other;
      evidence += fmt::format("{}{:.3g} and {:.3g} %", evidence.empty() ? "" : ", ", one, other);
    }
    figure.orderings.push_back(
        {fmt::format("{}: {} violates no more than {}", name_of(pricing), a.name, b.name), holds, evidence});
  };
  no_more(kDual, kChimera);
  no_more(kOracle, kDual);
}

}  // namespace

std::vector<Setting> settings_of_deadline() {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kSchemes) {
      for (const std::uint32_t limit : kLimitsUs) settings.push_back(ending(scheme, limit, pricing));
    }
  }
  return settings;
}

Figure deadline(const Samples& samples) {
  Figure figure = campaign_figure("s16-deadline", "Requests that end after their deadline", "% of requests");
  figure.drawing = Drawing::kBars;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kSchemes) {
      for (const std::uint32_t limit : kLimitsUs) {
        figure.values.push_back(bar(name_of(pricing), scheme.name, fmt::format("{} us", limit),
                                    late(samples, scheme, limit, pricing),
                                    printed("s16-fig4_5a", kAverage, scheme.name, limit)));
      }
    }
    add_claims(figure, samples, pricing);
  }
  figure.notes.emplace_back(
      "A request is late when its last thread block ends later than the limit and the kernel's time alone, with the "
      "same draws, after its arrival. The prints are those of Figure 4.5a. Hangs on the kernel's thread blocks: how "
      "many, how long, how many an SM (applications/rodinia/s16_synthetic.yaml).");
  return figure;
}

}  // namespace tessera::campaign::s16
