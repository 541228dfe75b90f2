// SPDX-License-Identifier: Apache-2.0
// [T14] Table 1, as printed, against what the configurations and the occupancy arithmetic make of it.
// Numbers are compared in the digits of the print: hundredths of a microsecond or of a per cent.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/t14/paper_values.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera {
namespace {

using campaign::t14::kTable1;
using Row = campaign::t14::Table1Row;

// Rows whose blocks, registers and shared memory are means over launches of two sizes, printed without their fraction.
bool is_mean(const Row& row) { return row.kernel == "scaninter1" || row.kernel == "scaninter2"; }

constexpr Picoseconds kPicosecondsPerHundredth = 10'000;  // of a microsecond
constexpr std::int64_t kPpmPerHundredth = 100;            // of a per cent

// "83.26" -> 8326
std::int64_t hundredths(std::string_view printed) {
  std::string digits(printed);
  digits.erase(digits.find('.'), 1);
  return std::stoll(digits);
}

std::int64_t rounded(std::uint64_t value, std::uint64_t unit) {
  return static_cast<std::int64_t>((value + unit / 2) / unit);
}

// The applications of the table in one experiment, through the loader: nothing else reads YAML.
class Table1 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path configs = std::filesystem::path(TESSERA_SOURCE_DIR) / "configs";
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / fmt::format("table1_{}.yaml", ::getpid());
    std::set<std::string_view> names;
    for (const Row& row : kTable1) names.insert(row.application);
    std::ofstream out(file);
    out << "schema_version: 1\nname: table1\n";
    out << "gpu: " << (configs / "gpus/k20c.yaml") << "\nhost: " << (configs / "hosts/core_i7_930.yaml") << "\n";
    out << "scheduler: {policy: fcfs}\nworkload:\n  processes:\n";
    for (const std::string_view name : names) {
      out << "    - {name: " << name << ", application: " << (configs / "applications" / fmt::format("{}.yaml", name))
          << "}\n";
    }
    out.close();
    spec_ = spec::load_experiment(file);
    std::filesystem::remove(file);
  }

  static const spec::ApplicationSpec& application(std::string_view name) {
    const auto& all = spec_.applications;
    return *std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == name; });
  }

  static const spec::KernelSpec& kernel(const Row& row) {
    const auto& all = application(row.application).kernels;
    return *std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == row.kernel; });
  }

  inline static spec::Spec spec_;
};

TEST_F(Table1, EveryKernelOfTheConfigurationsIsARowAndEveryRowAKernel) {
  std::set<std::pair<std::string, std::string>> printed;
  for (const Row& row : kTable1) printed.emplace(row.application, row.kernel);
  std::set<std::pair<std::string, std::string>> configured;
  for (const auto& entry : spec_.applications) {
    for (const auto& k : entry.kernels) configured.emplace(entry.name, k.name);
  }
  EXPECT_EQ(configured, printed);
}

TEST_F(Table1, ConfigurationsStateThePrintedInputs) {
  for (const Row& row : kTable1) {
    SCOPED_TRACE(row.kernel);
    const spec::KernelSpec& k = kernel(row);
    EXPECT_EQ(k.num_tbs, row.num_tbs);
    EXPECT_EQ(k.regs_per_tb, row.regs_per_tb);
    EXPECT_EQ(k.smem_bytes_per_tb, row.smem_bytes_per_tb);
    EXPECT_EQ(*k.kernel_time, hundredths(row.kernel_time_us) * kPicosecondsPerHundredth);
    EXPECT_EQ(*k.tb_time, hundredths(row.tb_time_us) * kPicosecondsPerHundredth);
  }
}

TEST_F(Table1, ThreadBlocksPerSmComeOut) {
  for (const Row& row : kTable1) {
    EXPECT_EQ(workload::occupancy(spec_.gpu, kernel(row)).tbs_per_sm, row.tbs_per_sm) << row.kernel;
  }
}

TEST_F(Table1, ResourceShareComesOutToThePrintedDigits) {
  for (const Row& row : kTable1) {
    const std::int64_t ours = workload::resource_share_ppm(spec_.gpu, kernel(row));
    const std::int64_t slack = kPpmPerHundredth / 2 + (is_mean(row) ? kPpmPerHundredth : 0);
    EXPECT_LE(std::abs(ours - hundredths(row.resource_percent) * kPpmPerHundredth), slack) << row.kernel;
  }
}

TEST_F(Table1, SaveTimeComesOutToThePrintedDigits) {
  for (const Row& row : kTable1) {
    const std::int64_t ours = rounded(workload::projected_save_time(spec_.gpu, kernel(row)), kPicosecondsPerHundredth);
    EXPECT_EQ(ours, hundredths(row.save_time_us)) << row.kernel;
  }
}

