// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: the same benchmarks on GPUs with larger SMs, and more of them.
#include <fmt/format.h>

#include <algorithm>

#include "campaign/s16/beyond_figures.h"

namespace tessera::campaign::s16 {
namespace {

constexpr double kPaperSwitchUs = 15.24;    // (128 + 48) KiB at a fifteenth of 177.4 GB/s
constexpr std::uint32_t kTbsPerCycle = 15;  // as on the paper's, where there are as many SMs
constexpr std::uint32_t kMaxWaves = 12;     // of a benchmark: the time of a request falls into one of them
const std::vector<Scheme> kOnGpus{kChimera, kDual, kOracle};

struct Gpu {
  const char* name;
  const char* file;  // beside the paper's own
  bool walks_rows;   // tables are searched a row a cycle, not at once
};
constexpr Gpu kGpus[] = {{"gtx480 of the paper", "", false},
                         {"k20c", "k20c", false},
                         {"v100", "v100", false},
                         {"a100", "a100", false},
                         {"h100", "h100", false},
                         {"h100, a row a cycle", "h100", true}};

spec::Spec load(const Request& request, const Gpu& gpu) {
  std::vector<std::string> overrides;
  if (*gpu.file != '\0') {
    overrides.push_back(fmt::format("gpu=../gpus/{}.yaml", gpu.file));
    overrides.push_back(fmt::format("framework.tb_issue_cycles={}", spec::kSerialisedIssueCycles));  // as theirs
  }
  overrides.emplace_back("scheduler.tbs_per_cycle=1");
  const std::uint32_t num_sms = request.load(overrides).gpu.num_sms;
  overrides.back() = fmt::format("scheduler.tbs_per_cycle={}", std::min(num_sms, kTbsPerCycle));
  if (!gpu.walks_rows) overrides.push_back(fmt::format("scheduler.search_width={}", num_sms));
  return request.load(overrides);
}

// Of an SM that is full of registers and shared memory.
double sm_switch_us_of(const spec::GpuSpec& gpu) {
  const double bytes = 4.0 * gpu.registers_per_sm + gpu.shared_memory_bytes.back();
  return bytes * gpu.num_sms / static_cast<double>(gpu.memory_bandwidth_bytes_per_s) * 1e6;
}

}  // namespace

std::vector<Machine> machines_of(const Request& request) {
  std::vector<Machine> machines;
  const std::uint32_t probes = std::max(2U, request.num_workloads / 2);
  for (const Gpu& gpu : kGpus) {
    const spec::Spec base = load(request, gpu);
    const double switch_us = sm_switch_us_of(base.gpu);
    std::vector<Picoseconds> limits;
    for (const double us : {2.0, 5.0})
      limits.push_back(static_cast<Picoseconds>(1e6 * us * switch_us / kPaperSwitchUs));
    std::vector<Setting> settings;
    for (const spec::SwitchPricing pricing : kPricings) {
      for (const Scheme& scheme : kOnGpus) {
        for (const Picoseconds limit : limits) settings.push_back(setting_of(scheme, limit, pricing));
      }
    }
    machines.push_back({gpu.name, switch_us, limits, Samples(make_study(base, probes, {}, kMaxWaves), settings)});
  }
  return machines;
}

Figure gpus(const std::vector<Machine>& machines) {
  Figure figure = campaign_figure("s16-gpus", "Other GPUs, limits in proportion to the switch of a full SM", "%");
  figure.drawing = Drawing::kBars;
  figure.cluster_head = "GPU";
  for (const spec::SwitchPricing pricing : kPricings) {
    for (const std::size_t limit : {0U, 1U}) {
      const std::string at = fmt::format("{}, {} limit", name_of(pricing), limit == 0 ? "tight" : "loose");
      for (const Scheme& scheme : kOnGpus) {
        for (const Machine& machine : machines) {
          const Setting setting = setting_of(scheme, machine.limits[limit], pricing);
          figure.values.push_back(bar("SMs late, " + at, scheme.name, machine.name, machine.samples.late(setting)));
        }
      }
      for (const Scheme& scheme : {kChimera, kDual}) {
        for (const Machine& machine : machines) {
          const Setting setting = setting_of(scheme, machine.limits[limit], pricing);
          figure.values.push_back(bar("wasted, " + at, scheme.name, machine.name, machine.samples.overhead(setting)));
        }
      }
    }
  }
  std::string text;
  for (const Machine& machine : machines) {
    text +=
        fmt::format("{}{} {:.1f} us: {:.2f} and {:.2f}", text.empty() ? "" : "; ", machine.name, machine.sm_switch_us,
                    static_cast<double>(machine.limits[0]) / 1e6, static_cast<double>(machine.limits[1]) / 1e6);
  }
  figure.notes.push_back("Switch of a full SM, one way, and the two limits, us: " + text + ".");
  figure.notes.emplace_back(
      "Thread blocks take as long as on the paper's GPU, and are as many to an SM as fit; a benchmark has as many "
      "waves "
      "as there, 12 at most, and the preempting kernel is one wave. The GPUs have the latencies of their own files. "
      "The whole tables are searched at once, but where a row a cycle is said.");
  return figure;
}

}  // namespace tessera::campaign::s16
