// SPDX-License-Identifier: Apache-2.0
// Figure 4.5a by the request: [S16] 4.2's deadline is the latency limit and the preempting kernel's own time, alone.
#include "campaign/s16/over_limits.h"

namespace tessera::campaign::s16 {

Figure fig4_5a_requests(const Samples& samples) {
  const auto late = [&](const Setting& setting) { return samples.late_requests(setting); };
  Figure figure = over_limits("s16-fig4_5a_requests", "s16-fig4_5a", "Requests that end after their deadline",
                              "% of requests", late);
  for (const spec::SwitchPricing pricing : kPricings) {
    const auto no_more = [&](const Scheme& one, const Scheme& other) {
      claim_at_limits(figure, fmt::format("{}: {} violates no more than {}", name_of(pricing), one.name, other.name),
                      [&](std::uint32_t limit) {
                        const double a = late(setting_of(one, limit, pricing)).mean;
                        const double b = late(setting_of(other, limit, pricing)).mean;
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
