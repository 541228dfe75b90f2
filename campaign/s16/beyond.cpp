// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: does it help to give up draining in time, and what does a tighter limit cost under each technique.
#include <fmt/format.h>

#include "campaign/s16/beyond_figures.h"

namespace tessera::campaign::s16 {
namespace {

constexpr std::uint32_t kFrontLimitsUs[] = {1, 2, 3, 4, 5, 7, 10, 15, 20};
Setting with_escalation(Setting setting, bool escalates) {
  setting.escalates = escalates;
  return setting;
}

}  // namespace

// ---- escalation ----------------------------------------------------------------------------------------------------

std::vector<Setting> settings_of_escalation() {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : {kChimera, kDual}) {
      for (const std::uint32_t limit : kLimitsUs) {
        for (const bool escalates : {false, true})
          settings.push_back(with_escalation(setting_of(scheme, limit, pricing), escalates));
      }
    }
  }
  return settings;
}

Figure escalation(const Samples& samples) {
  Figure figure = campaign_figure("s16-escalation", "Draining given up as late as the limit allows", "%");
  figure.drawing = Drawing::kBars;
  figure.cluster_head = "limit";
  figure.is_wide = false;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : {kChimera, kDual}) {
      std::size_t fewer = 0, dearer = 0;
      std::string evidence;
      for (const std::uint32_t limit : kLimitsUs) {
        stats::Estimate late[2], wasted[2];
        for (const bool escalates : {false, true}) {
          const Setting setting = with_escalation(setting_of(scheme, limit, pricing), escalates);
          const std::string series = fmt::format("{}{}", scheme.name, escalates ? ", escalating" : "");
          const std::string category = fmt::format("{} us", limit);
          late[escalates] = samples.late(setting);
          wasted[escalates] = samples.overhead(setting);
          figure.values.push_back(bar("SMs late, " + name_of(pricing), series, category, late[escalates]));
          figure.values.push_back(bar("wasted, " + name_of(pricing), series, category, wasted[escalates]));
        }
        fewer += late[1].mean <= late[0].mean ? 1 : 0;
        dearer += wasted[1].mean >= wasted[0].mean ? 1 : 0;
        evidence +=
            fmt::format("{}{} us: {:.3g} to {:.3g} % late, {:.3g} to {:.3g} % wasted", evidence.empty() ? "" : "; ",
                        limit, late[0].mean, late[1].mean, wasted[0].mean, wasted[1].mean);
      }
      figure.orderings.push_back(
          {fmt::format("{}: {} that gives up draining is late no more often", name_of(pricing), scheme.name),
           fewer == std::size(kLimitsUs), evidence});
      figure.orderings.push_back(
          {fmt::format("{}: {} that gives up draining wastes no less", name_of(pricing), scheme.name),
           dearer == std::size(kLimitsUs), "as above"});
    }
  }
  return figure;
}

// ---- the front -----------------------------------------------------------------------------------------------------

std::vector<Setting> settings_of_front() {
  std::vector<Setting> settings;
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const Scheme& scheme : kFrontSchemes) {
      for (const std::uint32_t limit : kFrontLimitsUs) settings.push_back(setting_of(scheme, limit, pricing));
    }
  }
  for (const Scheme& scheme : kPlain) settings.push_back(plain(scheme));
  return settings;
}

Figure front(const Samples& samples) {
  Figure figure = campaign_figure("s16-front", "What a limit of 1 to 20 us costs", "% of flushing the same, wasted");
  figure.drawing = Drawing::kCurves;
  figure.x_label = "% of SMs late";
  figure.log_axes = "";
  figure.cluster_head = "limit";
  const auto add = [&](const std::string& panel, const char* series, std::uint32_t limit, const stats::Estimate& late,
                       const stats::Estimate& wasted) {
    const std::string category = fmt::format("{} us", limit);
    figure.values.push_back(bar("SMs late, " + panel, series, category, late));
    figure.values.push_back(bar("wasted, " + panel, series, category, wasted));
    figure.curves.back().points.push_back({late.mean, wasted.mean});
  };
  for (const spec::SwitchPricing pricing : kPricings) {
    const std::string panel = name_of(pricing);
    for (const Scheme& scheme : kFrontSchemes) {
      figure.curves.push_back({panel, scheme.name, {}});
      for (const std::uint32_t limit : kFrontLimitsUs) {
        const Setting setting = setting_of(scheme, limit, pricing);
        add(panel, scheme.name, limit, samples.late(setting), samples.overhead(setting));
      }
    }
    for (const Scheme& scheme : kPlain) {
      const Sample& sample = samples.of(plain(scheme));
      figure.curves.push_back({panel, scheme.name, {}});
      for (const std::uint32_t limit : kFrontLimitsUs) {
        const Picoseconds time = Picoseconds{1'000'000} * limit;
        add(panel, scheme.name, limit, average(sample, late_sms(samples.gpu(), time)), average(sample, overhead()));
      }
    }
    const auto both = [&](const Scheme& a, const Scheme& b) {
      std::size_t no_worse = 0;
      for (const std::uint32_t limit : kFrontLimitsUs) {
        const Setting first = setting_of(a, limit, pricing), second = setting_of(b, limit, pricing);
        const bool is_later = samples.late(first).mean > samples.late(second).mean;
        const bool is_dearer = samples.overhead(first).mean > samples.overhead(second).mean;
        no_worse += !is_later && !is_dearer ? 1 : 0;
      }
      return no_worse;
    };
    figure.orderings.push_back({panel + ": dual_kernel is no worse than chimera in both at every limit",
                                both(kDual, kChimera) == std::size(kFrontLimitsUs),
                                fmt::format("{} of {} limits", both(kDual, kChimera), std::size(kFrontLimitsUs))});
  }
  figure.notes.emplace_back(
      "A curve runs through the limits 1, 2, 3, 4, 5, 7, 10, 15 and 20 us. flush (what may not be flushed is saved), "
      "drain and context_switch know no limit: what they waste stays the same, and fewer SMs are late as it grows; "
      "they move contexts over the real channel in both panels.");
  return figure;
}

void beyond(const Request& request, Reproduction& to) {
  const spec::Spec base = request.load({});
  const std::uint32_t probes = probes_of(request.num_workloads);
  std::vector<Setting> settings = settings_of_escalation();
  const std::vector<Setting> more = settings_of_front();
  settings.insert(settings.end(), more.begin(), more.end());
  Samples samples(make_study(base, probes), settings);
  std::vector<Sweep> sweeps{sweep_of_points(), sweep_of_work(), sweep_of_speed()};
  for (Sweep& sweep : sweeps) prepare(sweep, base, probes);
  std::vector<Machine> machines = machines_of(request);
  std::vector<Samples*> all{&samples};
  for (Sweep& sweep : sweeps) {
    for (Samples& one : sweep.samples) all.push_back(&one);
  }
  for (Machine& machine : machines) all.push_back(&machine.samples);
  run_all(all, request, to);
  to.figures.push_back(escalation(samples));
  to.figures.push_back(front(samples));
  to.figures.push_back(gpus(machines));
  for (const Sweep& sweep : sweeps) to.figures.push_back(figure_of(sweep));
}

}  // namespace tessera::campaign::s16
