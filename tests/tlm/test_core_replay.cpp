// SPDX-License-Identifier: Apache-2.0
// Logs of a cycle-level GPU simulator come out of the engine again, TB by TB (docs/concepts/readings.md, Logged order).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tlm/replay/log_replay.h"

namespace tessera::tlm_model {
namespace {

std::filesystem::path log_folder() {
  const char* const data = std::getenv("TESSERA_DATA_DIR");
  return std::filesystem::path(data != nullptr ? data : TESSERA_SOURCE_DIR "/../shared/data") / "gpgpusim_tb_logs";
}

void expect_replays_exactly(const std::filesystem::path& folder) {
  std::uint32_t num_logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    ++num_logs;
    const workload::TbLog log = workload::read_tb_log_file(entry.path().string());
    const LogReplay replay = replay_log(log);
    EXPECT_EQ(replay.sm_mismatches, 0U) << entry.path();
    EXPECT_EQ(replay.slot_mismatches, 0U) << entry.path();
    EXPECT_EQ(replay.start_mismatches, 0U) << entry.path();
    for (std::size_t tb = 0; tb < log.tbs.size(); ++tb) EXPECT_EQ(replay.tbs[tb].end, log.tbs[tb].end) << tb;
  }
  EXPECT_GT(num_logs, 0U);
}

TEST(LogReplay, EveryTbOfLogsByHandStartsOnItsSmInItsSlotAndCycle) {
  expect_replays_exactly(TESSERA_SOURCE_DIR "/tests/data/tb_logs");
}

TEST(LogReplay, EveryTbOfTheSimulatorsLogsStartsOnItsSmInItsSlotAndCycle) {
  if (!std::filesystem::is_directory(log_folder()))
    GTEST_SKIP() << "no logs of a simulator (TESSERA_DATA_DIR) in " << log_folder();
  expect_replays_exactly(log_folder());
}

// Two SMs of two slots; by the rule: SM 1 first, one TB for each SM a cycle, then the second slots.
// TB 4 takes the slot of TB 0 a cycle after its end; SM 1 was served last, but SM 0 is full.
constexpr const char* kByTheRule =
    "# 2 SMs\n# tbs_per_sm=2\ntb,sm,slot,start_cycle,end_cycle\n"
    "0,1,0,7,17\n1,0,0,7,107\n2,1,1,8,108\n3,0,1,8,108\n4,1,0,18,28\n";

workload::TbLog log_of(const std::string& text) {
  std::istringstream in(text);
  return workload::read_tb_log(in, "log.csv");
}

TEST(LogReplay, ALogThatFollowsTheRuleMatches) {
  const LogReplay replay = replay_log(log_of(kByTheRule));
  EXPECT_TRUE(replay.matches());
  EXPECT_EQ(replay.tbs[4].start, 18U);
}

// One slot, so that the times add up: the longest log that the reader lets pass comes to its end.
TEST(LogReplay, TheLongestTimesThatALogMayHaveEnd) {
  const Cycle half = (Cycle{1} << 45) - 1;
  const std::string text = "# 1 SMs\n# tbs_per_sm=1\ntb,sm,slot,start_cycle,end_cycle\n0,0,0,0," +
                           std::to_string(half) + "\n1,0,0," + std::to_string(half + 1) + ',' +
                           std::to_string(2 * half + 1) + '\n';
  const LogReplay replay = replay_log(log_of(text));
  EXPECT_TRUE(replay.matches());
  EXPECT_EQ(replay.tbs[1].end, 2 * half + 1);
}

TEST(LogReplay, EachKindOfMismatchIsCounted) {
  const workload::TbLog log = log_of(kByTheRule);
  const auto changed = [&](std::uint32_t tb, auto change) {
    workload::TbLog other = log;
    change(other.tbs[tb]);
    return replay_log(other);
  };
  const LogReplay sm = changed(3, [](workload::TbPlacement& tb) { tb.sm = 1; });
  EXPECT_EQ(sm.sm_mismatches, 1U);
  EXPECT_EQ(sm.slot_mismatches + sm.start_mismatches, 0U);
  EXPECT_EQ(sm.first_mismatch, 3U);
  const LogReplay slot = changed(2, [](workload::TbPlacement& tb) { tb.slot = 0; });
  EXPECT_EQ(slot.slot_mismatches, 1U);
  EXPECT_EQ(slot.sm_mismatches + slot.start_mismatches, 0U);
  EXPECT_EQ(slot.first_mismatch, 2U);
  const LogReplay start = changed(4, [](workload::TbPlacement& tb) { ++tb.start, ++tb.end; });
  EXPECT_EQ(start.start_mismatches, 1U);
  EXPECT_EQ(start.sm_mismatches + start.slot_mismatches, 0U);
  EXPECT_EQ(start.first_mismatch, 4U);
}

}  // namespace
}  // namespace tessera::tlm_model
