// SPDX-License-Identifier: Apache-2.0
// The monitor of a host's cores finds what is planted, and nothing in a sound log; metrics and tracks of the same log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "model/record/checks/cpu_monitor.h"
#include "model/record/metrics/metrics.h"
#include "tests/model/record/support.h"
#include "tests/model/record/trace/perfetto_reader.h"

namespace tessera::record {
namespace {

using test::at;

constexpr Cycle kCpuEnd = 100;

// Two cores. Process 0 may use core 0, process 1, more urgent, both, and process 2, the most urgent, core 1.
CpuFacts two_cores() { return {2, {{1, {0}}, {5, {0, 1}}, {9, {1}}}}; }

// 1 has core 1 until 2 takes it, then takes core 0 from 0, which waits until 2 sleeps and 1, which spun, has ended.
std::vector<Record> log_of_cores() {
  using K = Kind;
  return test::in_order({
      at(1, K::kCpuReady).process(0),
      at(1, K::kCpuStarted).process(0).value(0),
      at(5, K::kCpuReady).process(1),
      at(5, K::kCpuStarted).process(1).value(1),
      at(20, K::kCpuReady).process(2),
      at(20, K::kCpuStarted).process(2).value(1),
      at(20, K::kCpuStopped).process(1).value(1).cycles(15),
      at(20, K::kCpuReady).process(1),
      at(20, K::kCpuStarted).process(1).value(0),
      at(20, K::kCpuStopped).process(0).value(0).cycles(19),
      at(20, K::kCpuReady).process(0),
      at(40, K::kCpuStopped).process(2).value(1).cycles(20),
      at(50, K::kCpuStopped).process(1).value(0).cycles(30).bytes(25),
      at(50, K::kCpuStarted).process(0).value(0).cycles(30),
      at(kCpuEnd, K::kCpuStopped).process(0).value(0).cycles(50),
  });
}

std::vector<std::pair<std::string, std::string>> cpu_verdicts_of(const std::vector<Record>& log) {
  CpuMonitor monitor(two_cores());
  test::feed(monitor, log, kCpuEnd);
  return monitor.verdicts();
}

TEST(CpuMonitor, KnowsWhoWantsNoCoreAnyMore) {
  std::vector<Record> log = log_of_cores();
  log.push_back(at(21, Kind::kCpuStopped).process(0).value(0));  // its time had ended when it lost its core
  log.push_back(at(50, Kind::kCpuReady).process(0));
  for (Record& record : log) {
    if (record.cycle == 50 && record.kind == Kind::kCpuStarted) record.cycles = 0;
  }
  for (const auto& [name, verdict] : cpu_verdicts_of(test::in_order(log))) EXPECT_EQ(verdict, "ok") << name;
}

TEST(CpuMonitor, FindsNothingInASoundLog) {
  for (const auto& [name, verdict] : cpu_verdicts_of(log_of_cores())) EXPECT_EQ(verdict, "ok") << name;
}

struct CpuFault {
  const char* name;
  std::function<void(std::vector<Record>&)> plant;
  const char* rule;
  const char* complaint;
};
void PrintTo(const CpuFault& fault, std::ostream* out) { *out << fault.name; }

Record& nth_of(std::vector<Record>& log, Kind kind, std::uint16_t process, int n = 0) {
  for (Record& record : log) {
    if (record.kind == kind && record.process == process && n-- == 0) return record;
  }
  throw std::logic_error("no such record");
}

class CpuMonitorFault : public testing::TestWithParam<CpuFault> {};

TEST_P(CpuMonitorFault, IsFound) {
  std::vector<Record> log = log_of_cores();
  GetParam().plant(log);
  for (const auto& [name, verdict] : cpu_verdicts_of(test::in_order(log))) {
    const bool is_its_rule = name == GetParam().rule;
    EXPECT_TRUE(!is_its_rule || verdict.find(GetParam().complaint) != std::string::npos) << verdict;
  }
}

const std::vector<CpuFault> kCpuFaults = {
    {"TwoOnACore", [](auto& log) { nth_of(log, Kind::kCpuStarted, 1).value = 0; }, "cpu_cores", "another process has"},
    {"OnACoreItMayNotUse", [](auto& log) { nth_of(log, Kind::kCpuStarted, 0).value = 1; }, "cpu_cores", "may not run"},
    {"OnACoreThatIsNot", [](auto& log) { nth_of(log, Kind::kCpuStarted, 0).value = 2; }, "cpu_cores", "no such core"},
    {"WithoutWanting", [](auto& log) { nth_of(log, Kind::kCpuReady, 2).process = 0; }, "cpu_cores", "already"},
    {"StopsOnAnother", [](auto& log) { nth_of(log, Kind::kCpuStopped, 2).value = 0; }, "cpu_cores", "does not have"},
    {"HadItForLonger", [](auto& log) { ++nth_of(log, Kind::kCpuStopped, 2).cycles; }, "cpu_cores", "for 20 cycles"},
    {"SpunForLonger", [](auto& log) { nth_of(log, Kind::kCpuStopped, 1, 1).bytes = 31; }, "cpu_cores", "longer than"},
    {"WaitedForLonger", [](auto& log) { ++nth_of(log, Kind::kCpuStarted, 0, 1).cycles; }, "cpu_cores", "for 30 cycles"},
    // Core 0 stays free from 50 to 60 though process 0 waits for it.
    {"ACoreIsFree",
     [](auto& log) {
       Record& late = nth_of(log, Kind::kCpuStarted, 0, 1);
       late.cycle += 10;
       late.cycles += 10;
       nth_of(log, Kind::kCpuStopped, 0, 1).cycles -= 10;
     },
     "cpu_priority", "process 0 waits, core 0 is free"},
    // Process 1 does not take core 0 from process 0.
    {"ALessUrgentOneRuns",
     [](auto& log) {
       const auto is_of_it = [](const Record& record) {
         return record.cycle >= 20 && (record.process == 0 ||
                                       (record.process == 1 && record.kind == Kind::kCpuStarted) || record.cycle == 50);
       };
       log.erase(std::remove_if(log.begin(), log.end(), is_of_it), log.end());
     },
     "cpu_priority", "process 1 waits, core 0 has a less urgent one"},
};

INSTANTIATE_TEST_SUITE_P(All, CpuMonitorFault, testing::ValuesIn(kCpuFaults),
                         [](const testing::TestParamInfo<CpuFault>& test) { return std::string(test.param.name); });

TEST(CpuMetrics, CountTimeWithAndWithoutACore) {
  MetricsSink metrics(3);
  std::vector<Record> log = log_of_cores();
  log.pop_back();
  log.push_back(at(90, Kind::kCpuStopped).process(0).value(0).cycles(40));
  log.push_back(at(90, Kind::kCpuReady).process(0));  // and it waits until the end
  test::feed(metrics, log, kCpuEnd);
  const std::vector<CpuProcessResult>& cpu = metrics.result().cpu;
  ASSERT_EQ(cpu.size(), 3U);
  EXPECT_EQ(cpu[0].used, 19U + 40U);
  EXPECT_EQ(cpu[0].waited, 30U + 10U);
  EXPECT_EQ(cpu[0].longest_wait, 30U);
  EXPECT_EQ(cpu[0].preemptions, 2U);
  EXPECT_EQ(cpu[1].used, 15U + 30U);
  EXPECT_EQ(cpu[1].spun, 25U);
  EXPECT_EQ(cpu[1].preemptions, 1U);
  EXPECT_EQ(cpu[2].used, 20U);
  EXPECT_EQ(cpu[2].waited, 0U);
}

TEST(CpuMetrics, AreNoneWithoutCores) {
  MetricsSink metrics(2);
  test::feed(metrics, test::sound_log(), test::kSoundLogEnd);
  EXPECT_TRUE(metrics.result().cpu.empty());
}

TEST(CpuTracks, ShowWhoHasACoreAndWhoWaitsForOne) {
  const Names names{{"low", "middle", "high"}, {{}, {}, {}}, 2, 2, 1'000'000'000, 2};
  test::Trace trace = test::read(log_of_cores(), names, kCpuEnd);
  EXPECT_THAT(trace.faults, testing::IsEmpty());
  EXPECT_THAT(trace.slices["CPU/core 0"], testing::ElementsAre("low 1-20", "middle 20-50", "low 50-100"));
  EXPECT_THAT(trace.slices["CPU/core 1"], testing::ElementsAre("middle 5-20", "high 20-40"));
  EXPECT_THAT(trace.slices["CPU/low waiting"], testing::ElementsAre("for a core 20-50"));
}

}  // namespace
}  // namespace tessera::record
