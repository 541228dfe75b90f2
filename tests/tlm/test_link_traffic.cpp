// SPDX-License-Identifier: Apache-2.0
// Copies in bursts, and messages between them: 8 bytes a cycle, bursts of 64 bytes.
#include <gtest/gtest.h>

#include "model/spec/gpu_spec.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"
#include "tlm/interconnect/link_traffic.h"

namespace tessera::tlm_model::test {
namespace {

constexpr LinkDirection kToGpu = LinkDirection::kToGpu;
constexpr LinkDirection kToHost = LinkDirection::kToHost;

class Traffic : public testing::Test {
 protected:
  LinkTraffic link_{small_gpu(1, 1).gpu};
};

TEST_F(Traffic, AMessageOnAnIdleLinkGoesAtOnce) {
  EXPECT_EQ(link_.send(kToGpu, 16, 50), 50U);
  EXPECT_EQ(link_.send(kToHost, 8, 50), 50U);
  EXPECT_EQ(link_.copy_delay(kToGpu), 0U);
  EXPECT_EQ(link_.copy_delay(kToHost), 0U);
}

// The answer to a read is asked for long before it is sent: the link is free until then.
TEST_F(Traffic, AMessageThatLiesAheadHoldsNobodyUp) {
  EXPECT_EQ(link_.send(kToGpu, 64, 500), 500U);
  EXPECT_EQ(link_.send(kToGpu, 8, 60), 60U);
  link_.copy_started(kToGpu, 6400, 100);  // until 900
  EXPECT_EQ(link_.send(kToGpu, 64, 501), 508U);
  EXPECT_EQ(link_.send(kToGpu, 8, 201), 204U);
}

TEST_F(Traffic, AMessageWaitsForTheEndOfABurstAndTheCopyForTheMessage) {
  link_.copy_started(kToGpu, 640, 100);  // until 180
  EXPECT_EQ(link_.send(kToGpu, 8, 101), 108U);
  EXPECT_EQ(link_.copy_delay(kToGpu), 1U);
  EXPECT_EQ(link_.send(kToGpu, 16, 109), 116U);
  EXPECT_EQ(link_.copy_delay(kToGpu), 3U);
  EXPECT_EQ(link_.send(kToHost, 8, 111), 111U);  // the other direction is free
  EXPECT_EQ(link_.send(kToGpu, 8, 183), 183U);   // the copy ended at 183
  EXPECT_EQ(link_.copy_delay(kToGpu), 3U);
}

TEST_F(Traffic, BetweenTwoBurstsAMessageDoesNotWait) {
  link_.copy_started(kToGpu, 640, 100);
  EXPECT_EQ(link_.send(kToGpu, 8, 116), 116U);
  EXPECT_EQ(link_.copy_delay(kToGpu), 1U);
}

// The last burst is a short one: a copy of 72 bytes is over after 9 cycles.
TEST_F(Traffic, AMessageWaitsNoLongerThanTheCopyLasts) {
  link_.copy_started(kToHost, 72, 100);
  EXPECT_EQ(link_.send(kToHost, 8, 108), 108U);  // between the two
  EXPECT_EQ(link_.copy_delay(kToHost), 1U);
  link_.copy_started(kToHost, 40, 200);
  EXPECT_EQ(link_.send(kToHost, 8, 201), 205U);
  EXPECT_EQ(link_.copy_delay(kToHost), 0U);
}

class LinkOfAGpu : public SystemCTest {};

// A register is read while a copy moves to the GPU: the request goes between two bursts.
TEST_F(LinkOfAGpu, CarriesRequestsBetweenBursts) {
  spec::Spec spec = small_gpu(1, 1);
  spec.gpu.pcie.transfers = spec::Transfers::kBursts;
  GpuBench bench("bench", spec);
  constexpr std::uint64_t kBytes = 6400;
  simulate([&] {
    bench.set_up();
    bench.submit(0, copy_command(0x1000, 0x2000, kBytes, false));
    GpuBench::wait_cycles(bench.fetch(1) + 300);
    bench.read(reg::kStatus);
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const auto started = bench.records(record::Kind::kDmaStarted);
    const auto ended = bench.records(record::Kind::kDmaEnded);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_EQ(ended[0].cycle - started[0].cycle, bench.link().transfer(kBytes) + kRequestBytes / 8);
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
