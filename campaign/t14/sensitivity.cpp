// SPDX-License-Identifier: Apache-2.0
// Assumptions that move, and the values that they are judged by.
#include "campaign/t14/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "campaign/measure.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/paper_values.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {
namespace {

constexpr std::uint32_t kFewest = 2;
constexpr std::uint32_t kMost = 8;
constexpr std::uint32_t kPpm = 1'000'000;

struct Assumption {
  std::string name;
  std::vector<std::string> overrides;
  std::function<void(spec::Spec&)> change = {};
  Picoseconds starts_within = 0;
};

// ---- changes that no single key makes ----------------------------------------------------------------------------

void scale_cpu_phases(std::vector<spec::HostStep>& steps, std::uint32_t percent) {
  for (spec::HostStep& step : steps) {
    if (auto* phase = std::get_if<spec::CpuPhase>(&step)) phase->time = phase->time * percent / 100;
    if (auto* loop = std::get_if<spec::Loop>(&step)) scale_cpu_phases(loop->body, percent);
  }
}

std::function<void(spec::Spec&)> cpu_phases(std::uint32_t percent) {
  return [percent](spec::Spec& spec) {
    for (spec::ApplicationSpec& application : spec.applications) scale_cpu_phases(application.program, percent);
  };
}

std::function<void(spec::Spec&)> spread(std::uint32_t ppm) {
  return [ppm](spec::Spec& spec) {
    for (spec::ApplicationSpec& application : spec.applications) {
      for (spec::KernelSpec& kernel : application.kernels) kernel.tb_time_spread_ppm = ppm;
    }
  };
}

// After every launch the process waits for it.
void synchronise_launches(std::vector<spec::HostStep>& steps) {
  std::vector<spec::HostStep> waiting;
  for (spec::HostStep& step : steps) {
    if (auto* loop = std::get_if<spec::Loop>(&step)) synchronise_launches(loop->body);
    // A group is waited for as a whole: nothing in it may wait.
    const bool is_launch = std::holds_alternative<spec::Launch>(step) || std::holds_alternative<spec::Group>(step);
    waiting.push_back(std::move(step));
    if (is_launch) waiting.emplace_back(spec::Synchronise{});
  }
  steps = std::move(waiting);
}

void wait_for_every_launch(spec::Spec& spec) {
  for (spec::ApplicationSpec& application : spec.applications) synchronise_launches(application.program);
}

std::vector<Assumption> assumptions(const spec::Spec& configured) {
  const bool takes_kernel_time = configured.time_base == spec::TimeBase::kKernelTime;
  const std::string other_base = takes_kernel_time ? "time_per_tb" : "kernel_time";
  return {
      {"as configured", {}},
      {"time_base: " + other_base, {"workload.time_base=" + other_base}},
      {"dispatch 16 cycles", {"gpu.framework.dispatch_cycles=16"}},
      {"dispatch 4 us", {"gpu.framework.dispatch_cycles=2824"}},
      {"CPU phases halved", {}, cpu_phases(50)},
      {"CPU phases a tenth", {}, cpu_phases(10)},
      {"launch call 2 us", {"host.launch_us=2"}},
      {"launch call 10 us", {"host.launch_us=10"}},
      {"every launch waited for", {}, wait_for_every_launch},
      {"TB times without spread", {}, spread(0)},
      {"TB times spread from 0 to twice the mean", {}, spread(kPpm - 1)},
      {"pipeline drains at once", {"gpu.framework.pipeline_drain_cycles=0"}},
      {"pipeline drains in 1000 cycles", {"gpu.framework.pipeline_drain_cycles=1000"}},
      {"a save costs 10 us more", {"gpu.framework.trap_entry_cycles=7080"}},
      {"a save costs 150 us more", {"gpu.framework.trap_entry_cycles=105920"}},  // as an H200's switch of contexts
      {"SM set-up 1 us", {"gpu.framework.sm_setup_cycles=706"}},
      {"whole tables searched at once", {fmt::format("scheduler.search_width={}", configured.gpu.num_sms)}},
      {"channel shared fairly", {"memory_channel.sharing=fair"}},
      {"exclusive_scope: all", {"scheduler.exclusive_scope=all"}},
      {"token_scope: process", {"scheduler.token_scope=process"}},
      {"TBs issued breadth first", {"scheduler.fill=breadth_first"}},
      {"PCIe at 2 GB/s", {"gpu.pcie.num_lanes=8"}},
      {"PCIe at 3 GB/s", {"gpu.pcie.num_lanes=12"}},
      {"PCIe at 4 GB/s", {"gpu.pcie.num_lanes=16"}},
      {"copies share the link in bursts", {"gpu.pcie.transfers=bursts"}},
      {"a DMA engine per direction", {"gpu.num_dma_engines=2"}},
      {"processes start at random in 0.4 s", {}, {}, kPicosecondsPerSecond * 2 / 5},
      {"debt: gap, remainder: once", kLimitedDebt},
  };
}

// ---- what they are judged by --------------------------------------------------------------------------------------

struct Headline {
  const char* figure;
  const char* panel;
  const char* series;
  std::uint32_t num_processes;
};
constexpr Headline kHeadlines[] = {{"t14-fig5", "average", "ppq_context_switch", kFewest},
                                   {"t14-fig5", "average", "ppq_context_switch", kMost},
                                   {"t14-fig5", "average", "ppq_drain", kMost},
                                   {"t14-fig5", "average", "npq", kMost},
                                   {"t14-fig6", "exclusive", "ppq_context_switch", kMost},
                                   {"t14-fig6", "exclusive", "ppq_drain", kMost},
                                   {"t14-fig7", "average", "dss_context_switch", kFewest},
                                   {"t14-fig7", "average", "dss_context_switch", kMost},
                                   {"t14-fig7", "average", "dss_drain", kMost},
                                   {"t14-fig7", "long", "dss_context_switch", kMost},
                                   {"t14-fig7", "fairness", "dss_context_switch", kMost},
                                   {"t14-fig7", "throughput", "dss_context_switch", kMost},
                                   {"t14-fig8", "improved", "dss_context_switch", kFewest}};

Plan plan_of(const Assumption& assumption, const Load& load, std::uint32_t num_workloads) {
  Plan plan;
  plan.base = load(assumption.overrides);
  if (assumption.change) assumption.change(plan.base);
  plan.studies = {priority_study(plan.base), sharing_study(plan.base)};
  plan.num_processes = {kFewest, kMost};
  plan.num_workloads = num_workloads;
  plan.has_all_pairs = num_workloads >= plan.base.processes.size();
  plan.starts_within = assumption.starts_within;
  return plan;
}

void add_headlines(Figure& figure, const std::string& assumption, const std::vector<Figure>& figures) {
  for (const Headline& headline : kHeadlines) {
    Value value;
    value.panel =
        fmt::format("{} {} {} at {}", headline.figure + 4, headline.panel, headline.series, headline.num_processes);
    value.series = assumption;
    value.num_processes = headline.num_processes;
    value.paper = printed(headline.figure, headline.panel, headline.series, headline.num_processes);
    const auto of =
        std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return one.name == headline.figure; });
    const auto same = std::find_if(of->values.begin(), of->values.end(), [&](const Value& one) {
      return one.panel == headline.panel && one.series == headline.series &&
             one.num_processes == headline.num_processes;
    });
    value.ours = same->ours;
    figure.values.push_back(std::move(value));
  }
}

}  // namespace

Figure sensitivity(const Load& load, std::uint32_t num_workloads, const Options& options, Effort& effort,
                   std::vector<std::string>& violations) {
  const std::vector<Assumption> all = assumptions(load({}));
  std::vector<Plan> plans;
  for (const Assumption& assumption : all) plans.push_back(plan_of(assumption, load, num_workloads));
  const std::vector<Results> results = run_campaign(plans, options);
  Figure figure;
  figure.name = "t14-sensitivity";
  figure.title = "Assumptions moved one at a time";
  figure.is_matrix = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    add_headlines(figure, all[i].name,
                  {fig5(plans[i], results[i]), fig6(plans[i], results[i]), fig7(plans[i], results[i]),
                   fig8(plans[i], results[i])});
    effort.add(results[i].effort);
    for (const std::string& violation : results[i].violations) violations.push_back(all[i].name + ": " + violation);
  }
  return figure;
}

}  // namespace tessera::campaign::t14
