// SPDX-License-Identifier: Apache-2.0
// Partitions of SMs in the register front end: what the register map says of them, under random writes to a core that
// is often not ready for one.
#include <gtest/gtest.h>

#include <vector>

#include "testbench/random.h"
#include "tests/ip/front_end_bench.h"

namespace tessera::ip::test {
namespace {

using rtl_model::ControlPins;
using rtl_model::ControlRegister;

constexpr std::uint32_t kNumRegisters = 256;  // addresses, of which the first belong to SMs

TEST(PartitionRegisters, EachWriteForAnSmReachesTheCoreOnceAndIsReadBack) {
  FrontEndBench bench(with_everything());
  const std::uint32_t num_sms = bench.sizes.num_sms;
  const std::uint32_t mask = (1U << num_bits(num_sms - 1)) - 1;  // as many bits as number the SMs
  testbench::Random random(3);
  std::vector<std::uint32_t> partitions(kNumRegisters, 0);
  std::vector<std::uint64_t> told;
  for (int i = 0; i < 600; ++i) {
    const std::uint32_t sm = random.in32(0, random.one_in(4) ? kNumRegisters - 1 : num_sms);
    const bool is_upper = random.one_in(4);
    const std::uint32_t data = random.one_in(2) ? random.in32(0, num_sms) : random.in32(0, ~0U);
    if (sm < num_sms) {
      if (!is_upper) partitions[sm] = data & mask;
      told.push_back(rtl_model::sm_partition_data(sm, partitions[sm]));
    }
    bench.in.control_ready = false;
    bench.master.write(static_cast<std::uint32_t>(reg::kSmPartition) + 8 * sm + (is_upper ? 4 : 0), data, 0xF);
    bench.cycles(random.in32(0, 30));
    bench.in.control_ready = true;
    bench.finish();
    ASSERT_FALSE(take(bench.master.written).is_error) << "an address of no SM is one that does nothing";
  }
  bench.cycles(5);
  ASSERT_EQ(bench.control_writes.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    const ControlPins& write = bench.control_writes[i];
    ASSERT_EQ(write.reg, ControlRegister::kPartition) << "write " << i;
    ASSERT_EQ(write.data, told[i]) << "write " << i;
  }
  for (std::uint32_t sm = 0; sm < kNumRegisters; ++sm)
    EXPECT_EQ(bench.read(reg::kSmPartition + 8 * sm), partitions[sm]) << sm;
}

}  // namespace
}  // namespace tessera::ip::test
