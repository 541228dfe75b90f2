// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's list of kernels and the headers of their traces.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

const std::string kHeader = R"(-kernel name = _Z9vectorAddPKfS0_Pfi
-kernel id = 1
-grid dim = (196,1,1)
-block dim = (256,2,1)
-shmem = 2048
-nregs = 18
-cuda stream id = 3

#traces format = ...
)";

TEST(AccelSim, ReadsTheListAndTheHeadersBesideIt) {
  const TemporaryFile list("kernelslist.g", "MemcpyHtoD,0x00007f1,400000\nkernel-1.traceg\n");
  list.write("kernel-1.traceg", kHeader);
  list.write("times.csv", "kernel,us\n_Z9vectorAddPKfS0_Pfi,12.5\n");
  const Profile profile = read_accelsim(list.folder(), list.folder() / "times.csv");
  ASSERT_EQ(profile.activities.size(), 2U);
  EXPECT_EQ(profile.activities[0].bytes, 400'000U);
  EXPECT_EQ(profile.activities[1].grid[0], 196U);
  EXPECT_EQ(profile.activities[1].block[1], 2U);
  EXPECT_EQ(profile.activities[1].regs_per_thread, 18U);
  EXPECT_EQ(profile.activities[1].stream, 3U);
  EXPECT_EQ(profile.activities[1].duration, 12'500);
  EXPECT_FALSE(read_accelsim(list.path(), "").has_times);
}

TEST(AccelSim, TracesMayBePackedAndOtherLinesAmongTheHeader) {
  const TemporaryFile list("kernelslist.g", "ncclCommInitAll\n./kernel-1-ctx_0x55.traceg.xz\n");
  const auto read = [&] { return read_accelsim(list.path(), ""); };
  list.write("kernel-1-ctx_0x55.traceg.xz",
             "\xFD"
             "7zXZ");
  EXPECT_THAT(problem_of(read), HasSubstr("kernel-1-ctx_0x55.traceg.xz:1:1: is packed"));
  list.write("kernel-1-ctx_0x55.traceg", "-kernel name = f\n\n" + kHeader);
  EXPECT_EQ(read().activities.at(0).grid[0], 196U);
  EXPECT_THAT(read().notes, ::testing::Contains(HasSubstr("1 calls of nccl")));
}

TEST(AccelSim, SaysWhatIsMissing) {
  const TemporaryFile list("kernelslist.g", "kernel-1.traceg\n");
  list.write("kernel-1.traceg", kHeader);
  list.write("times.csv", "other,1\n");
  EXPECT_THAT(problem_of([&] { read_accelsim(list.path(), list.folder() / "times.csv"); }),
              HasSubstr("has no time in the table"));
  list.write("kernel-1.traceg", "-kernel name = f\n");
  EXPECT_THAT(problem_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("has no header line `-grid dim = ..`"));
  list.write("kernelslist.g", "kernel-2.traceg\n");
  EXPECT_THAT(problem_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("cannot be read"));
  list.write("kernelslist.g", "../../etc/passwd\n");
  EXPECT_THAT(problem_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("is neither a copy nor a kernel"));
}

}  // namespace
}  // namespace tessera::importer::test
