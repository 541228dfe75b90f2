// SPDX-License-Identifier: Apache-2.0
// Memory that answers later under load, on the whole machine: bytes of applications reach the engine, copies are
// traffic (docs/concepts/loaded_memory.md).
#include "tests/platform/machine_bench.h"
#include "tests/tlm/loaded_machine.h"

namespace tessera::platform::test {
namespace {

constexpr Cycle kReads = 100'000;  // at an SM's cap of 4 bytes a cycle, which is the roof

// A kernel on an SM that reads for that long, and a process that copies so many bytes, 2 a cycle, meanwhile.
spec::Spec reader_and_copy(std::uint64_t copied) {
  spec::MemoryLatencySpec memory = tlm_model::test::memory_with_roof(4);
  memory.sm_bytes_per_s = 4 * tlm_model::test::kGbps;
  spec::Spec spec = tlm_model::test::with_loaded_memory(tiny_platform(2), memory);
  add_process(spec, {kernel_of("reader", 1, 1)}, {launch(0), synchronise()}).runs = 1;
  spec.applications[0].kernels[0].dram_bytes_per_tb = 4 * kReads;
  spec.applications[0].kernels[0].bytes_in_flight_per_tb = 400;
  add_process(spec, {}, {cpu(20'000), copy(spec::CopyDirection::kToHost, copied)}).runs = 1;
  return spec;
}

Cycle time_of_reader(const Log& log) { return log.cycles(Kind::kTbFinished).at(0) - log.cycles(Kind::kTbIssued).at(0); }

TEST(LoadedMemory, AKernelReadsAsLongAsItsBytesTake) {
  const Log log = simulate_checked(reader_and_copy(0));
  EXPECT_NEAR(static_cast<double>(time_of_reader(log)), kReads, 1000);  // the copy takes the link's latency
  EXPECT_EQ(log.result.memory.bytes, 4 * kReads);
}

// 4 / f + 2 = 4: half the rate for as long as the link is taken.
TEST(LoadedMemory, ACopySlowsWhoReads) {
  constexpr std::uint64_t kCopied = 80'000;
  const spec::Spec spec = reader_and_copy(kCopied);
  const Cycle taken = HostLatencies(spec).transfer(kCopied);
  const Log log = simulate_checked(spec);
  EXPECT_NEAR(static_cast<double>(time_of_reader(log)), static_cast<double>(kReads + taken / 2), 1000);
  EXPECT_EQ(log.result.memory.largest_latency_ppm, 2'000'000U);
  EXPECT_EQ(log.result.memory.bytes, 4 * kReads);
}

TEST(LoadedMemory, IsTheSameStepByStep) {
  const spec::Spec spec = reader_and_copy(50'000);
  MachineOptions stepwise;
  stepwise.pace = MachineOptions::Pace::kStepwise;
  EXPECT_EQ(nlohmann::json(simulate_checked(spec).records), nlohmann::json(simulate_checked(spec, stepwise).records));
}

// Recorded on two SMs that ask for twice what memory has. One SM alone has all it asks for, and takes as long for twice
// the work.
TEST(LoadedMemory, AKernelWithRecordedTrafficTakesItsTimeAloneAndNoLongerOnTheSmsThatMemoryFeeds) {
  spec::MemoryLatencySpec memory = tlm_model::test::memory_with_roof(10);
  const auto time_on = [&](std::uint32_t num_sms) {
    spec::Spec spec = tlm_model::test::with_loaded_memory(tiny_platform(2), memory);
    spec.time_base = spec::TimeBase::kKernelTime;
    spec::KernelSpec kernel = kernel_of("recorded", 20, 1);
    kernel.kernel_time = 1'000'000 * kCyclePs;
    add_process(spec, {kernel}, {launch(0), synchronise()}).runs = 1;
    spec.applications[0].in_flight_share_ppm = 1'000'000;
    spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
    spec.partitions = {{"some", {}}};
    for (std::uint32_t sm = 0; sm < num_sms; ++sm) spec.partitions[0].sms.push_back(sm);
    const Log log = simulate_checked(spec);
    return static_cast<double>(log.cycles(Kind::kTbFinished).back() - log.cycles(Kind::kTbIssued).front());
  };
  EXPECT_NEAR(time_on(2), 1e6, 1e4);
  EXPECT_NEAR(time_on(1), 1e6, 1e4);
}

TEST(LoadedMemory, OfAnotherKindTellsNothing) {
  spec::Spec spec = reader_and_copy(1000);
  spec.channel_sharing = spec::ChannelSharing::kFair;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(time_of_reader(log), 1U);
  EXPECT_EQ(log.result.memory.largest_latency_ppm, 0U);
}

}  // namespace
}  // namespace tessera::platform::test
