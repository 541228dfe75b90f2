// SPDX-License-Identifier: Apache-2.0
// Bits of the scheduling framework ([T14] 3.3, design.md section 4).
#include <gtest/gtest.h>

#include <cmath>

#include "model/spec/loader.h"
#include "model/storage/framework_storage.h"

namespace tessera::storage {
namespace {

spec::GpuSpec k20c() { return spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml").gpu; }

std::uint64_t entry_bits(const Structure& structure) {
  std::uint64_t bits = 0;
  for (const Field& field : structure.entry) bits += field.bits;
  return bits;
}

std::uint32_t bits_of(const Structure& structure, const std::string& name) {
  for (const Field& field : structure.entry) {
    if (field.name == name) return field.bits;
  }
  ADD_FAILURE() << structure.name << " has no " << name;
  return 0;
}

TEST(FrameworkStorage, OfTheK20cIsThatOfTheBudget) {
  const spec::GpuSpec gpu = k20c();
  EXPECT_EQ(entry_bits(sm_status_table(gpu)), 15U);
  EXPECT_EQ(entry_bits(kernel_status_register_table(gpu)), 182U);
  EXPECT_EQ(entry_bits(command_buffers(gpu)), 86U);
  EXPECT_EQ(active_queue(gpu).bits(), 13U * 4 + 4);
  EXPECT_EQ(preempted_tb_queues(gpu).bytes(), 21632);
  const std::uint64_t others = command_buffers(gpu).bits() + active_queue(gpu).bits() +
                               kernel_status_register_table(gpu).bits() + sm_status_table(gpu).bits();
  EXPECT_EQ(others, 13U * 15 + (13 * 4 + 4) + 13 * 182 + 16 * 86);
  EXPECT_LT(others, 512U * 8);
}

TEST(FrameworkStorage, NarrowerThreadBlockNumbersSaveBitsInKsrsBuffersAndHandles) {
  const spec::GpuSpec wide = k20c();
  spec::GpuSpec narrow = wide;
  narrow.framework.tb_id_bits = 20;
  EXPECT_EQ(entry_bits(kernel_status_register_table(wide)) - entry_bits(kernel_status_register_table(narrow)), 2U * 12);
  EXPECT_EQ(entry_bits(command_buffers(wide)) - entry_bits(command_buffers(narrow)), 12U);
  EXPECT_EQ(entry_bits(preempted_tb_queues(wide)) - entry_bits(preempted_tb_queues(narrow)), 12U);
}

TEST(FrameworkStorage, GrowsWithTheMachine) {
  spec::GpuSpec gpu = k20c();
  gpu.framework.num_ksrs = 0;  // as many as SMs
  for (const std::uint32_t num_sms : {1U, 2U, 13U, 64U, 132U, 200U}) {
    gpu.num_sms = num_sms;
    const Structure ksrt = kernel_status_register_table(gpu);
    EXPECT_EQ(ksrt.num_entries, num_sms);
    // Outstanding thread blocks run from 0 to N_SM x T_MAX, tokens from -N_SM to N_SM.
    EXPECT_EQ(bits_of(ksrt, "outstanding_tbs"), std::ceil(std::log2(num_sms * 16.0 + 1)));
    EXPECT_GE(1U << bits_of(ksrt, "tokens"), 2 * num_sms + 1);
    EXPECT_EQ(preempted_tb_queues(gpu).bits(), 64ULL * num_sms * num_sms * 16);
  }
  gpu.framework.num_ksrs = 16;
  EXPECT_EQ(kernel_status_register_table(gpu).num_entries, 16U);
  EXPECT_EQ(bits_of(sm_status_table(gpu), "ksr"), 4U);
  EXPECT_EQ(preempted_tb_queues(gpu).bits(), 64ULL * 16 * 200 * 16);
}

}  // namespace
}  // namespace tessera::storage
