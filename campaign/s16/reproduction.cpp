// SPDX-License-Identifier: Apache-2.0
// Every target is one part, but `s16`, which is all of them. Figures of chapter 4 that are wanted together share the
// requests that they are made of.
#include "campaign/s16/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/figures.h"

namespace tessera::campaign::s16 {
namespace {

constexpr const char* kAll = "s16";

// What a part adds: figures, and effort and violations where it simulates.
struct Part {
  Target target;
  void (*add)(const Request&, Reproduction&);
};

struct CampaignPart {
  Target target;
  std::vector<Setting> (*settings)();
  std::vector<Figure (*)(const Samples&)> figures;
};

constexpr Part kTables[] = {
    {{"s16-table3_1", "Table 3.1: storage of victim selection, as printed and leaner"},
     [](const Request& request, Reproduction& to) { to.figures.push_back(table3_1(request.load({}))); }},
    {{"s16-fig3_8", "Figures 3.8 and 3.9: candidate victim sets, and their update"},
     [](const Request&, Reproduction& to) { to.figures.push_back(fig3_8()); }},
    {{"s16-table4_2", "Table 4.2: thread blocks an SM of the benchmarks' kernels"},
     [](const Request& request, Reproduction& to) { to.figures.push_back(table4_2(request.load({}))); }},
};

const std::vector<CampaignPart>& campaign_parts() {
  static const std::vector<CampaignPart> all{
      {{"s16-fig4_1", "Figure 4.1: SMs that come too late, at 2 us"}, settings_of_41, {fig4_1}},
      {{"s16-fig4_2", "Figure 4.2: error of the estimated draining latency"}, settings_of_42, {fig4_2}},
      {{"s16-fig4_3", "Figure 4.3: instructions that preemption wastes, at 2 us"}, settings_of_43, {fig4_3}},
      {{"s16-fig4_4", "Figure 4.4: registers in use while SMs are preempted"}, settings_of_44, {fig4_4}},
      {{"s16-fig4_5", "Figure 4.5: violations, overhead and ways out over the latency limit"},
       settings_of_45,
       {fig4_5a, fig4_5a_requests, fig4_5b, fig4_5c}},
  };
  return all;
}

constexpr const char* kEngines =
    "Two engines: requests meet their victims on the ideal one; kernels alone, whose times say when requests come, ran "
    "on "
    "the serialised one.";

constexpr Part kStudies[] = {
    {{"s16-prior", "what the paper does not print drawn at random: which claims hold, how far numbers spread"}, prior},
    {{"s16-beyond", "beyond the paper: escalation, a front over the limits, other GPUs, two inputs moved"}, beyond},
};

void run_campaign_parts(const Request& request, Reproduction& to) {
  std::vector<Setting> settings;
  for (const CampaignPart& part : campaign_parts()) {
    if (!is_wanted(request, part.target.name, kAll)) continue;
    const std::vector<Setting> its = part.settings();
    settings.insert(settings.end(), its.begin(), its.end());
  }
  if (settings.empty()) return;
  Samples samples(make_study(request.load({}), probes_of(request.num_workloads)), settings);
  run_all({&samples}, request, to);
  for (const CampaignPart& part : campaign_parts()) {
    if (!is_wanted(request, part.target.name, kAll)) continue;
    for (const auto& figure : part.figures) to.figures.push_back(figure(samples));
  }
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> targets;
    for (const Part& part : kTables) targets.push_back(part.target);
    for (const CampaignPart& part : campaign_parts()) targets.push_back(part.target);
    for (const Part& part : kStudies) targets.push_back(part.target);
    targets.push_back({kAll, "all of the above"});
    return targets;
  }();
  return all;
}

namespace {

const std::vector<std::string> kThatHangOnIt{"s16-fig4_1", "s16-fig4_3", "s16-fig4_4", "s16-fig4_5"};

// The synthetic kernel is the last process of papers/s16.yaml.
Variant guest(const char* name, const char* file, const char* reason, std::vector<std::string> free_inputs,
              const std::vector<std::string>& figures = kThatHangOnIt) {
  return {name,
          figures,
          {fmt::format("workload.processes.12.application=../applications/rodinia/{}.yaml", file)},
          reason,
          "nobody: [S16] 4.2 prints registers, shared memory and threads of a thread block",
          std::move(free_inputs)};
}

// The guest of 60 thread blocks, under other keys.
Variant with(const char* name, std::vector<std::string> keys, const char* reason, const char* source) {
  Variant variant = guest(name, "s16_guest_60", reason, {"num_tbs"});
  variant.overrides.insert(variant.overrides.end(), keys.begin(), keys.end());
  variant.source = source;
  return variant;
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {"whole-tables",
       kThatHangOnIt,
       {"scheduler.search_width=15"},
       "candidate sets are made while the kernel is being launched, so that the decision adds next to nothing: whole "
       "tables are searched at once",
       "[S16] 3.1",
       {}},
      {"hidden-sets",
       kThatHangOnIt,
       {"scheduler.candidate_sets=launch"},
       "candidate sets are made behind the launch, and the decision compares their costs: one walk over the tables for "
       "each SM in the place of two",
       "[S16] 3.1: \"hence the above latency can be hidden\"",
       {}},
      guest("three-an-sm", "s16_guest_3_an_sm", "a guest of 45 thread blocks with a quota of 3 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("four-an-sm", "s16_guest_4_an_sm", "a guest of 60 thread blocks with a quota of 4 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("five-an-sm", "s16_guest_5_an_sm", "a guest of 75 thread blocks with a quota of 5 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("sixty", "s16_guest_60", "60 thread blocks without a quota: ten whole SMs are enough", {"num_tbs"}),
      with("sixty-spread", {"scheduler.fill=breadth_first"}, "60 thread blocks handed round the SMs, without a quota",
           "GPGPU-Sim's issue goes round the SMs"),
      with("sixty-all-sms", {"scheduler.exclusive_scope=all"},
           "60 thread blocks without a quota, and all SMs are preempted: the places that come first are used",
           "nobody: [S16] 4.2 does not say how many SMs are preempted"),
      guest("long-spread", "s16_guest_long_spread",
            "thread blocks of 25 us with a spread of 0.5: what a place that comes early is worth by the request",
            {"tb_time_us", "tb_time_spread"}, {"s16-fig4_1", "s16-fig4_5"}),
  };
  return all;
}

Reproduction reproduce(const Request& request) {
  Reproduction reproduction;
  const auto add = [&](const auto& parts) {
    for (const Part& part : parts) {
      if (is_wanted(request, part.target.name, kAll)) part.add(request, reproduction);
    }
  };
  add(kTables);
  run_campaign_parts(request, reproduction);
  add(kStudies);
  if (reproduction.effort.simulations > 0) {
    for (Figure& figure : reproduction.figures) figure.notes.emplace_back(kEngines);
  }
  if (reproduction.figures.empty()) throw std::out_of_range("no target " + request.target);
  if (request.options.is_interrupted()) throw Interrupted();
  return reproduction;
}

}  // namespace tessera::campaign::s16
