// SPDX-License-Identifier: Apache-2.0
// The schemes of [S16] 4, and the samples that its figures are made of.
#pragma once

#include <string>
#include <vector>

#include "campaign/figure.h"
#include "campaign/reproduction.h"
#include "campaign/s16/study.h"

namespace tessera::campaign::s16 {

struct Scheme {
  const char* name;  // as in the print
  spec::TechniqueKind technique;
  spec::Estimator estimator;
};
inline constexpr Scheme kChimera{"chimera", spec::TechniqueKind::kChimera, spec::Estimator::kFinishedMean};
inline constexpr Scheme kChimeraPlus{"chimera+", spec::TechniqueKind::kChimera, spec::Estimator::kLeastSpread};
inline constexpr Scheme kDual{"dual_kernel", spec::TechniqueKind::kDualKernel, spec::Estimator::kLeastSpread};
inline constexpr Scheme kOracle{"oracle", spec::TechniqueKind::kDualKernel, spec::Estimator::kOracle};

// The guest ends, and what is late is a request: it ends later than the limit and its own time alone ([S16] 4.2).
Setting by_request(Setting setting);

inline constexpr spec::SwitchPricing kPricings[] = {spec::SwitchPricing::kPerTb, spec::SwitchPricing::kChannel};
inline constexpr std::uint32_t kLimitsUs[] = {2, 3, 4, 5};
inline constexpr std::uint32_t kTightUs = 2;
// With so much time every thread block drains whose end can be estimated at all.
inline constexpr Picoseconds kAllDrain = kPicosecondsPerSecond;

Setting setting_of(const Scheme& scheme, Picoseconds limit, spec::SwitchPricing pricing);
inline Setting setting_of(const Scheme& scheme, std::uint32_t limit_us, spec::SwitchPricing pricing) {
  return setting_of(scheme, Picoseconds{1'000'000} * limit_us, pricing);
}
std::string name_of(spec::SwitchPricing pricing);

// Requests of each kernel, when the user asks for so many workloads: [S16] has one workload, its benchmarks.
inline std::uint32_t probes_of(std::uint32_t num_workloads) { return 3 * num_workloads; }

// Samples of one study, by their settings.
class Samples {
 public:
  Samples(StudyPtr study, const std::vector<Setting>& settings);

  const Sample& of(const Setting& setting) const;  // throws std::out_of_range
  const Sample& of(const Scheme& scheme, std::uint32_t limit_us, spec::SwitchPricing pricing) const {
    return of(setting_of(scheme, limit_us, pricing));
  }
  const Study& study() const { return *study_; }
  const spec::GpuSpec& gpu() const { return study_->machine.gpu; }
  // Of all or one benchmark.
  stats::Estimate late(const Setting& setting, const std::string& benchmark = {}) const;
  stats::Estimate overhead(const Setting& setting, const std::string& benchmark = {}) const;
  // Requests, of all benchmarks; what by_request() makes of the setting was run.
  stats::Estimate late_requests(const Setting& setting) const;

  std::vector<Sample>& all() { return samples_; }

 private:
  StudyPtr study_;
  std::vector<Sample> samples_;
};

// Runs the samples of several studies together: workers are busy until the last of all.
void run_all(std::vector<Samples*> studies, const Request& request, Reproduction& to);

// A bar of a figure.
Value bar(std::string panel, std::string series, std::string category, const stats::Estimate& ours,
          std::optional<double> paper = {});
// Of values that are taken as independent, though they come from the same requests: the interval is wide.
stats::Estimate difference(const stats::Estimate& a, const stats::Estimate& b);
stats::Estimate ratio(const stats::Estimate& a, const stats::Estimate& b);

}  // namespace tessera::campaign::s16