TEST_F(Table1, TimePerThreadBlockLeavesTheNumberOfSmsOut) {
  for (const Row& row : kTable1) {
    if (is_mean(row)) continue;
    const Picoseconds time = *kernel(row).kernel_time;
    const std::uint32_t tbs_per_sm = workload::occupancy(spec_.gpu, kernel(row)).tbs_per_sm;
    EXPECT_EQ(rounded(mul_div_round(time, tbs_per_sm, row.num_tbs), kPicosecondsPerHundredth),
              hundredths(row.tb_time_us))
        << row.kernel;
  }
}

void count_launches(const std::vector<spec::HostStep>& steps, std::uint32_t times,
                    std::map<std::uint32_t, std::uint32_t>& launches) {
  for (const spec::HostStep& step : steps) {
    if (const auto* launch = std::get_if<spec::Launch>(&step)) launches[launch->kernel] += times;
    if (const auto* loop = std::get_if<spec::Loop>(&step)) count_launches(loop->body, times * loop->count, launches);
    if (const auto* group = std::get_if<spec::Group>(&step)) count_launches(group->work, times, launches);
  }
}

TEST_F(Table1, ProgramsLaunchEachKernelAsOftenAsPrinted) {
  for (const Row& row : kTable1) {
    const spec::ApplicationSpec& entry = application(row.application);
    std::map<std::uint32_t, std::uint32_t> launches;
    count_launches(entry.program, 1, launches);
    EXPECT_EQ(launches[static_cast<std::uint32_t>(&kernel(row) - entry.kernels.data())], row.launches) << row.kernel;
  }
}

// When a program would end on a machine without overheads: one stream, kernels take their printed time, copies the
// bus's rate. A lower bound of the turnaround alone.
class IdealMachine {
 public:
  IdealMachine(const spec::Spec& spec, const spec::ApplicationSpec& application)
      : spec_(spec), application_(application) {
    run(application.program);
  }

  Picoseconds end() const { return std::max(host_, device_); }

 private:
  void run(const std::vector<spec::HostStep>& steps) {
    for (const spec::HostStep& step : steps) {
      std::visit([this](const auto& s) { take(s); }, step);
    }
  }
  void take(const spec::CpuPhase& phase) { host_ += phase.time; }
  void take(const spec::RecordEvent&) { host_ += spec_.host.launch; }
  void take(const spec::WaitForEvent&) { host_ += spec_.host.launch; }
  void take(const spec::Launch& launch) {
    host_ += spec_.host.launch;
    device_ = std::max(host_, device_) + *application_.kernels[launch.kernel].kernel_time;
  }
  void take(const spec::Copy& copy) {
    host_ += spec_.host.copy;
    device_ =
        std::max(host_, device_) + mul_div_ceil(copy.bytes, kPicosecondsPerSecond, spec_.gpu.pcie.bytes_per_second());
    if (!copy.is_async) host_ = device_;
  }
  void take(const spec::Synchronise&) { host_ = std::max(host_ + spec_.host.synchronise, device_); }
  void take(const spec::Loop& loop) {
    for (std::uint32_t i = 0; i < loop.count; ++i) run(loop.body);
  }
  void take(const spec::Group& group) { run(group.work); }
  void take(const spec::Graph& graph) {
    for (const spec::HostStep* const node : spec::nodes_of(graph)) run({*node});
  }

  const spec::Spec& spec_;
  const spec::ApplicationSpec& application_;
  Picoseconds host_ = 0;
  Picoseconds device_ = 0;
};

constexpr Picoseconds kMillisecond = kPicosecondsPerSecond / 1000;

// [T14] 4.4: SHORT below 5 ms, MEDIUM 30 to 115 ms, LONG above 400 ms; the column "Class 2".
TEST_F(Table1, ApplicationsFallIntoTheirClassOfExecutionTime) {
  struct Class {
    std::vector<std::string_view> applications;
    Picoseconds least;
    Picoseconds most;
  };
  const Class classes[] = {
      {{"spmv", "sgemm"}, 0, 5 * kMillisecond},
      {{"histo", "tpacf", "cutcp"}, 30 * kMillisecond, 115 * kMillisecond},
      {{"lbm", "sad", "stencil", "mri-gridding"}, 400 * kMillisecond, 1000 * kMillisecond},
  };
  for (const Class& c : classes) {
    for (const std::string_view name : c.applications) {
      const Picoseconds time = IdealMachine(spec_, application(name)).end();
      EXPECT_GT(time, c.least) << name;
      EXPECT_LT(time, c.most) << name;
    }
  }
}

TEST_F(Table1, MriQCannotBeShortSinceItsKernelsAloneTakeLonger) {
  std::int64_t kernels = 0;
  for (const Row& row : kTable1) {
    if (row.application == "mri-q") kernels += row.launches * hundredths(row.kernel_time_us);
  }
  const Picoseconds kernel_time = static_cast<Picoseconds>(kernels) * kPicosecondsPerHundredth;
  EXPECT_GT(kernel_time, 5 * kMillisecond);
  EXPECT_LT(IdealMachine(spec_, application("mri-q")).end(), kernel_time + 2 * kMillisecond);
}

}  // namespace
}  // namespace tessera
