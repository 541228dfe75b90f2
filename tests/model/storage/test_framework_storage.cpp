// SPDX-License-Identifier: Apache-2.0
// Bits of the scheduling framework ([T14] 3.3). That they are those of the Verilog is tests/rtl/test_storage.py's
// claim.
#include <gtest/gtest.h>

#include <cmath>

#include "model/spec/gpu_spec.h"
#include "model/spec/loader.h"
#include "model/storage/framework_storage.h"
#include "model/storage/sram_area.h"

namespace tessera::storage {
namespace {

spec::GpuSpec k20c() { return spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml"); }

std::vector<Structure> structures_of(const spec::GpuSpec& gpu) { return framework_structures(CoreSizes(gpu)); }

std::uint32_t width(const std::vector<Structure>& structures, const std::string& in, const std::string& name) {
  for (const Field& field : structure(structures, in).row) {
    if (field.name == name) return field.bits;
  }
  ADD_FAILURE() << in << " has no " << name;
  return 0;
}

TEST(FrameworkStorage, OfTheK20cKeepsThePapersBounds) {
  const std::vector<Structure> structures = structures_of(k20c());
  EXPECT_EQ(structure(structures, "ptbq").bytes(), 21632);
  EXPECT_LT(table_bits(structures), 512U * 8);
}

TEST(FrameworkStorage, AContextMayWaitInEachCommandBuffer) {
  const CoreSizes sizes(k20c());
  EXPECT_EQ(sizes.num_contexts, sizes.num_command_buffers);
}

TEST(FrameworkStorage, NarrowerThreadBlockNumbersSaveBitsInKsrsBuffersAndHandles) {
  const spec::GpuSpec wide = k20c();
  spec::GpuSpec narrow = wide;
  narrow.framework.tb_id_bits = 20;
  const std::uint64_t saved = wide.framework.tb_id_bits - narrow.framework.tb_id_bits;
  const auto saved_in = [&](const char* name) {
    const auto all = structures_of(wide), less = structures_of(narrow);
    return structure(all, name).bits() - structure(less, name).bits();
  };
  const CoreSizes sizes(wide);
  // `next_tb` and `remaining`.
  EXPECT_EQ(saved_in("ksrt"), 2 * saved * sizes.num_ksrs);
  EXPECT_EQ(saved_in("command_buffers"), saved * sizes.num_command_buffers);
  EXPECT_EQ(saved_in("ptbq"), saved * sizes.num_ksrs * sizes.ptbq_depth);
  EXPECT_EQ(saved_in("smst"), 0U);
}

TEST(FrameworkStorage, CountersHoldTheLargestNumberThatTheMachineCanReach) {
  spec::GpuSpec gpu = k20c();
  gpu.framework.num_ksrs = 0;  // as many as SMs
  for (const std::uint32_t num_sms : {1U, 2U, 13U, 64U, 132U, 200U}) {
    gpu.num_sms = num_sms;
    const std::vector<Structure> structures = structures_of(gpu);
    EXPECT_EQ(structure(structures, "ksrt").num_rows, num_sms);
    EXPECT_EQ(width(structures, "ksrt", "row.outstanding"), std::ceil(std::log2(num_sms * gpu.max_tbs_per_sm + 1.0)));
    EXPECT_EQ(width(structures, "ksrt", "row.owned"), std::ceil(std::log2(num_sms + 1.0)));
    // One code more than KSRs says that there is none.
    EXPECT_EQ(width(structures, "smst", "next"), std::ceil(std::log2(num_sms + 1.0)));
  }
}

TEST(FrameworkStorage, FewerKsrsThanSmsShrinkTheQueuesInProportion) {
  spec::GpuSpec gpu = k20c();
  gpu.num_sms = 132;
  gpu.framework.num_ksrs = 132;
  const auto many = structures_of(gpu);
  gpu.framework.num_ksrs = 16;
  const auto few = structures_of(gpu);
  EXPECT_EQ(structure(few, "ptbq").bits() * 132, structure(many, "ptbq").bits() * 16);
}

// Of each context: a launch is on its way, it is on the run list, a command of it waits, its slice end.
TEST(FrameworkStorage, AKeptTurnAddsFiveBitsAContextAndOneCountOfTbsAKsrInMemory) {
  const auto bits = [](std::uint32_t num_contexts, bool keeps_turn, Memory memory) {
    CoreSizes sizes(k20c());
    sizes.num_contexts = num_contexts;
    sizes.keeps_turn = keeps_turn;
    std::uint64_t sum = 0;
    for (const Structure& each : framework_structures(sizes)) sum += each.bits(memory);
    return sum;
  };
  const auto added = [&](std::uint32_t num_contexts) {
    return bits(num_contexts, true, Memory::kFlipFlops) - bits(num_contexts, false, Memory::kFlipFlops);
  };
  EXPECT_EQ(bits(16, true, Memory::kRam) - bits(16, false, Memory::kRam), 13U * 5) << "13 KSRs, 16 TBs an SM";
  EXPECT_EQ(added(16) - added(9), 5U * 7) << "indices have four bits either way";
}

TEST(FrameworkStorage, AStructureThatDoesNotExistIsAnError) {
  EXPECT_THROW(structure(structures_of(k20c()), "btb"), std::out_of_range);
}

TEST(SramArea, IsARangeThatGrowsWithTheBitsAndShrinksWithTheNode) {
  constexpr std::uint64_t kBits = 173'056;
  double larger = 1e9;
  for (const SramNode& node : kSramNodes) {
    const AreaRange area = sram_area(node, kBits);
    EXPECT_LT(static_cast<double>(kBits) * node.cell_um2, area.min_um2);
    EXPECT_LT(area.min_um2, area.max_um2);
    EXPECT_DOUBLE_EQ(sram_area(node, 2 * kBits).max_um2, 2 * area.max_um2);
    EXPECT_LT(area.max_um2, larger);
    larger = area.max_um2;
  }
}

}  // namespace
}  // namespace tessera::storage
