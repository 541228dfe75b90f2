// SPDX-License-Identifier: Apache-2.0
// Claims about the command port of the register front end, and about kernels that are done.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ip/front_end_bench.h"

namespace tessera::ip::test {
namespace {

using reg::ErrorCode;
using rtl_model::CommandPins;
using rtl_model::ControlRegister;

constexpr std::uint64_t kWaits = 1;                       // kLaunchStatus
constexpr std::uint64_t kAnyFree = 2;                     //
constexpr std::uint64_t kValid = std::uint64_t{1} << 63;  // kKernelDone

std::uint64_t code(ErrorCode error) { return static_cast<std::uint64_t>(error); }
std::uint64_t outstanding(std::uint64_t status) { return status >> 16 & 0xFFFF; }

class CommandPort : public ::testing::Test {
 protected:
  void enable() { bench_.write(reg::kControl, 1); }
  // One that nothing is wrong with.
  bool launch(std::uint64_t descriptor, std::uint32_t context = 0) {
    bench_.describe(5, 2, descriptor);
    return bench_.launch(context);
  }
  void kernel_done(std::uint64_t descriptor) {
    bench_.in.kernel_done = {true, descriptor};
    bench_.cycle();
  }
  void free_all_buffers() { bench_.in.buffer_free = (1U << bench_.sizes.num_command_buffers) - 1; }

