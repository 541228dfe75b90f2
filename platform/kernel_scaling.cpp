// SPDX-License-Identifier: Apache-2.0
// A simulation for each kernel and number of SMs.
#include "platform/kernel_scaling.h"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/realtime/task_kernels.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/json_text.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"

namespace tessera::platform {
namespace {

constexpr char kInterrupted[] = "interrupted";
constexpr Picoseconds kLongestRun = 1000 * kPicosecondsPerSecond;

// Launched once, by a process that has it alone.
spec::ApplicationSpec launched_once(const spec::KernelSpec& kernel) {
  spec::ApplicationSpec application;
  application.name = kernel.name;
  application.kernels = {kernel};
  application.kernels[0].tb_time = realtime::longest_tb_time(kernel);
  application.kernels[0].tb_time_spread_ppm = 0;
  application.kernels[0].kernel_time_spread_ppm = 0;
  application.kernels[0].neighbour_cpi_spread_ppm = 0;
  application.program = {spec::Launch{}};
  return application;
}

// All that comes in a cycle is done in it, and each latency is the least that there is.
void leave_out_framework(spec::Spec& spec) {
  spec.scheduler.search_width = spec.gpu.num_sms;
  spec::FrameworkSpec& framework = spec.gpu.framework;
  framework.search_entry_cycles = 1;
  framework.kernel_activation_cycles = 0;
  framework.sm_setup_cycles = 1;
  framework.link_cycles = {};
  framework.setup_tag_bits = 0;
  framework.refill_lane = false;
  framework.engine = spec::Engine::kIdeal;
  framework.tb_issue_cycles = spec::kIdealIssueCycles;
}

spec::Spec alone_on(const spec::Spec& machine, const spec::ApplicationSpec& application, std::uint32_t num_sms,
                    FrameworkTime framework) {
  spec::Spec spec = machine;
  spec.time_base = spec::TimeBase::kTimePerTb;
  spec.applications = {application};
  spec::PartitionSpec partition{"all", {}};
  for (std::uint32_t sm = 0; sm < num_sms; ++sm) partition.sms.push_back(sm);
  spec.partitions = {partition};
  spec::ProcessSpec process;
  process.name = application.name;
  process.deadline = kLongestRun;  // of its kernels: so their response is counted
  process.runs = 1;
  spec.processes = {process};
  spec.stop.min_runs = 1;
  spec.stop.max_time = kLongestRun;
  if (framework == FrameworkTime::kLeftOut) leave_out_framework(spec);
  return spec;
}

realtime::Nanoseconds response_of(const spec::Spec& spec, const std::function<bool()>& is_interrupted) {
  const record::RunResult result = simulate(spec, {}, is_interrupted);
  const record::ProcessResult& process = result.processes.at(0);
  if (!result.complete) throw std::runtime_error(kInterrupted);
  if (process.runs == 0) throw std::runtime_error("a kernel alone did not end within 1000 s");
  const Picoseconds time = Clock(spec.gpu.clock_hz).time_of(process.worst_response_cycles);
  return static_cast<realtime::Nanoseconds>((time + 999) / 1000);
}

}  // namespace

std::vector<std::vector<realtime::Nanoseconds>> measure_scaling(
    const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels, FrameworkTime framework,
    unsigned num_workers, const std::function<bool()>& is_interrupted,
    const std::function<void(std::size_t done, std::size_t total)>& on_progress) {
  // 1. Each kernel once, whatever it is called.
  std::vector<spec::ApplicationSpec> distinct;
  std::map<std::string, std::size_t> index_of;
  std::vector<std::size_t> indices;
  for (const spec::KernelSpec& kernel : kernels) {
    spec::ApplicationSpec application = launched_once(kernel);
    application.name = application.kernels[0].name = "kernel";
    const auto [known, is_new] = index_of.emplace(spec::json_text(spec::to_json(application)), distinct.size());
    indices.push_back(known->second);
    if (is_new) distinct.push_back(std::move(application));
  }
  // 2. On each number of SMs.
  const std::uint32_t num_sms = machine.gpu.num_sms;
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const spec::ApplicationSpec& application : distinct) {
    for (std::uint32_t m = 1; m <= num_sms; ++m) {
      tasks.emplace_back([&, m] { return response_of(alone_on(machine, application, m, framework), is_interrupted); });
    }
  }
  const auto on_done = [&](std::size_t done) {
    if (on_progress) on_progress(done, tasks.size());
  };
  const std::vector<nlohmann::json> times = run_in_workers(tasks, num_workers, on_done, {}, is_interrupted);
  if (is_interrupted()) throw std::runtime_error(kInterrupted);
  // 3. By kernel.
  std::vector<std::vector<realtime::Nanoseconds>> tables;
  for (const std::size_t index : indices) {
    std::vector<realtime::Nanoseconds>& table = tables.emplace_back();
    for (std::uint32_t m = 0; m < num_sms; ++m) table.push_back(times.at(index * num_sms + m).get<std::int64_t>());
  }
  return tables;
}

}  // namespace tessera::platform
