// SPDX-License-Identifier: Apache-2.0
// [T14] Table 1 on the whole machine: each kernel alone takes its time, or each of its thread blocks does.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/spec/loader.h"
#include "model/spec/names.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

constexpr std::size_t kTable1Rows = 24;

// Every kernel of the applications of [T14], each alone on the K20c: launched and waited for, again and again.
struct Alone {
  std::string name;
  spec::KernelSpec kernel;
  spec::Spec spec;
};

std::vector<Alone> kernels_of_table_1(spec::TimeBase time_base) {
  const std::filesystem::path configs = std::filesystem::path(TESSERA_SOURCE_DIR) / "configs";
  std::vector<Alone> found;
  for (const auto& file : std::filesystem::directory_iterator(configs / "applications")) {
    if (file.path().extension() != ".yaml") continue;
    spec::Spec spec = spec::load_experiment(
        configs / "experiments/quickstart.yaml",
        {fmt::format("workload.processes=[{{name: alone, application: {}}}]", file.path().string()), "stop.min_runs=1",
         fmt::format("workload.time_base={}", spec::to_string(time_base))});
    const spec::ApplicationSpec application = spec.applications.front();
    for (const spec::KernelSpec& kernel : application.kernels) {
      if (kernel.is_persistent) continue;
      spec.applications.front().kernels = {kernel};
      found.push_back({application.name + "." + kernel.name, kernel, spec});
    }
  }
  std::sort(found.begin(), found.end(), [](const Alone& a, const Alone& b) { return a.name < b.name; });
  EXPECT_EQ(found.size(), kTable1Rows);
  return found;
}

// Counts what it hears and keeps nothing: some kernels have 100,000 thread blocks.
class DurationSink : public record::ISink {
 public:
  bool wants_per_tb() const override { return true; }
  void consume(const Record& record) override {
    if (record.kind == Kind::kKernelArrived) arrived_ = record.cycle;
    if (record.kind == Kind::kKernelFinished) kernel_cycles_ += record.cycle - arrived_, ++kernels_;
    if (record.kind == Kind::kTbIssued) issued_[record.tb] = record.cycle;
    if (record.kind != Kind::kTbFinished) return;
    const Cycle duration = record.cycle - issued_[record.tb];
    shortest_ = std::min(shortest_, duration);
    longest_ = std::max(longest_, duration);
  }
  nlohmann::json result() const {
    return {{"kernels", kernels_}, {"cycles", kernel_cycles_}, {"shortest", shortest_}, {"longest", longest_}};
  }

 private:
  Cycle arrived_ = 0;
  Cycle kernel_cycles_ = 0;
  std::uint64_t kernels_ = 0;
  std::map<std::uint32_t, Cycle> issued_;  // by TB, of the launch under way
  Cycle shortest_ = kNever;
  Cycle longest_ = 0;
};

// What the sink heard of each, in the order given.
std::vector<nlohmann::json> simulate_all(const std::vector<Alone>& all) {
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const Alone& alone : all) {
    tasks.emplace_back([&alone] {
      throw_on_systemc_reports();
      DurationSink sink;
      simulate(alone.spec, {&sink}, never_interrupted);
      return sink.result();
    });
  }
  return run_in_workers(tasks, 2);
}

TEST(KernelTime, OfEachKernelOfTable1AloneIsItsTimeWithinOnePercent) {
  // The draws of small kernels scatter: the mean is taken over as many launches as have this many TBs.
  constexpr std::uint32_t kTbs = 40'000;
  std::vector<Alone> all = kernels_of_table_1(spec::TimeBase::kKernelTime);
  for (Alone& alone : all) {
    alone.spec.applications.front().program = {
        loop(std::clamp(kTbs / alone.kernel.num_tbs, 3U, 2000U), {launch(0), synchronise()})};
  }
  const std::vector<nlohmann::json> results = simulate_all(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto kernels = results[i].at("kernels").get<std::uint64_t>();
    const auto cycles = results[i].at("cycles").get<Cycle>();
    EXPECT_GE(kernels, 3U);
    const Cycle wanted = kernels * Clock(all[i].spec.gpu.clock_hz).cycles_in(all[i].kernel.kernel_time.value());
    const Cycle error = cycles > wanted ? cycles - wanted : wanted - cycles;
    EXPECT_LE(100 * error, wanted) << fmt::format("{}: {} launches, {:.2f} % off", all[i].name, kernels,
                                                  100.0 * static_cast<double>(error) / static_cast<double>(wanted));
  }
}

TEST(TimePerTb, IsTakenLiterally) {
  constexpr std::uint32_t kTbs = 300;
  std::vector<Alone> all = kernels_of_table_1(spec::TimeBase::kTimePerTb);
  for (Alone& alone : all) {
    spec::KernelSpec& kernel = alone.spec.applications.front().kernels.front();
    kernel.num_tbs = std::min(kernel.num_tbs, kTbs);
    kernel.tb_time_spread_ppm = 0;
    alone.spec.applications.front().program = {launch(0)};
  }
  const std::vector<nlohmann::json> results = simulate_all(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Cycle wanted = Clock(all[i].spec.gpu.clock_hz).cycles_in(all[i].kernel.tb_time.value());
    EXPECT_EQ(results[i].at("shortest").get<Cycle>(), wanted) << all[i].name;
    EXPECT_EQ(results[i].at("longest").get<Cycle>(), wanted) << all[i].name;
  }
}

TEST(TimePerTb, ScattersByTheSpreadAndNotMore) {
  std::vector<Alone> all = kernels_of_table_1(spec::TimeBase::kTimePerTb);
  for (Alone& alone : all) alone.spec.applications.front().program = {launch(0)};
  const std::vector<nlohmann::json> results = simulate_all(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Cycle mean = Clock(all[i].spec.gpu.clock_hz).cycles_in(all[i].kernel.tb_time.value());
    const Cycle half = mul_div_round(mean, all[i].kernel.tb_time_spread_ppm, 1'000'000);
    EXPECT_GT(half, 0U) << all[i].name;
    EXPECT_GE(results[i].at("shortest").get<Cycle>(), mean - half) << all[i].name;
    EXPECT_LE(results[i].at("longest").get<Cycle>(), mean + half) << all[i].name;
    EXPECT_LT(results[i].at("shortest").get<Cycle>(), mean) << all[i].name;
    EXPECT_GT(results[i].at("longest").get<Cycle>(), mean) << all[i].name;
  }
}

}  // namespace
}  // namespace tessera::platform::test