  FrontEndBench bench_{Sizes{}};
};

TEST_F(CommandPort, ALaunchGoesToTheLowestFreeBufferWithAllItsFields) {
  enable();
  bench_.in.buffer_free = 0b1100;
  bench_.describe(0x12345, 3, 0xFE'DCBA'9876);
  EXPECT_TRUE(bench_.launch(2));
  bench_.cycles(5);
  ASSERT_EQ(bench_.commands.size(), 1U);
  const CommandPins& command = bench_.commands[0];
  EXPECT_EQ(command.buffer, 2U);
  EXPECT_EQ(command.context, 2U);
  EXPECT_EQ(command.num_tbs, 0x12345U);
  EXPECT_EQ(command.tbs_per_sm, 3U);
  EXPECT_EQ(command.descriptor, 0xFE'DCBA'9876U);
}

TEST_F(CommandPort, TheRegistersKeepWhatWasWrittenAndTheDoorbellReadsZero) {
  bench_.write_register(reg::kLaunchGrid, ~std::uint64_t{0});
  bench_.write_register(reg::kLaunchDescriptor, ~std::uint64_t{0});
  EXPECT_EQ(bench_.read(reg::kLaunchGrid), 0xFF'FFFF'FFFFU);
  EXPECT_EQ(bench_.read(reg::kLaunchDescriptor), 0xFF'FFFF'FFFFU);
  EXPECT_EQ(bench_.read(reg::kLaunchDoorbell), 0U);
}

TEST_F(CommandPort, TheUpperHalfOfTheDoorbellLaunchesNothing) {
  enable();
  bench_.describe(1, 1, 1);
  EXPECT_TRUE(bench_.write(reg::kLaunchDoorbell + 4, 0));
  bench_.cycles(5);
  EXPECT_TRUE(bench_.commands.empty());
}

TEST_F(CommandPort, ALaunchWaitsForAFreeBufferAndAnotherOneIsRefusedMeanwhile) {
  enable();
  bench_.in.buffer_free = 0;
  EXPECT_TRUE(launch(7));
  bench_.cycles(50);
  EXPECT_TRUE(bench_.commands.empty());
  EXPECT_EQ(bench_.read(reg::kLaunchStatus) & (kWaits | kAnyFree), kWaits);
  EXPECT_EQ(bench_.read(reg::kStatus), 1U) << "busy";
  for (const std::uint64_t refused : {reg::kLaunchGrid, reg::kLaunchDescriptor, reg::kLaunchDoorbell}) {
    EXPECT_FALSE(bench_.write(refused, 1)) << refused;
    EXPECT_FALSE(bench_.write(refused + 4, 1)) << refused;
    EXPECT_EQ(bench_.error(), code(ErrorCode::kPortFull));
    bench_.write(reg::kError, 0);
  }
  bench_.in.buffer_free = 0b0010;
  bench_.cycles(5);
  ASSERT_EQ(bench_.commands.size(), 1U);
  EXPECT_EQ(bench_.commands[0].descriptor, 7U);
  EXPECT_EQ(bench_.commands[0].buffer, 1U);
  EXPECT_EQ(bench_.commands[0].num_tbs, 5U) << "what was refused changed nothing";
}

TEST_F(CommandPort, ALaunchWaitsUntilLaunchesAreLetOut) {
  EXPECT_TRUE(launch(7));
  bench_.cycles(20);
  EXPECT_TRUE(bench_.commands.empty());
  enable();
  bench_.cycles(5);
  EXPECT_EQ(bench_.commands.size(), 1U);
}

TEST_F(CommandPort, KernelsThatCannotBeAreRefusedAndReported) {
  enable();
  const auto expect_refused = [&](std::uint32_t num_tbs, std::uint32_t tbs_per_sm, std::uint32_t context,
                                  ErrorCode error) {
    bench_.describe(num_tbs, tbs_per_sm, 1);
    EXPECT_FALSE(bench_.launch(context));
    EXPECT_EQ(bench_.error(), code(error));
    bench_.write(reg::kError, 0);
  };
  expect_refused(0, 1, 0, ErrorCode::kBadKernel);
  expect_refused(1, 0, 0, ErrorCode::kBadKernel);
  expect_refused(1, bench_.sizes.max_tbs_per_sm + 1, 0, ErrorCode::kBadKernel);
  expect_refused(1, 1, bench_.sizes.num_contexts, ErrorCode::kBadContext);
  expect_refused(1, 1, 0xFFFF, ErrorCode::kBadContext);
  bench_.describe(1, bench_.sizes.max_tbs_per_sm, 1);
  EXPECT_TRUE(bench_.launch(bench_.sizes.num_contexts - 1));
  bench_.cycles(5);
  EXPECT_EQ(bench_.commands.size(), 1U);
}

TEST_F(CommandPort, ALaunchHasItsContextsPriorityAsItIsWhenItLeavesOrOneOfItsOwn) {
  const std::uint32_t own = 1U << reg::DoorbellFields::kOwnPriorityShift | 9U << reg::DoorbellFields::kPriorityShift;
  const auto priority_of_next = [&](std::uint32_t doorbell, std::uint32_t written_meanwhile) {
    bench_.write(reg::kControl, 0);
    bench_.write(FrontEndBench::context(2, reg::kPriority), 4);
    bench_.describe(1, 1, 1);
    bench_.launch(doorbell);
    bench_.write(FrontEndBench::context(1, reg::kPriority), 1);  // another one's
    bench_.write(FrontEndBench::context(2, reg::kPriority), written_meanwhile);
    enable();
    bench_.cycles(5);
    free_all_buffers();
    return bench_.commands.back().priority;
  };
  EXPECT_EQ(priority_of_next(2, 4), 4U);
  EXPECT_EQ(priority_of_next(2, 13), 13U);
  EXPECT_EQ(priority_of_next(2 | own, 13), 9U);
}

// The bench holds every command to that; here the core takes its time.
// From the cycle on in which it is on the core's pins, in units of 1024 cycles.
TEST(CommandPortWithEdf, ALaunchIsDueByItsContextsDeadlineAsItIsWhenItLeaves) {
  FrontEndBench bench(with_everything());
  bench.write(reg::kControl, 1);
  const auto launch_with = [&](std::uint64_t deadline, bool is_written_meanwhile) {
    bench.in.buffer_free = 0;
    bench.write_register(FrontEndBench::context(2, reg::kDeadline), is_written_meanwhile ? 77 : deadline);
    bench.describe(5, 2, 0x40);
    EXPECT_TRUE(bench.launch(2));
    bench.write_register(FrontEndBench::context(1, reg::kDeadline), 1);  // another one's
    if (is_written_meanwhile) bench.write_register(FrontEndBench::context(2, reg::kDeadline), deadline);
    bench.in.buffer_free = 1;
    bench.cycles(5);
    return bench.commands.back();
  };
  for (const std::uint64_t deadline : {std::uint64_t{1}, std::uint64_t{5'000}, std::uint64_t{0x12'3456'789A}}) {
    for (const bool is_written_meanwhile : {false, true}) {
      bench.cycles(337);
      const CommandPins command = launch_with(deadline, is_written_meanwhile);
      EXPECT_TRUE(command.has_due);
      EXPECT_EQ(command.due, static_cast<std::uint32_t>((bench.command_cycles.back() + deadline) >> 10));
    }
  }
  EXPECT_FALSE(launch_with(0, false).has_due);
}

// That of an SM goes to the core, that of a context with its launches.
TEST(CommandPortWithPartitions, SmsAndLaunchesHaveTheirPartitions) {
  FrontEndBench bench(with_everything());
  bench.write(reg::kControl, 1);
  EXPECT_TRUE(bench.write_register(reg::kSmPartition + 8, 2));
  bench.cycles(5);
  ASSERT_FALSE(bench.control_writes.empty());
  EXPECT_EQ(bench.control_writes.back().reg, rtl_model::ControlRegister::kPartition);
  EXPECT_EQ(bench.control_writes.back().data, rtl_model::sm_partition_data(1, 2));
  EXPECT_EQ(bench.read(reg::kSmPartition + 8), 2U);
  EXPECT_EQ(bench.read(reg::kSmPartition), 0U);

  const std::size_t num_writes = bench.control_writes.size();
  EXPECT_TRUE(bench.write_register(reg::kPartition + 8, 1));
  bench.in.buffer_free = 0;
  bench.describe(5, 2, 0x40);
  EXPECT_TRUE(bench.launch(1));
  EXPECT_TRUE(bench.write_register(reg::kPartition + 8, 2));  // while it waits in the port
  EXPECT_TRUE(bench.write_register(reg::kPartition, 3));      // another one's
  bench.in.buffer_free = 1;
  bench.cycles(5);
  ASSERT_FALSE(bench.commands.empty());
  EXPECT_EQ(bench.commands.back().partition, 2U);
  EXPECT_EQ(bench.control_writes.size(), num_writes);
}

TEST_F(CommandPort, WithoutEdfThereIsNoDeadline) {
  enable();
  EXPECT_TRUE(bench_.write_register(FrontEndBench::context(0, reg::kDeadline), ~std::uint64_t{0}));
  EXPECT_EQ(bench_.read(FrontEndBench::context(0, reg::kDeadline)), 0U);
  EXPECT_TRUE(launch(1));
  bench_.cycles(5);
  ASSERT_EQ(bench_.commands.size(), 1U);
  EXPECT_FALSE(bench_.commands[0].has_due);
}

TEST_F(CommandPort, AControlWriteReachesTheCoreBeforeALaunchThatFollowsIt) {
  enable();
  bench_.in.control_ready = false;
  bench_.write(FrontEndBench::context(0, reg::kPageTable), 0x5000);
  EXPECT_TRUE(launch(1));
  bench_.cycles(100);
  EXPECT_TRUE(bench_.commands.empty());
  EXPECT_EQ(bench_.device->outputs().control.data, 0x5000U) << "held until it is taken";
  bench_.in.control_ready = true;
  bench_.cycles(5);
  EXPECT_EQ(bench_.control_writes.size(), 1U);
  EXPECT_EQ(bench_.commands.size(), 1U);
}

TEST_F(CommandPort, KernelsThatAreDoneAreReadInTheirOrderAndRemovedByAWrite) {
  enable();
  bench_.write(reg::kInterruptEnable, reg::kInterruptCompletion);
  for (const std::uint64_t descriptor : {0xAA'0000'0001U, 0xBB'0000'0002U}) launch(descriptor);
  EXPECT_EQ(bench_.read(reg::kKernelDone), 0U);
  EXPECT_FALSE(bench_.irq());
  kernel_done(0xBB'0000'0002);
  EXPECT_TRUE(bench_.irq());
  kernel_done(0xAA'0000'0001);
  EXPECT_EQ(bench_.read(reg::kStatus), 0U) << "not busy";
  EXPECT_EQ(bench_.read(reg::kInterruptStatus), reg::kInterruptCompletion);
  for (int time = 0; time < 2; ++time) EXPECT_EQ(bench_.read(reg::kKernelDone), kValid | 0xBB'0000'0002);
  bench_.write_register(reg::kKernelDone, 0);  // both halves: one is removed
  EXPECT_TRUE(bench_.irq()) << "a level: another one is there";
  EXPECT_EQ(bench_.read(reg::kKernelDone), kValid | 0xAA'0000'0001);
  bench_.write(reg::kKernelDone, 0);
  EXPECT_FALSE(bench_.irq());
  EXPECT_EQ(bench_.read(reg::kKernelDone), 0U);
  EXPECT_TRUE(bench_.write(reg::kKernelDone, 0)) << "of none: nothing happens";
  EXPECT_EQ(outstanding(bench_.read(reg::kLaunchStatus)), 0U);
}

TEST_F(CommandPort, NoMoreKernelsAreLetOutThanHavePlacesWhenTheyAreDone) {
  enable();
  const unsigned places = bench_.sizes.done_depth;
  EXPECT_EQ(bench_.read(reg::kLaunchStatus) >> 32, places);
  for (unsigned i = 0; i <= places; ++i) {
    EXPECT_TRUE(launch(100 + i));
    bench_.cycles(5);
    free_all_buffers();
    if (i < places) kernel_done(100 + i);  // and nobody reads it
  }
  EXPECT_EQ(bench_.commands.size(), places);
  EXPECT_EQ(outstanding(bench_.read(reg::kLaunchStatus)), places);
  EXPECT_EQ(bench_.read(reg::kLaunchStatus) & kWaits, kWaits);
  for (unsigned i = 0; i < places; ++i) {
    EXPECT_EQ(bench_.read(reg::kKernelDone), kValid | (100 + i));
    bench_.write(reg::kKernelDone, 0);
  }
  bench_.cycles(5);
  EXPECT_EQ(bench_.commands.size(), places + 1);
}

// A core that takes, frees and finishes when it likes, and a driver that reads what is done when it likes.
class BusyCore {
 public:
  BusyCore(FrontEndBench& bench, std::uint64_t seed) : bench_(bench), random_(seed) {}

  void cycle() {
    FrontEndInputs& in = bench_.in;
    in.control_ready = random_.one_in(3);
    for (std::uint32_t buffer = 0; buffer < bench_.sizes.num_command_buffers; ++buffer) {
      if (random_.one_in(20)) in.buffer_free |= 1U << buffer;
    }
    if (!running_.empty() && random_.one_in(15)) {
      const std::size_t which = random_.in(0, running_.size() - 1);
      in.kernel_done = {true, running_[which]};
      done.push_back(running_[which]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    bench_.cycle();
    while (num_seen_ < bench_.commands.size()) running_.push_back(bench_.commands[num_seen_++].descriptor);
  }
  void finish() {
    while (!bench_.master.is_idle() && bench_.master.violation().empty()) cycle();
  }
  bool is_empty() const { return running_.empty(); }

  std::vector<std::uint64_t> done;

 private:
  FrontEndBench& bench_;
  testbench::Random random_;
  std::vector<std::uint64_t> running_;
  std::size_t num_seen_ = 0;
};

TEST_F(CommandPort, NoKernelIsLostOrReportedTwiceHoweverBusyBothSidesAre) {
  constexpr std::size_t kKernels = 1500;
  constexpr std::uint64_t kLongest = 5'000'000;  // cycles
  testbench::Random random(17);
  BusyCore core(bench_, 18);
  std::vector<std::uint64_t> launched, reported;
  std::size_t most_outstanding = 0;
  std::uint64_t next_descriptor = 1;
  const auto write = [&](std::uint64_t address, std::uint64_t data) {
    bench_.master.write(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(data));
    core.finish();
    return !take(bench_.master.written).is_error;
  };
  const auto read = [&](std::uint64_t address) {
    bench_.master.read(static_cast<std::uint32_t>(address));
    core.finish();
    return take(bench_.master.was_read).data;
  };
  write(reg::kControl, 1);
  write(reg::kLaunchGrid, 3);
  write(reg::kLaunchGrid + 4, 1);
  while (reported.size() < kKernels && bench_.now < kLongest && bench_.master.violation().empty()) {
    const bool is_slow = reported.size() / 300 % 2 == 0;  // at times nobody reads
    if (random.one_in(30)) bench_.master.set_pace(any_pace(random));
    if (launched.size() < kKernels && write(reg::kLaunchDescriptor, next_descriptor) &&
        write(reg::kLaunchDoorbell, 0)) {
      launched.push_back(next_descriptor++);
    }
    if (random.one_in(6)) write(FrontEndBench::context(random.in(0, 2), reg::kPriority), random.in(0, 15));
    if (random.one_in(is_slow ? 12 : 2) && read(reg::kKernelDone + 4) >> 31 != 0) {
      reported.push_back(read(reg::kKernelDone));
      write(reg::kKernelDone, 0);
    }
    most_outstanding = std::max(most_outstanding, bench_.commands.size() - reported.size());
  }
  EXPECT_EQ(reported, core.done) << "in the order in which they were done";
  EXPECT_TRUE(core.is_empty());
  EXPECT_EQ(bench_.commands.size(), kKernels);
  for (std::size_t i = 0; i < bench_.commands.size(); ++i) EXPECT_EQ(bench_.commands[i].descriptor, launched[i]);
  EXPECT_EQ(most_outstanding, bench_.sizes.done_depth) << "as many as there are places, and no more";
}

}  // namespace
}  // namespace tessera::ip::test
