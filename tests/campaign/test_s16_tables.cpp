// SPDX-License-Identifier: Apache-2.0
// [S16]'s tables against what configurations, occupancy arithmetic and widths make of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>

#include "campaign/papers.h"
#include "campaign/s16/figures.h"
#include "campaign/s16/paper_values.h"
#include "model/workload/kernel_model.h"

namespace tessera::campaign::s16 {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

spec::Spec base(const std::vector<std::string>& overrides = {}) {
  return load_paper(TESSERA_SOURCE_DIR "/configs/papers/s16.yaml", overrides);
}

Request request_for(const std::string& target) {
  Request request;
  request.target = target;
  request.load = base;
  request.options.is_interrupted = [] { return false; };
  return request;
}

const Ordering& ordering(const Figure& figure, const std::string& part) {
  for (const Ordering& one : figure.orderings) {
    if (one.claim.find(part) != std::string::npos) return one;
  }
  throw std::out_of_range("no claim " + part);
}

double value(const Figure& figure, const std::string& panel, const std::string& series) {
  for (const Value& one : figure.values) {
    if (one.panel == panel && one.series == series) return one.ours.mean;
  }
  throw std::out_of_range("no value " + panel + ", " + series);
}

const spec::KernelSpec& kernel(const spec::Spec& spec, const Table42Row& row) {
  for (const spec::ApplicationSpec& application : spec.applications) {
    if (application.name != row.application) continue;
    for (const spec::KernelSpec& one : application.kernels) {
      if (one.name == row.kernel) return one;
    }
  }
  throw std::out_of_range("no kernel " + std::string(row.kernel));
}

TEST(S16Table42, EveryKernelFitsAsManyTbsAsPrinted) {
  const spec::Spec spec = base();
  for (const Table42Row& row : kTable42) {
    EXPECT_EQ(workload::occupancy(spec.gpu, kernel(spec, row)).tbs_per_sm, row.tbs_per_sm) << row.kernel;
  }
}

TEST(S16Table42, EveryKernelOfTheConfigurationsIsARowAndEveryRowAKernel) {
  std::set<std::pair<std::string, std::string>> printed, configured;
  for (const Table42Row& row : kTable42) printed.emplace(row.application, row.kernel);
  for (const spec::ApplicationSpec& application : base().applications) {
    if (application.name == "s16_synthetic") continue;
    for (const spec::KernelSpec& one : application.kernels) configured.emplace(application.name, one.name);
  }
  EXPECT_EQ(configured, printed);
}

TEST(S16Table42, ConfigurationsStateThePrintedInputsButForKmeansSharedMemory) {
  const spec::Spec spec = base();
  for (const Table42Row& row : kTable42) {
    SCOPED_TRACE(row.kernel);
    const spec::KernelSpec& one = kernel(spec, row);
    EXPECT_EQ(one.regs_per_tb, row.regs_per_tb);
    EXPECT_EQ(one.threads_per_tb, row.threads_per_tb);
    EXPECT_EQ(one.smem_bytes_per_tb, row.application == "kmeans" ? 0 : row.smem_bytes_per_tb);
    EXPECT_EQ(one.idempotent_until_ppm == 1'000'000, row.is_idempotent);
    EXPECT_GT(one.idempotent_until_ppm, 0U) << "nothing overwrites what it has not read yet";
  }
}

TEST(S16Table42, KmeansFitsAsOftenWithThePrintedSharedMemory) {
  const spec::Spec spec = base();
  for (const Table42Row& row : kTable42) {
    if (row.misprint.empty()) continue;
    spec::KernelSpec printed = kernel(spec, row);
    printed.smem_bytes_per_tb = row.smem_bytes_per_tb;
    EXPECT_EQ(workload::occupancy(spec.gpu, printed).tbs_per_sm, row.tbs_per_sm);
  }
}

TEST(S16Table42, SyntheticKernelIsOneWaveOfTheMachine) {
  const spec::Spec spec = base();
  const spec::ApplicationSpec& synthetic = spec.applications[spec.processes.back().application];
  const spec::KernelSpec& one = synthetic.kernels.at(0);
  EXPECT_EQ(one.num_tbs, spec.gpu.num_sms * workload::occupancy(spec.gpu, one).tbs_per_sm);
  for (std::size_t i = 0; i + 1 < spec.processes.size(); ++i) {
    EXPECT_LT(spec.processes[i].priority, spec.processes.back().priority);
  }
}

void count_launches(const std::vector<spec::HostStep>& steps, std::map<std::uint32_t, std::uint32_t>& launches) {
  for (const spec::HostStep& step : steps) {
    if (const auto* launch = std::get_if<spec::Launch>(&step)) ++launches[launch->kernel];
    if (const auto* loop = std::get_if<spec::Loop>(&step)) count_launches(loop->body, launches);
    if (const auto* group = std::get_if<spec::Group>(&step)) count_launches(group->work, launches);
  }
}

TEST(S16Table42, EveryProgramLaunchesAllOfItsKernels) {
  for (const spec::ApplicationSpec& application : base().applications) {
    std::map<std::uint32_t, std::uint32_t> launches;
    count_launches(application.program, launches);
    EXPECT_EQ(launches.size(), application.kernels.size()) << application.name;
  }
}

TEST(S16Table42, MachineIsTable41WithoutTraps) {
  const spec::GpuSpec campaign = base().gpu;
  const spec::GpuSpec gtx480 = spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/gtx480.yaml");
  EXPECT_EQ(campaign.clock_hz, gtx480.clock_hz);
  EXPECT_EQ(campaign.num_sms, gtx480.num_sms);
  EXPECT_EQ(campaign.max_tbs_per_sm, gtx480.max_tbs_per_sm);
  EXPECT_EQ(campaign.max_threads_per_sm, gtx480.max_threads_per_sm);
  EXPECT_EQ(campaign.registers_per_sm, gtx480.registers_per_sm);
  EXPECT_EQ(campaign.shared_memory_bytes, gtx480.shared_memory_bytes);
  EXPECT_EQ(campaign.memory_bandwidth_bytes_per_s, gtx480.memory_bandwidth_bytes_per_s);
  EXPECT_EQ(campaign.framework.pipeline_drain_cycles + campaign.framework.trap_entry_cycles, 0U);
}

TEST(S16Table42, AWholeSmIsSavedInNoConstraintOfThePaper) {
  const Figure figure = table4_2(base());
  for (const Ordering& one : figure.orderings) EXPECT_TRUE(one.holds) << one.claim << ": " << one.evidence;
  EXPECT_THAT(ordering(figure, "whole SM").evidence, HasSubstr("an SM 5.63 to 15.10 us, a thread block 0.70 to 3.77"));
  EXPECT_EQ(figure.values.size(), 3 * std::size(kTable42));
  // 4 x 8192 bytes of registers and 11872 of shared memory, at a fifteenth of 177.4 GB/s
  EXPECT_NEAR(value(figure, "heartwall kernel", "tb_save_time_us"), (4 * 8192 + 11872) / (177'400.0 / 15), 1e-3);
}

TEST(S16Table42, AMachineOfOtherSizesIsSeen) {
  const Figure figure = table4_2(base({"gpu.registers_per_sm=65536"}));
  EXPECT_FALSE(ordering(figure, "as many thread blocks").holds);
}

TEST(S16Table31, EveryFieldIsAsPrintedAndOnlyTheTextIsOff) {
  const Figure figure = table3_1(base());
  EXPECT_TRUE(ordering(figure, "every field").holds);
  EXPECT_TRUE(ordering(figure, "516.5").holds);
  EXPECT_FALSE(ordering(figure, "0.2 %").holds);
  EXPECT_THAT(ordering(figure, "0.2 %").evidence, HasSubstr("0.287 %"));
  EXPECT_TRUE(ordering(figure, "lean").holds);
  EXPECT_EQ(value(figure, "as printed", "bytes an SM"), 516.5);
}

TEST(S16Fig38, SetsAndTheirUpdateAreThoseOfTheFigures) {
  const Figure figure = fig3_8();
  EXPECT_EQ(figure.values.size(), 8U);
  for (const Value& value : figure.values) EXPECT_EQ(value.ours.mean, *value.paper) << value.panel << value.series;
  for (const Ordering& one : figure.orderings) EXPECT_TRUE(one.holds) << one.claim;
}

TEST(S16Reproduction, OffersItsPartsAndAllOfThem) {
  EXPECT_EQ(reproduce(request_for("s16-table3_1")).figures.size(), 1U);
  EXPECT_EQ(reproduce(request_for("s16-table4_2")).figures.front().name, "s16-table4_2");
  EXPECT_STREQ(paper_of("s16").targets.back().name, "s16");
  EXPECT_THROW(reproduce(request_for("s16-table9")), std::out_of_range);
}

TEST(S16Reproduction, PrintedValuesAreFoundByFigurePanelSeriesAndConstraint) {
  EXPECT_EQ(printed("s16-fig4_5a", "average", "dual_kernel", 4), 0);
  EXPECT_EQ(printed("s16-fig4_1", "average", "oracle"), 6.9);
  EXPECT_EQ(printed("s16-fig4_1", "average", "oracle", 5), std::nullopt);
  // Figure 4.3's reduction is relative: the overheads of 4.5b at 2 us, to the rounding of the print.
  const double chimera = *printed("s16-fig4_5b", "average", "chimera");
  const double dual_kernel = *printed("s16-fig4_5b", "average", "dual_kernel");
  EXPECT_NEAR(100 * (chimera - dual_kernel) / chimera, *printed("s16-fig4_3", "average", "reduction"), 0.15);
}

TEST(Papers, HaveTargetsOfDifferentNamesThatFindThem) {
  std::set<std::string> names;
  for (const Paper& paper : papers()) {
    for (const Target& target : paper.targets) {
      EXPECT_TRUE(names.insert(target.name).second) << target.name;
      EXPECT_EQ(&paper_of(target.name), &paper);
    }
  }
  EXPECT_THROW(paper_of("t14-fig99"), std::out_of_range);
}

}  // namespace
}  // namespace tessera::campaign::s16
