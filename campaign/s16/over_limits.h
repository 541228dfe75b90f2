// SPDX-License-Identifier: Apache-2.0
// What Figure 4.5 and its readings have in common: three schemes over the latency limit, and claims about all limits.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/s16/campaign_figures.h"

namespace tessera::campaign::s16 {

inline const std::vector<Scheme> kOverLimits{kChimera, kDual, kOracle};

inline std::string limit_name(std::uint32_t limit) { return fmt::format("{} us", limit); }

using OfSetting = std::function<stats::Estimate(const Setting&)>;

// A bar for each pricing, scheme and limit; `print`: the figure whose averages stand beside ours.
Figure over_limits(const char* name, const char* print, const char* title, const char* y_label, const OfSetting& of);

struct Verdict {
  double a = 0;
  double b = 0;
  bool holds = false;
};

// A claim about two numbers, per cent, at every limit.
void claim_at_limits(Figure& figure, const std::string& text, const std::function<Verdict(std::uint32_t)>& verdict);

}  // namespace tessera::campaign::s16
