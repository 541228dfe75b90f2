// SPDX-License-Identifier: Apache-2.0
// The parts of s16-beyond.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/s16/campaign_figures.h"

namespace tessera::campaign::s16 {

inline const std::vector<Scheme> kFrontSchemes{kChimera, kDual, kOracle};
// Techniques that know no limit: all thread blocks of an SM leave alike.
inline const std::vector<Scheme> kPlain{
    {"flush", spec::TechniqueKind::kFlush, spec::Estimator::kFinishedMean},
    {"drain", spec::TechniqueKind::kDrain, spec::Estimator::kFinishedMean},
    {"context_switch", spec::TechniqueKind::kContextSwitch, spec::Estimator::kFinishedMean}};
inline Setting plain(const Scheme& scheme) { return setting_of(scheme, kTightUs, spec::SwitchPricing::kChannel); }

std::vector<Setting> settings_of_escalation();
Figure escalation(const Samples& samples);

std::vector<Setting> settings_of_front();
Figure front(const Samples& samples);

// An input that moves alike for all kernels.
struct Sweep {
  const char* name;
  const char* title;
  const char* x_label;
  std::vector<std::int32_t> xs;  // per cent
  std::function<Change(std::int32_t)> change;
  std::vector<std::uint32_t> limits_us;
  std::vector<Setting> settings;
  std::vector<Samples> samples;  // by x
  bool has_flush = true;         // the plain one stands beside the schemes: it knows no speeds
};
Sweep sweep_of_points();  // of no return
Sweep sweep_of_work();    // of thread blocks
Sweep sweep_of_speed();   // with the number on an SM
void prepare(Sweep& sweep, const spec::Spec& base, std::uint32_t probes);
Figure figure_of(const Sweep& sweep);

// The campaign on another GPU.
struct Machine {
  std::string name;
  double sm_switch_us = 0;          // the largest context of an SM, one way, at its share of the bandwidth
  std::vector<Picoseconds> limits;  // as large in proportion to that as 2 and 5 us are on the paper's
  Samples samples;
};
std::vector<Machine> machines_of(const Request& request);
Figure gpus(const std::vector<Machine>& machines);

}  // namespace tessera::campaign::s16
