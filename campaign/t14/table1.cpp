// SPDX-License-Identifier: Apache-2.0
// Table 1: what the machine makes of every kernel, and how long the kernel takes alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "campaign/kernel_rows.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/paper_values.h"
#include "model/workload/kernel_model.h"
#include "platform/simulation.h"

namespace tessera::campaign::t14 {
namespace {

// Small kernels scatter: the mean is taken over as many launches as have so many thread blocks.
constexpr std::uint32_t kTbs = 40'000;
constexpr std::uint32_t kMinLaunches = 3;
constexpr std::uint32_t kMaxLaunches = 2000;

using Row = KernelRow<Table1Row>;

// From arrival to the last thread block, summed over the launches.
class KernelTimeSink : public record::ISink {
 public:
  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override {
    if (record.kind == record::Kind::kKernelArrived) arrived_ = record.cycle;
    if (record.kind != record::Kind::kKernelFinished) return;
    cycles_ += record.cycle - arrived_;
    ++launches_;
  }
  Cycle cycles() const { return cycles_; }
  std::uint64_t launches() const { return launches_; }

 private:
  Cycle arrived_ = 0;
  Cycle cycles_ = 0;
  std::uint64_t launches_ = 0;
};

nlohmann::json simulate_alone(const spec::Spec& base, const spec::KernelSpec& kernel,
                              const std::function<bool()>& is_interrupted) {
  spec::Spec spec = base;
  const std::uint32_t launches = std::clamp(kTbs / kernel.num_tbs, kMinLaunches, kMaxLaunches);
  spec.applications = {{kernel.name, {kernel}, {spec::Loop{launches, {spec::Launch{}, spec::Synchronise{}}}}}};
  spec.processes.resize(1);
  spec.processes.front().application = 0;
  spec.stop.min_runs = 1;
  KernelTimeSink sink;
  const record::RunResult result = platform::simulate(spec, {&sink}, is_interrupted);
  if (!result.complete) return {};
  if (sink.launches() < launches) throw std::runtime_error(kernel.name + " alone does not end (stop.max_time_us?)");
  return {{"cycles", sink.cycles()}, {"launches", launches}, {"faults", faults_of(result, kernel.name + " alone")}};
}

double number(std::string_view printed) { return std::stod(std::string(printed)); }

double hundredths(double value) { return std::round(value * 100) / 100; }

Value entry(const Row& row, const char* column, double paper, double ours, std::size_t launches = 0) {
  Value value;
  value.panel = row.name();
  value.series = column;
  value.paper = paper;
  value.ours = {ours, 0, launches};
  return value;
}

// One claim about a column of the table.
void claim_column(Figure& figure, const std::string& column, const std::string& text, double tolerance) {
  double worst = 0;
  std::string where = "all equal";
  for (const Value& value : figure.values) {
    if (value.series != column) continue;
    const double off = std::abs(value.ours.mean - *value.paper) / (column == "time_us" ? *value.paper : 1);
    if (off <= worst) continue;
    worst = off;
    where = fmt::format("most off: {}, {:.4g} for {:.4g}", value.panel, value.ours.mean, *value.paper);
  }
  constexpr double kRounding = 1e-9;
  if (!figure.values.empty()) figure.orderings.push_back({text, worst <= tolerance + kRounding, where});
}

}  // namespace

Figure table1(const spec::Spec& base, const Options& options, std::vector<std::string>& violations) {
  const std::vector<Row> all = rows_of(kTable1, base);
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const Row& row : all) {
    tasks.emplace_back([&] { return simulate_alone(base, *row.kernel, options.is_interrupted); });
  }
  const std::vector<nlohmann::json> answers = run_tasks(tasks, options, violations);
  Figure figure;
  figure.name = "t14-table1";
  figure.title = "Every kernel on the machine, and alone";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Row& row = all[i];
    const auto launches = answers[i].at("launches").get<std::uint64_t>();
    const double us = answers[i].at("cycles").get<double>() * 1e6 / static_cast<double>(base.gpu.clock_hz) /
                      static_cast<double>(launches);
    figure.values.push_back(
        entry(row, "tbs_per_sm", row.printed->tbs_per_sm, workload::occupancy(base.gpu, *row.kernel).tbs_per_sm));
    figure.values.push_back(entry(row, "resource_percent", number(row.printed->resource_percent),
                                  hundredths(workload::resource_share_ppm(base.gpu, *row.kernel) / 1e4)));
    figure.values.push_back(
        entry(row, "save_time_us", number(row.printed->save_time_us),
              hundredths(static_cast<double>(workload::projected_save_time(base.gpu, *row.kernel)) / 1e6)));
    figure.values.push_back(entry(row, "time_us", number(row.printed->kernel_time_us), us, launches));
  }
  claim_column(figure, "tbs_per_sm", "thread blocks per SM as printed", 0);
  claim_column(figure, "resource_percent", "resource share as printed (0.01 off allowed: two rows are means)", 0.01);
  claim_column(figure, "save_time_us", "save time as printed", 0);
  if (base.time_base == spec::TimeBase::kKernelTime) {
    claim_column(figure, "time_us", "the kernel alone takes its time within 1 %", 0.01);
  }
  figure.notes.emplace_back("The number of workloads is that of the simulated launches.");
  return figure;
}

}  // namespace tessera::campaign::t14
