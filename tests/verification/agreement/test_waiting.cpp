// SPDX-License-Identifier: Apache-2.0
// What waits for a clocked core's event port, for a copy engine, or for a turn, is no disagreement.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/spec/core_cycles.h"
#include "tests/model/record/support.h"
#include "verification/agreement/agreement.h"
#include "verification/agreement/event_port.h"

namespace tessera::verification {
namespace {

using namespace record;
using record::test::at;
using WaitingLog = std::vector<Record>;

constexpr Cycle kSetUp = 20;

constexpr Cycle kJob = spec::kToWrite + 1;           // of one visit
constexpr Cycle kEvent = kJob + spec::kVisitCycles;  // of two: an SM changes hands

// Eight SMs.
spec::Spec machine() {
  spec::Spec spec;
  spec.gpu.num_sms = 8;
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.search_entry_cycles = 1;
  spec.gpu.framework.sm_setup_cycles = kSetUp;
  spec.scheduler.search_width = 1;
  spec.scheduler.tbs_per_cycle = 1;
  return spec;
}

Cycle free_after(const WaitingLog& log, CoreKind core = CoreKind::kClocked) {
  EventPort port(machine(), core);
  for (const Record& record : log) port.consume(record);
  return port.free_at();
}

// ---- the event port --------------------------------------------------------------------------------------------

TEST(EventPort, TakesOneEventAJob) {
  const WaitingLog three_at_once = {at(100, Kind::kTbFinished).on(0, 0), at(100, Kind::kTbFinished).on(1, 0),
                                    at(100, Kind::kTbFinished).on(2, 0)};
  EXPECT_EQ(free_after({three_at_once.front()}), 100 + kEvent);
  EXPECT_EQ(free_after(three_at_once), 100 + 3 * kEvent);
}

TEST(EventPort, AMoveHoldsBackAnEventThatWaits) {
  const Record event = at(100, Kind::kTbFinished).on(0, 0);
  // The move, of two visits, and what the SM is told.
  EXPECT_EQ(free_after({event, at(100, Kind::kPreemptionRequested).on(1).launched(0)}), 100 + kEvent + kEvent + kJob);
  EXPECT_EQ(free_after({event, at(200, Kind::kPreemptionRequested).on(1).launched(0)}), 100 + kEvent);
}

TEST(EventPort, TheEndOfASetUpIsAnEventWithoutARecord) {
  const WaitingLog log = {at(100, Kind::kSmSetUp).on(0).launched(0), at(100 + kSetUp, Kind::kTbFinished).on(1, 0)};
  EXPECT_EQ(free_after(log), 100 + kSetUp + 2 * kEvent);
}

TEST(EventPort, NothingWaitsOnTheIdealEngine) {
  EXPECT_EQ(free_after({at(100, Kind::kTbFinished).on(0, 0)}, CoreKind::kTransactionLevel), 0U);
}

// ---- latencies -------------------------------------------------------------------------------------------------

// All SMs are set up, long after each other; the first TB of each starts so long after its set-up.
LogFindings set_ups(CoreKind core, Cycle until_first_tb) {
  LatencyMeter meter(machine(), core);
  WaitingLog log;
  for (std::uint16_t sm = 0; sm < 8; ++sm) {
    const Cycle set_up = 100 + 200 * sm;
    log.push_back(at(set_up, Kind::kSmSetUp).on(sm).launched(0));
    log.push_back(at(set_up + until_first_tb, Kind::kTbIssued).on(sm, 0).launched(0).tb(sm));
  }
  std::sort(log.begin(), log.end(), canonical_less);
  for (const Record& record : log) meter.consume(record);
  return {{}, meter.latencies(), {}};
}

TEST(LatencyMeter, ASetUpThatAlwaysWaitedIsNoLongerSetUp) {
  // Eight moves, 100 to 107; the first SM is ready at 104, and its event waits until the last of them.
  spec::Spec spec = machine();
  spec.gpu.framework.sm_setup_cycles = 4;
  LatencyMeter meter(spec, CoreKind::kClocked);
  WaitingLog log;
  for (std::uint16_t sm = 0; sm < 8; ++sm) {
    log.push_back(at(100 + sm, Kind::kSmSetUp).on(sm).launched(0));
    log.push_back(at(109 + sm, Kind::kTbIssued).on(sm, 0).launched(0).tb(sm));
  }
  std::sort(log.begin(), log.end(), canonical_less);
  for (const Record& record : log) meter.consume(record);
  const Latency measured = meter.latencies().at("set_up");
  EXPECT_EQ(measured.shortest, 9U);
  EXPECT_GE(measured.waited, 3U);  // the moves of 105 to 107
  EXPECT_TRUE(compare_latencies({{"set_up", {8, 6, 0}}}, meter.latencies()).empty());
}

TEST(LatencyMeter, ASetUpThatWaitedForNobodyIsFoundLonger) {
  const LogFindings tlm = set_ups(CoreKind::kTransactionLevel, kSetUp + 2);
  EXPECT_TRUE(compare_latencies(tlm.latencies, set_ups(CoreKind::kClocked, kSetUp + 2).latencies).empty());
  EXPECT_EQ(compare_latencies(tlm.latencies, set_ups(CoreKind::kClocked, kSetUp + 2 + 2 * kEvent).latencies).size(),
            1U);
}

TEST(LatencyMeter, SavesShorterThanTheirHandlesAreNotToldApart) {
  const auto shortest_save = [](Cycle takes) {
    LatencyMeter meter(machine(), CoreKind::kClocked);
    meter.consume(at(100, Kind::kSaveStarted).on(0).launched(0).bytes(640));
    for (std::uint32_t tb = 0; tb < 4; ++tb) meter.consume(at(100 + takes, Kind::kTbSaved).on(0).launched(0).tb(tb));
    meter.consume(at(100 + takes, Kind::kPreemptionDone).on(0).launched(0).bytes(640));
    return meter.latencies().at("save of 640 bytes").shortest;
  };
  EXPECT_EQ(shortest_save(2), 4 + 1U);  // four handles, and the event
  EXPECT_EQ(shortest_save(50), 50U);
}

// Microcode copies before the transfer starts, the longer the more there is.
TEST(LatencyMeter, TrapsByMicrocodeAreToldApartByWhatTheySave) {
  for (const auto model : {spec::SaveModel::kBandwidth, spec::SaveModel::kMicrocode}) {
    spec::Spec spec = machine();
    spec.gpu.framework.gpu_switch.model = model;
    LatencyMeter meter(spec, CoreKind::kClocked);
    for (const std::uint64_t tbs : {1, 2}) {
      const Cycle asked = 1000 * tbs;
      meter.consume(at(asked, Kind::kPreemptionRequested).on(0).launched(0));
      meter.consume(at(asked + 100 * tbs, Kind::kSaveStarted).on(0).launched(0).bytes(640 * tbs));
      meter.consume(at(asked + 500, Kind::kPreemptionDone).on(0).launched(0).bytes(640 * tbs));
    }
    const Latencies& latencies = meter.latencies();
    if (model == spec::SaveModel::kBandwidth) {
      EXPECT_EQ(latencies.at("trap").shortest, 100U);
    } else {
      EXPECT_EQ(latencies.at("trap of 640 bytes").shortest, 100U);
      EXPECT_EQ(latencies.at("trap of 1280 bytes").shortest, 200U);
    }
  }
}

// ---- commands --------------------------------------------------------------------------------------------------

// Kernels that take so long and arrive so long after each other.
WaitingLog kernels(Cycle takes, Cycle period) {
  WaitingLog log;
  for (std::uint32_t i = 0; i < 8; ++i) {
    log.push_back(at(100 + i * period, Kind::kKernelArrived).launched(i).kernel(0, 0).run(0));
    log.push_back(at(100 + i * period + takes, Kind::kKernelFinished).launched(i).kernel(0, 0).value(8));
  }
  return log;
}

TEST(Agreement, CommandsThatWaitForACopyDoNotComeEarlierWhenKernelsEndLater) {
  EXPECT_EQ(compare_logs(kernels(1'000, 5'000), kernels(1'040, 5'000)).verdict, Verdict::kWithinTolerance);
  EXPECT_EQ(compare_logs(kernels(1'000, 5'000), kernels(1'000, 5'040)).verdict, Verdict::kUnexplained);
}

TEST(Agreement, CommandsThatWaitForABufferMayComeEarlierAsARule) {
  const auto log = [](Cycle period, bool is_activated_before) {
    WaitingLog records = kernels(1'000, period);
    for (std::uint32_t i = 1; is_activated_before && i < 8; ++i)
      records.push_back(at(100 + i * period - 1, Kind::kKernelActivated).launched(99).kernel(1, 0));
    std::sort(records.begin(), records.end(), canonical_less);
    return records;
  };
  EXPECT_EQ(compare_logs(log(5'000, true), log(4'980, true)).verdict, Verdict::kExact);
  EXPECT_EQ(compare_logs(log(5'000, false), log(4'980, false)).verdict, Verdict::kUnexplained);
}

// ---- places ----------------------------------------------------------------------------------------------------

TEST(Agreement, AnotherSmExplainsADifferenceOfAKernelThatIsDrained) {
  const auto log = [](std::uint16_t sm, std::uint16_t slot, Cycle takes) {
    return WaitingLog{at(100, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                      at(200, Kind::kTbIssued).on(sm, slot).launched(0).tb(4),
                      at(400, Kind::kPreemptionDone).on(0).launched(0).cycles(9).by(Technique::kDrain),
                      at(100 + takes, Kind::kKernelFinished).launched(0).kernel(0, 0).value(8)};
  };
  EXPECT_EQ(compare_logs(log(0, 0, 1'000), log(1, 0, 2'000)).verdict, Verdict::kExplained);
  EXPECT_EQ(compare_logs(log(0, 0, 1'000), log(0, 1, 2'000)).verdict, Verdict::kUnexplained);
}

TEST(Agreement, AnotherSmExplainsADifferenceOfTheKernelBesideItThatGetsTheSm) {
  const auto log = [](std::uint16_t sm, std::uint16_t placed, Cycle takes) {
    return WaitingLog{at(100, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                      at(100, Kind::kKernelArrived).launched(1).kernel(1, 0).run(0),
                      at(200, Kind::kTbIssued).on(sm, 0).launched(placed).tb(4),
                      at(600, Kind::kKernelFinished).launched(0).kernel(0, 0).value(8),
                      at(100 + takes, Kind::kKernelFinished).launched(1).kernel(1, 0).value(8)};
  };
  EXPECT_EQ(compare_logs(log(0, 0, 1'000), log(1, 0, 2'000)).verdict, Verdict::kExplained);
  EXPECT_EQ(compare_logs(log(0, 1, 1'000), log(1, 1, 2'000)).verdict, Verdict::kUnexplained);  // its own, and no loss
}

// ---- numbers of preemptions ------------------------------------------------------------------------------------

TEST(Agreement, WhereDecisionsAreRightSoIsTheNumberOfPreemptions) {
  const auto log = [](std::uint32_t num_preemptions) {
    WaitingLog records = kernels(1'000, 5'000);
    records.push_back(at(5'050, Kind::kPolicyInvoked));
    records.push_back(at(5'060, Kind::kTbFinished).on(0, 0).launched(0).tb(1));
    records.push_back(at(5'070, Kind::kPolicyDecided));
    for (std::uint32_t i = 0; i < num_preemptions; ++i)
      records.push_back(at(10'000 + i, Kind::kPreemptionDone).on(0).launched(1).cycles(9).by(Technique::kDrain));
    std::sort(records.begin(), records.end(), canonical_less);
    return records;
  };
  LogFindings judged;
  judged.decisions.steps = 100;
  EXPECT_EQ(compare_logs(log(0), log(400), judged, judged).verdict, Verdict::kExplained);
  LogFindings doubtful = judged;
  doubtful.decisions.overtaken = 1;
  EXPECT_EQ(compare_logs(log(0), log(400), judged, doubtful).verdict, Verdict::kUnexplained);
  doubtful.decisions.steps = 250;  // one of so many is what walks that meet events make
  EXPECT_EQ(compare_logs(log(0), log(400), judged, doubtful).verdict, Verdict::kExplained);
  EXPECT_EQ(compare_logs(log(0), log(400)).verdict, Verdict::kUnexplained);
}

// ---- turns -----------------------------------------------------------------------------------------------------

TEST(Agreement, ATickInsideADecisionExplains) {
  const WaitingLog decided = {at(100, Kind::kPolicyInvoked),
                              at(100, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                              at(112, Kind::kPolicyDecided).cycles(12)};
  const auto log = [&](Cycle takes) {
    WaitingLog whole = decided;
    whole.push_back(at(100 + takes, Kind::kKernelFinished).launched(0).kernel(0, 0).value(8));
    return whole;
  };
  LogFindings ticked;
  ticked.inner_ticks = {108};
  const Agreement explained = compare_logs(log(1'000), log(2'000), ticked, {});
  EXPECT_EQ(explained.verdict, Verdict::kExplained);
  EXPECT_EQ(explained.explanation, "tlm, cycle 108: the policy's timer ticks during the decision from 100 to 112");
  EXPECT_EQ(compare_logs(log(1'000), log(2'000)).verdict, Verdict::kUnexplained);
  ticked.inner_ticks = {113};
  EXPECT_EQ(compare_logs(log(1'000), log(2'000), ticked, {}).verdict, Verdict::kUnexplained);
}

}  // namespace
}  // namespace tessera::verification
