// SPDX-License-Identifier: Apache-2.0
// The figures of [S16] chapter 4, and what stands beside them: the settings that each needs, and what it makes of them.
#pragma once

#include <string>
#include <vector>

#include "campaign/s16/schemes.h"

namespace tessera::campaign::s16 {

inline constexpr const char* kAverage = "average";

// With what they have in common.
inline Figure campaign_figure(const char* name, const char* title, const char* y_label) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.y_label = y_label;
  figure.is_wide = true;
  figure.cluster_head = "benchmark";
  figure.unit_head = "requests";
  return figure;
}

std::vector<Setting> settings_of_41();
std::vector<Setting> settings_of_42();
std::vector<Setting> settings_of_43();
std::vector<Setting> settings_of_44();
std::vector<Setting> settings_of_45();

Figure fig4_1(const Samples& samples);
Figure fig4_2(const Samples& samples);
Figure fig4_3(const Samples& samples);
Figure fig4_4(const Samples& samples);
Figure fig4_5a(const Samples& samples);
Figure fig4_5a_requests(const Samples& samples);  // the same by the request
Figure fig4_5b(const Samples& samples);
Figure fig4_5c(const Samples& samples);

// The free inputs drawn from their prior, and in how many draws each claim holds.
void prior(const Request& request, Reproduction& to);
// Beyond the paper: escalation, a front over the limits, other GPUs, two inputs moved.
void beyond(const Request& request, Reproduction& to);

}  // namespace tessera::campaign::s16
