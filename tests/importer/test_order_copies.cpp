// SPDX-License-Identifier: Apache-2.0
// Formats without calls: copies in the order of their list, and those that hold up the host.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string header(const std::string& name, int stream) {
  return fmt::format(
      "-kernel name = {}\n-grid dim = (216,1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 16\n"
      "-cuda stream id = {}\n#traces\n",
      name, stream);
}

// What is listed, and the program that becomes of it, without its brackets.
class Listed {
 public:
  explicit Listed(const std::string& list) : list_("kernelslist.g", list) {
    list_.write("kernel-1.traceg", header("first", 1));
    list_.write("kernel-2.traceg", header("second", 2));
    list_.write("kernel-3.traceg", header("third", 0));
  }
  std::string program() {
    import_.options.tb_time_us = 10;
    import_.of_file(list_.folder());
    const std::string text = import_.text_of("imported.yaml");
    return text.substr(text.find("program: ["));
  }

 private:
  TemporaryFile list_;
  Import import_;
};

TEST(CopiesWithoutCalls, AListsCopiesHoldUpTheHost) {
  const std::string program = Listed("MemcpyHtoD,0x1,4096\nMemcpyHtoD,0x2,8192\nkernel-1.traceg\n").program();
  EXPECT_THAT(program, HasSubstr("bytes: 4096}"));
  EXPECT_THAT(program, HasSubstr("bytes: 8192}"));
  EXPECT_THAT(program, ::testing::Not(HasSubstr("async")));
  EXPECT_THAT(program, ::testing::Not(HasSubstr("synchronise")));  // nothing else runs
}

TEST(CopiesWithoutCalls, AListsCopiesWaitForKernelsOfOtherStreams) {
  const std::string program =
      Listed("MemcpyHtoD,0x1,4096\nkernel-1.traceg\nkernel-2.traceg\nMemcpyDtoH,0x2,8192\nkernel-1.traceg\n").program();
  EXPECT_THAT(program, ::testing::ContainsRegex("second.*synchronise: ..[^\n]*[\n ]*.copy: .direction: to_host"));
  EXPECT_THAT(program, ::testing::Not(HasSubstr("async")));
}

TEST(CopiesWithoutCalls, ACopyBehindKernelsOfItsStreamNeedsNoOtherWait) {
  const std::string program = Listed("kernel-3.traceg\nMemcpyDtoH,0x2,8192\n").program();
  EXPECT_THAT(program, ::testing::Not(HasSubstr("synchronise")));
}

TEST(CopiesWithoutCalls, ThreeCopiesInARowWaitOnce) {
  Profile profile;
  const auto add = [&](Work work, std::uint64_t stream) {
    GpuActivity activity;
    activity.work = work;
    activity.stream = stream;
    activity.start = static_cast<Nanoseconds>(profile.activities.size());
    activity.holds_host = activity.follows_all = work != Work::kKernel;
    profile.activities.push_back(activity);
  };
  profile.names = {"k"};
  profile.has_times = false;
  add(Work::kKernel, 5);
  for (int i = 0; i < 3; ++i) add(Work::kCopyToHost, 0);
  add(Work::kKernel, 5);
  add(Work::kCopyOnGpu, 0);  // a kernel here: the host waits for it before the next operation
  add(Work::kKernel, 5);
  const Workload workload = workloads_of(profile, Collectives::kKeep).front();
  std::vector<std::uint32_t> before;
  for (const HostWait& wait : workload.waits) before.push_back(wait.before);
  EXPECT_THAT(before, ElementsAre(1, 5, 6));
  for (std::uint32_t i = 1; i < 4; ++i) EXPECT_TRUE(workload.operations[i].blocks_host) << i;
}

// ---- GPU traces as CSV ---------------------------------------------------------------------------------------

Workload of_csv(const std::string& kind, const std::string& consumer_start) {
  const TemporaryFile file(
      "trace.csv",
      "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Bytes (B),SrcMemKd,DstMemKd,Device,Strm,"
      "Name\n"
      "1000000,200000,,,,,,,4000000," +
          kind + ",Device,A100 (0),7,[CUDA memcpy Host-to-Device]\n" + consumer_start +
          ",50000,64,1,1,128,1,1,,,,A100 (0),13,consumer\n");
  return workloads_of(read_nsys_csv(file.path()), Collectives::kKeep).front();
}

TEST(CopiesWithoutCalls, ThatOfPageableMemoryHoldsUpTheHost) {
  EXPECT_TRUE(of_csv("Pageable", "1210000").operations[0].blocks_host);
  EXPECT_EQ(of_csv("Pageable", "1210000").operations[0].call_end, 1'200'000);
  EXPECT_FALSE(of_csv("Pinned", "1210000").operations[0].blocks_host);
}

TEST(WorkWithoutCalls, WhatBeganJustBehindAnotherStreamsEndWaitedForIt) {
  const Workload workload = of_csv("Pinned", "1203000");
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
  EXPECT_EQ(workload.dependencies[0].later, 1U);
  EXPECT_TRUE(of_csv("Pinned", "1290000").dependencies.empty());  // 90 us later
  EXPECT_TRUE(of_csv("Pinned", "1100000").dependencies.empty());  // meanwhile
}

TEST(WorkWithoutCalls, AListsOrderIsNoWaitOfStreams) {
  const TemporaryFile list("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  list.write("kernel-1.traceg", header("first", 1));
  list.write("kernel-2.traceg", header("second", 2));
  list.write("times.csv", "first,50\nsecond,50\n");
  const Profile profile = read_accelsim(list.path(), list.folder() / "times.csv");
  EXPECT_EQ(profile.activities[1].start, profile.activities[0].end() + 1);
  EXPECT_TRUE(workloads_of(profile, Collectives::kKeep).front().dependencies.empty());
}

TEST(CopiesWithoutCalls, WhatBeganMeanwhileWasNotHeldUp) {
  EXPECT_FALSE(of_csv("Pageable", "1100000").operations[0].blocks_host);
}

}  // namespace
}  // namespace tessera::importer::test
