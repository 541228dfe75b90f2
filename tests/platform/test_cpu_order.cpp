// SPDX-License-Identifier: Apache-2.0
// Cores under threads that sleep, spin and work at random, a few cycles at a time, so that much falls into one cycle:
// whatever the order in which SystemC runs the threads, the log is the same, and keeps the rules.
#include <algorithm>
#include <numeric>
#include <random>

#include "model/record/checks/cpu_monitor.h"
#include "tests/platform/machine_bench.h"
#include "tlm/host/cpu_cores.h"

namespace tessera::platform::test {
namespace {

constexpr Cycle kEndOfThreads = 4'000;

spec::Spec random_cores(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  spec::Spec spec = tiny_platform();
  const auto num_cores = static_cast<std::uint32_t>(1 + random() % 3);
  spec.host.cpu = spec::CpuSpec{num_cores, 1, 0};
  spec.processes.resize(2 + random() % 5);
  for (spec::ProcessSpec& process : spec.processes) {
    process.cpu_priority = static_cast<std::uint32_t>(random() % 3);
    for (std::uint32_t core = 0; core < num_cores; ++core) {
      if (random() % 2 == 0) process.cores.push_back(core);
    }
  }
  return spec;
}

// A thread that does whatever comes to its mind.
void live(tlm_model::CpuCores& cores, std::uint32_t process, std::uint64_t seed) {
  const tlm_model::CycleTime time(tiny_platform().gpu.clock_hz);
  std::mt19937_64 random(seed * 1'000 + process);
  const auto pause = [&] { sc_core::wait(time.until(time.now() + random() % 6)); };
  pause();
  cores.wake(process);
  for (;;) {
    switch (random() % 3) {
      case 0:
        cores.spend(process, random() % 9);
        break;
      case 1:
        cores.sleep(process);
        pause();
        cores.wake(process);
        break;
      default:
        cores.begin_spin(process);
        pause();
        cores.end_spin(process);
        break;
    }
  }
}

// The log of threads that are started, and so run within a cycle, in this order.
nlohmann::json log_of(const spec::Spec& spec, std::uint64_t seed, const std::vector<std::uint32_t>& order) {
  throw_on_systemc_reports();
  record::RecordLog log;
  record::MemorySink sink;
  record::CpuMonitor monitor(record::make_cpu_facts(spec));
  log.add_sink(&sink);
  log.add_sink(&monitor);
  tlm_model::CpuCores cores("u_cpu_cores", spec, log);
  for (const std::uint32_t process : order) sc_core::sc_spawn([&, process] { live(cores, process, seed); });
  sc_core::sc_start(tlm_model::CycleTime(spec.gpu.clock_hz).at(kEndOfThreads) - sc_core::sc_time(1, sc_core::SC_PS));
  cores.finish(kEndOfThreads);
  log.finish(kEndOfThreads);
  return {{"records", sink.records()}, {"verdicts", monitor.verdicts()}};
}

TEST(CpuOrder, IsNotThatInWhichSystemCRunsTheThreads) {
  std::vector<std::function<nlohmann::json()>> tasks;
  constexpr std::uint64_t kSeeds = 10;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const spec::Spec spec = random_cores(seed);
    std::vector<std::uint32_t> order(spec.processes.size());
    std::iota(order.begin(), order.end(), 0U);
    tasks.emplace_back([=] { return log_of(spec, seed, order); });
    tasks.emplace_back([=] { return log_of(spec, seed, {order.rbegin(), order.rend()}); });
  }
  const std::vector<nlohmann::json> logs = run_in_workers(tasks, 1);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const nlohmann::json& log = logs[2 * seed];
    EXPECT_EQ(log, logs[2 * seed + 1]) << "seed " << seed;
    EXPECT_GT(log.at("records").size(), 200U) << "seed " << seed;
    for (const auto& verdict : log.at("verdicts")) EXPECT_EQ(verdict.at(1), "ok") << verdict.at(0) << ", seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::platform::test
