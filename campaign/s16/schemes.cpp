// SPDX-License-Identifier: Apache-2.0
// Samples that several figures share are run once.
#include "campaign/s16/schemes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/spec/names.h"

namespace tessera::campaign::s16 {

Setting setting_of(const Scheme& scheme, Picoseconds limit, spec::SwitchPricing pricing) {
  Setting setting;
  setting.technique = scheme.technique;
  setting.estimator = scheme.estimator;
  setting.pricing = pricing;
  setting.limit = limit;
  return setting;
}

Setting by_request(Setting setting) {
  setting.guest_ends = true;
  return setting;
}

std::string name_of(spec::SwitchPricing pricing) { return std::string(spec::to_string(pricing)); }

Samples::Samples(StudyPtr study, const std::vector<Setting>& settings) : study_(std::move(study)) {
  for (const Setting& setting : settings) {
    const auto same = [&](const Sample& sample) { return sample.setting == setting; };
    if (std::none_of(samples_.begin(), samples_.end(), same)) samples_.push_back({study_, setting, {}});
  }
}

const Sample& Samples::of(const Setting& setting) const {
  for (const Sample& sample : samples_) {
    if (sample.setting == setting) return sample;
  }
  throw std::out_of_range("a setting that was not run");
}

stats::Estimate Samples::late(const Setting& setting, const std::string& benchmark) const {
  const Measure measure = late_sms(gpu(), setting.limit);
  return benchmark.empty() ? average(of(setting), measure) : of_benchmark(of(setting), benchmark, measure);
}

stats::Estimate Samples::overhead(const Setting& setting, const std::string& benchmark) const {
  return benchmark.empty() ? average(of(setting), s16::overhead())
                           : of_benchmark(of(setting), benchmark, s16::overhead());
}

stats::Estimate Samples::late_requests(const Setting& setting) const {
  return average(of(by_request(setting)), late_completions(gpu(), setting.limit));
}

void run_all(std::vector<Samples*> studies, const Request& request, Reproduction& to) {
  std::vector<Sample> all;
  for (Samples* const study : studies) std::move(study->all().begin(), study->all().end(), std::back_inserter(all));
  run_samples(all, request.options, to.effort, to.violations);
  auto sample = all.begin();
  for (Samples* const study : studies) {
    for (Sample& one : study->all()) one = std::move(*sample++);
  }
}

Value bar(std::string panel, std::string series, std::string category, const stats::Estimate& ours,
          std::optional<double> paper) {
  Value value;
  value.panel = std::move(panel);
  value.series = std::move(series);
  value.category = std::move(category);
  value.ours = ours;
  value.paper = paper;
  return value;
}

stats::Estimate difference(const stats::Estimate& a, const stats::Estimate& b) {
  return {a.mean - b.mean, std::hypot(a.half_width, b.half_width), std::min(a.number, b.number)};
}

stats::Estimate ratio(const stats::Estimate& a, const stats::Estimate& b) {
  if (a.mean == 0 || b.mean == 0) return {};
  const double mean = a.mean / b.mean;
  return {mean, mean * std::hypot(a.half_width / a.mean, b.half_width / b.mean), std::min(a.number, b.number)};
}

}  // namespace tessera::campaign::s16
