// SPDX-License-Identifier: Apache-2.0
// [S16] 4.2's deadline, taken by the request: the latency limit and the preempting kernel's own time, alone.
#include "campaign/s16/over_limits.h"

namespace tessera::campaign::s16 {
namespace {

Setting ending(Setting setting) {
  setting.guest_ends = true;
  return setting;
}

Estimate late(const Samples& samples, const Setting& setting) {
  return average(samples.of(ending(setting)), late_completions(samples.gpu(), setting.limit));
}

}  // namespace

std::vector<Setting> settings_of_deadline() {
  std::vector<Setting> settings = settings_of_45();
  for (Setting& setting : settings) setting = ending(setting);
  return settings;
}

Figure deadline(const Samples& samples) {
  Figure figure = over_limits("s16-deadline", "s16-fig4_5a", "Requests that end after their deadline", "% of requests",
                              [&](const Setting& setting) { return late(samples, setting); });
  for (const spec::SwitchPricing pricing : kPricings) {
    const auto no_more = [&](const Scheme& one, const Scheme& other) {
      claim_at_limits(figure, fmt::format("{}: {} violates no more than {}", name_of(pricing), one.name, other.name),
                      [&](std::uint32_t limit) {
                        const double a = late(samples, setting_of(one, limit, pricing)).mean;
                        const double b = late(samples, setting_of(other, limit, pricing)).mean;
                        return Verdict{a, b, a <= b};
                      });
    };
    no_more(kDual, kChimera);
    no_more(kOracle, kDual);
  }
  figure.notes.emplace_back(
      "A request is late when its last thread block ends later than the limit and the kernel's time alone, with the "
      "same draws, after its arrival. The prints are those of Figure 4.5a. Hangs on the kernel's thread blocks: how "
      "many, how long, how many an SM (applications/rodinia/s16_synthetic.yaml).");
  return figure;
}

}  // namespace tessera::campaign::s16
