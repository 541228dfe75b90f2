// SPDX-License-Identifier: Apache-2.0
// What calls, hand-overs and copies took.
#include <gmock/gmock.h>

#include "importer/recorded_pace.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

TEST(RecordedPace, CallsCostNoMoreThanTheyAreApart) {
  ProfileBench close;
  ProfileBench apart;
  for (int i = 0; i < 100; ++i) {
    close.kernel("k", 100 + 1.55 * i, 1, 0, 90 + 1.55 * i);
    apart.kernel("k", 100 + 50 * i, 1, 0, 90 + 50 * i);
  }
  EXPECT_EQ(recorded_call(close.profile, only_workload(close.profile)), 1'500);  // tenths of a microsecond
  EXPECT_EQ(recorded_call(apart.profile, only_workload(apart.profile)), kUsualCall);
}

TEST(RecordedPace, AHandOverIsTheMeanGapBehindWhatWasQueuedFor) {
  ProfileBench bench;
  for (int i = 0; i < 20; ++i) bench.kernel("k", 1000 + 50 * i, i % 2 == 0 ? 49 : 48, 0, 10 + 5 * i);
  // 10 gaps of 1 us and 9 of 2 us.
  EXPECT_EQ(recorded_hand_over(bench.profile, only_workload(bench.profile)), (10 * 1000 + 9 * 2000) / 19);
}

TEST(RecordedPace, ALinkIsAsFastAsCopiesThatTheHostDidNotWaitFor) {
  ProfileBench bench;
  bench.kernel("k", 1, 1);
  for (int i = 0; i < 4; ++i) {
    GpuActivity& copy = bench.kernel("", 100 + 200 * i, 100);
    copy.work = Work::kCopyToHost;
    copy.bytes = 5'500'000;
  }
  EXPECT_EQ(recorded_copy_rate(bench.profile, only_workload(bench.profile)), 55'000);
}

}  // namespace
}  // namespace tessera::importer::test
