// SPDX-License-Identifier: Apache-2.0
// docs/hardware/register_map.md says what the IP does: reset values, access, writable bits, parameters.
#include <gtest/gtest.h>

#include "model/base/ids.h"
#include "tests/ip/front_end_bench.h"
#include "tests/tlm/register_tables.h"

namespace tessera::ip::test {
namespace {

using namespace tlm_model::test;  // NOLINT(google-build-using-namespace): the tables

class IpDocument : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kPolicyStrap = 0x8092;  // ppq, drain, shared, of the GPU: timing.md 3.2

  FrontEndBench bench_{with_everything(), kPolicyStrap};
};

// What is not in the IP is reserved there.
TEST_F(IpDocument, ResetValuesAreThoseOfTheTable) {
  for (const Row& row : table("Offset")) {
    if (is_in(row, "IP") && !has_fixed_reset(row)) continue;
    const std::uint64_t expected = is_in(row, "IP") ? std::stoull(row.at(3), nullptr, 0) : 0;
    if (row.at(1) == "kCounters") continue;  // cycles have passed
    EXPECT_EQ(bench_.read(kRegisters.at(row.at(1))), expected) << row.at(1);
  }
}

TEST_F(IpDocument, RegistersKeepTheirDocumentedBits) {
  for (const Row& row : table("Offset")) {
    if (row.at(1) == "kCounters") continue;
    const std::uint64_t offset = kRegisters.at(row.at(1));
    const std::uint64_t before = bench_.read(offset);
    bench_.control_writes.clear();
    const bool is_refused = row.at(1) == "kPolicy" || row.at(1) == "kLaunchDoorbell";  // all ones name none
    EXPECT_EQ(bench_.write_register(offset, ~std::uint64_t{0}), !is_refused) << row.at(1);
    const bool keeps_bits = is_in(row, "IP") && has_fixed_bits(row);
    const bool is_partition = row.at(1) == "kSmPartition" || row.at(1) == "kPartition";  // as many as number SMs
    const std::uint64_t kept = is_partition ? (std::uint64_t{1} << partition_id_bits(bench_.sizes.num_sms)) - 1
                               : keeps_bits ? std::stoull(row.at(4), nullptr, 0)
                                            : before;
    EXPECT_EQ(bench_.read(offset), kept) << row.at(1);
    bench_.cycles(2);
    // One for each half that was written, but some are the front end's own.
    const bool is_the_front_ends = row.at(1) == "kDeadline" || row.at(1) == "kPartition" || row.at(1) == "kOwnSlice" ||
                                   row.at(1) == "kWaiting" || row.at(1) == "kListed";
    const bool is_the_cores = is_in(row, "IP") && row.at(2) == "RW" && offset >= reg::kContexts && !is_the_front_ends;
    const std::size_t told = row.at(1) == "kPolicy" ? 1 : is_the_cores ? 2 : 0;
    EXPECT_EQ(bench_.control_writes.size(), told) << row.at(1);
    if (is_refused) bench_.write(reg::kError, 0);
  }
}

TEST_F(IpDocument, WhatTheParametersSayCanBeRead) {
  const Sizes& sizes = bench_.sizes;
  constexpr std::uint64_t kTbWidth = 32;
  EXPECT_EQ(bench_.read(reg::kCapabilities), sizes.num_sms | std::uint64_t{sizes.num_contexts} << 40);
  EXPECT_EQ(bench_.read(reg::kCoreSize), sizes.num_command_buffers | std::uint64_t{sizes.num_ksrs} << 16 |
                                             std::uint64_t{sizes.max_tbs_per_sm} << 32 | kTbWidth << 48);
  EXPECT_EQ(bench_.read(reg::kFeatures), sizes.policies | std::uint64_t{0x7} << 16 | std::uint64_t{1} << 24);
  EXPECT_EQ(bench_.read(reg::kLaunchStatus), 2 | std::uint64_t{sizes.done_depth} << 32);
  EXPECT_EQ(bench_.read(reg::kPolicy), 0x101'0102U) << "as its strap";
}

// Codes differ: the first stays.
TEST_F(IpDocument, KErrorKeepsTheFirstErrorUntilItIsCleared) {
  EXPECT_FALSE(bench_.launch(0));  // without a thread block
  EXPECT_FALSE(bench_.write(reg::kPolicy, 0xFF));
  EXPECT_EQ(bench_.error(), static_cast<std::uint64_t>(reg::ErrorCode::kBadKernel));
  EXPECT_EQ(bench_.read(reg::kStatus), 2U);
  bench_.write(reg::kError + 4, 0);
  EXPECT_EQ(bench_.error(), 0U);
  EXPECT_FALSE(bench_.write(reg::kPolicy, 0xFF));
  EXPECT_EQ(bench_.error(), static_cast<std::uint64_t>(reg::ErrorCode::kBadPolicy));
}

TEST_F(IpDocument, ACoreThatHasStoppedIsAnErrorThatComesBackUntilReset) {
  bench_.write(reg::kInterruptEnable, reg::kInterruptError);
  bench_.in.fault = true;
  EXPECT_TRUE(bench_.irq());
  EXPECT_EQ(bench_.read(reg::kStatus), 0b110U);
  EXPECT_EQ(bench_.read(reg::kInterruptStatus), reg::kInterruptError);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bench_.error(), static_cast<std::uint64_t>(reg::ErrorCode::kFault));
    bench_.write(reg::kError, 0);
  }
}

// Such a core takes no control write any more.
TEST_F(IpDocument, ACoreThatHasStoppedKeepsNoAccessWaiting) {
  bench_.in.control_ready = false;
  bench_.in.fault = true;
  constexpr std::uint64_t kMaxCycles = 200;
  const std::uint64_t begin = bench_.now;
  for (std::uint64_t i = 0; i < 4; ++i) bench_.write(FrontEndBench::context(0, reg::kPageTable), 1);
  EXPECT_LT(bench_.now - begin, kMaxCycles);
}

}  // namespace
}  // namespace tessera::ip::test
