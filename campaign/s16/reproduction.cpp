// SPDX-License-Identifier: Apache-2.0
// Every target is one part, but `s16`, which is all of them. Figures of chapter 4 that are wanted together share the
// requests that they are made of.
#include "campaign/s16/reproduction.h"

#include "campaign/keys.h"
#include "campaign/s16/campaign_figures.h"
#include "campaign/s16/figures.h"
#include "campaign/s16/variants.h"

namespace tessera::campaign::s16 {
namespace {

constexpr const char* kWhole = "s16";

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

// Requests for SMs know no hosts, copies and ends.
const Keys kReadByTables =
    joined(kGpuKeys, {"workload.time_base", "workload.processes.*.application", "workload.processes.*.application.**"});
const Keys kReadByRequests =
    joined(kReadByTables, {"seed", "scheduler.**", "memory_channel.**", "checks.enable_invariants"});
const Keys kSetByRequests =
    joined(kWayKeys, {"scheduler.estimator", "scheduler.switch_pricing", "scheduler.latency_limit_us",
                      "scheduler.enable_escalation", "workload.processes.*.priority"});

const std::vector<Part>& tables() {
  static const std::vector<Part> all{
      {{"s16-table3_1", "Table 3.1: storage of victim selection, as printed and leaner", {}, kGpuKeys},
       [](const Request& request, Reproduction& to) { to.figures.push_back(table3_1(request.load({}))); }},
      {{"s16-fig3_8", "Figures 3.8 and 3.9: candidate victim sets, and their update", {}, Keys{}},
       [](const Request&, Reproduction& to) { to.figures.push_back(fig3_8()); }},
      {{"s16-table4_2", "Table 4.2: thread blocks an SM of the benchmarks' kernels", {}, kReadByTables},
       [](const Request& request, Reproduction& to) { to.figures.push_back(table4_2(request.load({}))); }},
  };
  return all;
}

const std::vector<CampaignPart>& campaign_parts() {
  const auto target = [](const char* name, const char* description) -> Target {
    return {name, description, kSetByRequests, kReadByRequests};
  };
  static const std::vector<CampaignPart> all{
      {target("s16-fig4_1", "Figure 4.1: SMs that come too late, at 2 us"), settings_of_41, {fig4_1}},
      {target("s16-fig4_2", "Figure 4.2: error of the estimated draining latency"), settings_of_42, {fig4_2}},
      {target("s16-fig4_3", "Figure 4.3: instructions that preemption wastes, at 2 us"), settings_of_43, {fig4_3}},
      {target("s16-fig4_4", "Figure 4.4: registers in use while SMs are preempted"), settings_of_44, {fig4_4}},
      {target("s16-fig4_5", "Figure 4.5: violations, overhead and ways out over the latency limit"),
       settings_of_45,
       {fig4_5a, fig4_5a_requests, fig4_5b, fig4_5c}},
  };
  return all;
}

const std::vector<Part>& studies() {
  static const std::vector<Part> all{
      {{"s16-prior", "what the paper does not print drawn at random: which claims hold, how far numbers spread",
        kSetByRequests, kReadByRequests},
       prior},
      {{"s16-beyond", "beyond the paper: escalation, a front over the limits, other GPUs, two inputs moved",
        joined(kSetByRequests,
               {"gpu", "framework.tb_issue_cycles", "scheduler.tbs_per_cycle", "scheduler.search_width"}),
        kReadByRequests},
       beyond},
  };
  return all;
}

constexpr const char* kEngines =
    "Two engines: requests meet their victims on the ideal one; kernels alone, whose times say when requests come, ran "
    "on "
    "the serialised one.";

void run_parts(const std::vector<Part>& parts, const Request& request, Reproduction& to) {
  for (const Part* const part : wanted_of(parts, request, kWhole)) part->add(request, to);
}

void run_campaign_parts(const Request& request, Reproduction& to) {
  const std::vector<const CampaignPart*> wanted = wanted_of(campaign_parts(), request, kWhole);
  if (wanted.empty()) return;
  std::vector<Setting> settings;
  for (const CampaignPart* const part : wanted) {
    const std::vector<Setting> its = part->settings();
    settings.insert(settings.end(), its.begin(), its.end());
  }
  Samples samples(make_study(request.load({}), probes_of(request.num_workloads)), settings);
  run_all({&samples}, request, to);
  for (const CampaignPart* const part : wanted) {
    for (const auto& figure : part->figures) to.figures.push_back(figure(samples));
  }
}

Reproduction reproduce(const Request& request) {
  Reproduction reproduction;
  run_parts(tables(), request, reproduction);
  run_campaign_parts(request, reproduction);
  run_parts(studies(), request, reproduction);
  if (reproduction.effort.simulations > 0) {
    for (Figure& figure : reproduction.figures) figure.notes.emplace_back(kEngines);
  }
  if (request.options.is_interrupted()) throw Interrupted();
  return reproduction;
}

}  // namespace

Paper paper() {
  return {"papers/s16.yaml", kWhole, targets_of(kWhole, tables(), campaign_parts(), studies()), variants(), reproduce};
}

}  // namespace tessera::campaign::s16
