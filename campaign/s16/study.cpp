// SPDX-License-Identifier: Apache-2.0
// A task for a worker is a setting and a victim, with all its requests.
#include "campaign/s16/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/spec/core_cycles.h"
#include "model/spec/diagnostics.h"
#include "model/spec/names.h"
#include "model/workload/draws.h"
#include "model/workload/kernel_times.h"

namespace tessera::campaign::s16 {
namespace {

constexpr const char* kSynthetic = "s16_synthetic";
constexpr std::uint64_t kTimesOfRequests = 0x7265717565737473;  // the stream of these draws
constexpr std::uint64_t kTimesOfGuests = 0x6775657374740000;    // likewise, of a guest's thread blocks
constexpr Cycle kFirst = 1;                                     // the victim arrives
constexpr std::uint32_t kEverySm = 15;                          // of the machine that num_tbs were chosen for

// Without what is only copied from process to process.
spec::Spec machine_of(const spec::Spec& base) {
  spec::Spec machine = base;
  machine.applications.clear();
  machine.processes.assign(2, {});
  machine.baseline.reset();
  machine.scheduler.policy = spec::PolicyKind::kPpq;
  return machine;
}

const spec::ApplicationSpec& synthetic(const spec::Spec& base) {
  for (const spec::ApplicationSpec& application : base.applications) {
    if (application.name == kSynthetic) return application;
  }
  throw std::out_of_range(fmt::format("no application {}", kSynthetic));
}

std::uint32_t tbs_per_wave(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  return gpu.num_sms * workload::occupancy(gpu, kernel).tbs_per_sm;
}

// The waves that it has on the machine it was written for.
void scale(spec::KernelSpec& kernel, const spec::GpuSpec& gpu, const spec::GpuSpec& written_for,
           std::uint32_t max_waves) {
  if (max_waves == 0) return;
  const std::uint64_t wave = tbs_per_wave(gpu, kernel);
  const std::uint64_t tbs = mul_div_ceil(kernel.num_tbs, wave, tbs_per_wave(written_for, kernel));
  kernel.num_tbs = static_cast<std::uint32_t>(std::min<std::uint64_t>(tbs, max_waves * wave));
}

// The machine of Table 4.1, as far as it says how many thread blocks an SM holds.
spec::GpuSpec machine_of_table_4_1() {
  spec::GpuSpec gpu;
  gpu.num_sms = kEverySm;
  gpu.max_tbs_per_sm = 8;
  gpu.max_threads_per_sm = 1536;
  gpu.registers_per_sm = 32768;
  gpu.shared_memory_bytes = {49152};
  return gpu;
}

tlm_model::KernelLaunch launch_of(const spec::KernelSpec& kernel, const workload::TbTime& time, std::uint64_t key,
                                  std::uint32_t priority) {
  tlm_model::KernelLaunch launch;
  launch.priority = priority;
  launch.num_tbs = kernel.num_tbs;
  launch.regs_per_tb = kernel.regs_per_tb;
  launch.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
  launch.threads_per_tb = kernel.threads_per_tb;
  launch.max_tbs_per_sm = kernel.max_tbs_per_sm;
  launch.idempotent_until_ppm = kernel.idempotent_until_ppm;
  launch.occupancy_speedup_ppm = kernel.occupancy_speedup_ppm;
  launch.durations = workload::TbDurations(time, key, kernel.neighbour_cpi_spread_ppm);
  launch.progress = workload::TbProgress(
      {kernel.work_share_ppm, kernel.segment_cpi_spread_ppm, kernel.neighbour_cpi_spread_ppm}, key);
  return launch;
}

// Every request meets another launch of the kernel, in its own share of the kernel's time.
Probe probe(const Sample& sample, const spec::Spec& machine, std::size_t victim, std::uint32_t number) {
  const Study& study = *sample.study;
  const Victim& it = study.victims[victim];
  const auto process = static_cast<std::uint32_t>(victim);
  const std::uint64_t key = workload::launch_key(machine.seed, process, number, 0);
  const std::uint64_t at = workload::draw(workload::mix64(machine.seed ^ kTimesOfRequests) + process, number);
  const Uint128 in_shares = (Uint128{number} << 64) + at;
  // Of a guest that never ends, no place is free again before all have one.
  const bool guest_ends = sample.setting.guest_ends;
  const workload::TbTime guest_time = guest_ends ? study.guest_time : workload::TbTime{kNever, 0};
  ProbeInput input{machine, launch_of(it.kernel, it.time, key, 0),
                   launch_of(study.guest, guest_time, workload::mix64(key ^ kTimesOfGuests), 1)};
  input.until_guest_ends = guest_ends;
  input.victim_arrives = kFirst;
  input.guest_arrives = kFirst + 1 + static_cast<Cycle>(in_shares / study.probes * it.alone >> 64);
  input.gives_up_after = std::max<Cycle>(machine.gpu.clock_hz / 100, 4 * it.time.mean);
  Probe answer = run_probe(input);
  if (guest_ends) answer.guest_alone = cycles_of(machine, input.guest);
  return answer;
}

spec::Spec machine_with(const Study& study, const Setting& setting) {
  spec::Spec machine = study.machine;
  machine.scheduler.technique = setting.technique;
  machine.scheduler.estimator = setting.estimator;
  machine.scheduler.switch_pricing = setting.pricing;
  machine.scheduler.latency_limit = setting.limit;
  machine.scheduler.enable_escalation = setting.escalates;
  return machine;
}

void refuse(const char* key, std::string_view value, const char* allowed) {
  throw spec::InputError(
      {{"--set", 1, 1, key, "the techniques of this paper choose victims", std::string(value), allowed}});
}

// What an experiment with one of the techniques would be refused for.
void check_machine(const spec::Spec& base) {
  const spec::Engine engine = base.gpu.framework.engine;
  if (engine != spec::Engine::kIdeal) refuse("gpu.framework.engine", spec::to_string(engine), "ideal");
}

// Kernels alone, whose times place the requests, have the core's time for each job. Nobody preempts them.
spec::Spec alone(spec::Spec machine) {
  spec::FrameworkSpec& framework = machine.gpu.framework;
  framework.engine = spec::Engine::kSerialised;
  machine.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  framework.tb_issue_cycles =
      std::max(framework.tb_issue_cycles, spec::min_tb_issue_cycles(machine.scheduler.tbs_per_cycle));
  return machine;
}

void note_faults(const Sample& sample, const Victim& victim, const std::vector<Probe>& probes,
                 std::vector<std::string>& violations) {
  for (const Probe& one : probes) {
    for (const std::string& fault : one.faults) {
      violations.push_back(fmt::format("{} {}, limit {} us: {}", victim.benchmark, victim.kernel.name,
                                       static_cast<double>(sample.setting.limit) / 1e6, fault));
    }
  }
}

}  // namespace

std::vector<std::string> Study::benchmarks() const {
  std::vector<std::string> names;
  for (const Victim& victim : victims) {
    if (names.empty() || names.back() != victim.benchmark) names.push_back(victim.benchmark);
  }
  return names;
}

bool Setting::operator==(const Setting& other) const {
  return std::tie(technique, estimator, pricing, limit, escalates, guest_ends) ==
         std::tie(other.technique, other.estimator, other.pricing, other.limit, other.escalates, other.guest_ends);
}

StudyPtr make_study(const spec::Spec& base, std::uint32_t probes, const Change& change, std::uint32_t max_waves,
                    const GuestChange& change_guest) {
  check_machine(base);
  auto study = std::make_shared<Study>();
  study->machine = machine_of(base);
  study->probes = probes;
  study->guest = synthetic(base).kernels.front();
  if (change_guest) change_guest(study->guest);
  study->guest_time = workload::tb_time(base, study->guest);
  if (max_waves > 0) study->guest.num_tbs = tbs_per_wave(base.gpu, study->guest);
  for (const spec::ApplicationSpec& application : base.applications) {
    if (application.name == kSynthetic) continue;
    const std::vector<std::uint64_t> launches = spec::launches_per_run(application);
    const std::size_t first = study->victims.size();
    double sum = 0;
    for (std::size_t i = 0; i < application.kernels.size(); ++i) {
      const std::size_t number = study->victims.size();
      Victim victim{application.name, application.kernels[i], {}};
      scale(victim.kernel, base.gpu, machine_of_table_4_1(), max_waves);
      if (change) change(number, victim.kernel);
      victim.time = workload::tb_time(base, victim.kernel);
      const std::uint64_t key = workload::launch_key(base.seed, static_cast<std::uint32_t>(number), probes, 0);
      victim.alone = cycles_of(alone(study->machine), launch_of(victim.kernel, victim.time, key, 0));
      victim.weight = static_cast<double>(victim.alone) * static_cast<double>(launches[i]);
      sum += victim.weight;
      study->victims.push_back(std::move(victim));
    }
    for (std::size_t i = first; i < study->victims.size(); ++i) study->victims[i].weight /= sum;
  }
  return study;
}

void run_samples(std::vector<Sample>& samples, const Options& options, Effort& effort,
                 std::vector<std::string>& violations) {
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const Sample& sample : samples) {
    for (std::size_t victim = 0; victim < sample.study->victims.size(); ++victim) {
      tasks.emplace_back([&sample, &options, victim] {
        const spec::Spec machine = machine_with(*sample.study, sample.setting);
        std::vector<Probe> probes;
        for (std::uint32_t i = 0; i < sample.study->probes && !options.is_interrupted(); ++i)
          probes.push_back(probe(sample, machine, victim, i));
        return nlohmann::json(probes);
      });
    }
  }
  std::vector<nlohmann::json> answers = answers_of(tasks, options);
  auto answer = answers.begin();
  for (Sample& sample : samples) {
    for (const Victim& victim : sample.study->victims) {
      sample.probes.push_back((answer++)->get<std::vector<Probe>>());
      note_faults(sample, victim, sample.probes.back(), violations);
      for (const Probe& one : sample.probes.back()) {
        ++effort.simulations;
        effort.tbs += one.thread_blocks;
        effort.preemptions += one.waits.size();
      }
      effort.simulated_seconds += static_cast<double>(victim.alone) / 2 * sample.study->probes /
                                  static_cast<double>(sample.study->machine.gpu.clock_hz);
    }
  }
}

}  // namespace tessera::campaign::s16
