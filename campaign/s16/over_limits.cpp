// SPDX-License-Identifier: Apache-2.0
#include "campaign/s16/over_limits.h"

#include "campaign/s16/paper_values.h"

namespace tessera::campaign::s16 {

Figure over_limits(const char* name, const char* print, const char* title, const char* y_label, const OfSetting& of) {
  Figure figure = campaign_figure(name, title, y_label);
  figure.drawing = Drawing::kBars;
  figure.cluster_head = "limit";
  figure.is_wide = false;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kOverLimits) {
      for (const std::uint32_t limit : kLimitsUs) {
        figure.values.push_back(bar(name_of(pricing), scheme.name, limit_name(limit),
                                    of(setting_of(scheme, limit, pricing)),
                                    printed(print, kAverage, scheme.name, limit)));
      }
    }
  }
  return figure;
}

void claim_at_limits(Figure& figure, const std::string& text, const std::function<Verdict(std::uint32_t)>& verdict) {
  Ordering ordering{text, true, ""};
  for (const std::uint32_t limit : kLimitsUs) {
    const auto [a, b, holds] = verdict(limit);
    ordering.holds = ordering.holds && holds;
    ordering.evidence +=
        fmt::format("{}{}: {:.3g} and {:.3g} %", ordering.evidence.empty() ? "" : "; ", limit_name(limit), a, b);
  }
  figure.orderings.push_back(std::move(ordering));
}

}  // namespace tessera::campaign::s16
