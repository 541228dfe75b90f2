// SPDX-License-Identifier: Apache-2.0
// The full-log check: silent on a sound log, and loud about each way in which one can be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "model/spec/spec.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using test::at;
using test::violations;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// The sound log with the first record of this cycle and kind changed.
std::vector<std::string> violations_if(Cycle cycle, Kind kind, const std::function<void(Record&)>& change) {
  std::vector<Record> log = test::sound_log();
  const auto found =
      std::find_if(log.begin(), log.end(), [&](const Record& r) { return r.cycle == cycle && r.kind == kind; });
  EXPECT_NE(found, log.end());
  if (found != log.end()) change(*found);
  return violations(log);
}

// The sound log up to and including `cycle`, and then `more`.
std::vector<Record> sound_log_until(Cycle cycle, const std::vector<Record>& more) {
  std::vector<Record> log = test::sound_log();
  log.erase(std::remove_if(log.begin(), log.end(), [&](const Record& r) { return r.cycle > cycle; }), log.end());
  log.insert(log.end(), more.begin(), more.end());
  std::sort(log.begin(), log.end(), canonical_less);
  return log;
}

TEST(LogChecker, ASoundLogHasNoViolations) {
  const LogReport report = check_log(test::sound_log(), test::small_machine());
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_THAT(report.open_preemptions, IsEmpty());
  EXPECT_EQ(report.open_saves, 0U);
}

TEST(LogChecker, EveryRecordThatIsLostIsNoticed) {
  // Without these a log is poorer, not wrong; of runs and SMs the last ones may stay open.
  const std::set<Kind> may_be_missing{Kind::kPolicyInvoked, Kind::kPolicyDecided, Kind::kSmBusy,    Kind::kSmSlots,
                                      Kind::kDmaEnded,      Kind::kRunEnded,      Kind::kSmReleased};
  const std::vector<Record> log = test::sound_log();
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (may_be_missing.count(log[i].kind) != 0) continue;
    std::vector<Record> poorer = log;
    poorer.erase(poorer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_THAT(violations(poorer), Not(IsEmpty())) << "cycle " << log[i].cycle << " " << to_string(log[i].kind);
  }
}

TEST(LogChecker, EveryRecordThatIsDoubledIsNoticed) {
  const std::set<Kind> may_repeat{Kind::kPolicyInvoked, Kind::kPolicyDecided, Kind::kDmaStarted};
  const std::vector<Record> log = test::sound_log();
  for (const Record& record : log) {
    if (may_repeat.count(record.kind) != 0) continue;
    std::vector<Record> richer = log;
    richer.push_back(record);
    EXPECT_THAT(violations(richer), Not(IsEmpty())) << "cycle " << record.cycle << " " << to_string(record.kind);
  }
}

TEST(LogChecker, AnUnsortedLogIsNoticed) {
  std::vector<Record> log = test::sound_log();
  std::swap(log[20], log[21]);
  EXPECT_THAT(check_log(log, test::small_machine()).violations, Contains(HasSubstr("out of canonical order")));
}

TEST(LogChecker, AViolationNamesItsCycleAndRecord) {
  EXPECT_THAT(violations_if(70, Kind::kTbFinished, [](Record& r) { r.slot = 1; }),
              Contains("cycle 70: tb_finished sm 1 launch 0 tb 2: not resident in slot 1"));
}

TEST(LogChecker, ASavedTbMayNotStartAnew) {
  EXPECT_THAT(violations(sound_log_until(70, {at(71, Kind::kTbIssued).on(1, 1).launched(0).tb(0)})),
              Contains(HasSubstr("it was saved")));
}

TEST(LogChecker, AFinishedTbMayNotBeIssuedAgain) {
  EXPECT_THAT(violations(sound_log_until(70, {at(71, Kind::kTbIssued).on(1, 1).launched(0).tb(2)})),
              Contains("cycle 71: tb_issued sm 1 launch 0 tb 2: issued before"));
}

TEST(LogChecker, ARestoreBringsBackTheBytesOfItsSave) {
  EXPECT_THAT(violations_if(75, Kind::kTbRestored, [](Record& r) { r.bytes -= 4; }), Contains(HasSubstr("saved were")));
  EXPECT_THAT(violations_if(75, Kind::kRestoreDone, [](Record& r) { r.bytes -= 4; }), Contains(HasSubstr("restored")));
}

TEST(LogChecker, ASaveHoldsTheWholeContext) {
  EXPECT_THAT(violations_if(60, Kind::kTbSaved, [](Record& r) { r.bytes -= 4; }), Contains(HasSubstr("its context")));
  EXPECT_THAT(violations_if(60, Kind::kPreemptionDone, [](Record& r) { r.bytes -= 4; }), Contains(HasSubstr("saved")));
}

TEST(LogChecker, AnSmIsOwnedByOneKernelAtATime) {
  EXPECT_THAT(violations(sound_log_until(34, {at(35, Kind::kSmSetUp).on(1).launched(1).kernel(1, 0)})),
              Contains(HasSubstr("the SM is owned by launch 0")));
  EXPECT_THAT(violations_if(64, Kind::kTbIssued, [](Record& r) { r.sm = 1, r.slot = 1; }),
              Contains(HasSubstr("not owned by this kernel")));
}

TEST(LogChecker, ASlotHoldsOneTb) {
  EXPECT_THAT(violations_if(21, Kind::kTbIssued, [](Record& r) { r.slot = 0; }),
              Contains(HasSubstr("slot 0 is taken")));
}

TEST(LogChecker, NoKernelIssuesBetweenHandOverAndSetUp) {
  std::vector<Record> log = sound_log_until(60, {at(61, Kind::kTbIssued).on(0, 0).launched(0).tb(2)});
  log.erase(
      std::remove_if(log.begin(), log.end(), [](const Record& r) { return r.kind == Kind::kSmSetUp && r.cycle == 60; }),
      log.end());
  EXPECT_THAT(violations(log), Contains("cycle 61: tb_issued sm 0 launch 0 tb 2: issued before"));
  log.back().tb = 0;
  log.back().kind = Kind::kTbRestored;
  EXPECT_THAT(violations(log), Contains(HasSubstr("the SM is not owned by this kernel")));
}

// Each limit in turn is lowered to just what two TBs need, and then by one.
TEST(LogChecker, ResidentTbsStayWithinEveryLimit) {
  const LogFacts facts = test::small_machine();
  const KernelFacts& kernel = facts.kernels[0][0];
  const auto with = [&](const std::function<void(LogFacts&, KernelFacts&)>& change) {
    LogFacts changed = facts;
    for (auto& kernels : changed.kernels) change(changed, kernels[0]);
    return violations(test::sound_log(), changed);
  };
  EXPECT_THAT(with([&](LogFacts& f, KernelFacts&) { f.registers_per_sm = 2 * kernel.registers; }), IsEmpty());
  EXPECT_THAT(with([&](LogFacts& f, KernelFacts&) { f.registers_per_sm = 2 * kernel.registers - 1; }),
              Contains(HasSubstr("registers in use")));
  EXPECT_THAT(with([&](LogFacts& f, KernelFacts&) { f.max_threads_per_sm = 2 * kernel.threads; }), IsEmpty());
  EXPECT_THAT(with([&](LogFacts& f, KernelFacts&) { f.max_threads_per_sm = 2 * kernel.threads - 1; }),
              Contains(HasSubstr("threads")));
  const std::uint32_t shared_memory = 2 * kernel.shared_memory_bytes;
  EXPECT_THAT(with([&](LogFacts&, KernelFacts& k) { k.shared_memory_config_bytes = shared_memory; }), IsEmpty());
  EXPECT_THAT(with([&](LogFacts&, KernelFacts& k) { k.shared_memory_config_bytes = shared_memory - 1; }),
              Contains(HasSubstr("shared memory in use")));
  EXPECT_THAT(with([&](LogFacts&, KernelFacts& k) { k.tbs_per_sm = 1; }), Contains(HasSubstr("resident TBs")));
  EXPECT_THAT(with([&](LogFacts& f, KernelFacts&) { f.max_tbs_per_sm = 1; }),
              Contains(HasSubstr("there is no slot 1")));
}

TEST(LogChecker, ThePtbqHoldsAsManyTbsAsTheMachineRuns) {
  LogFacts facts = test::small_machine();
  facts.kernels[0][0].tbs_per_sm = 1;  // two SMs: two TBs
  EXPECT_THAT(violations(test::sound_log(), facts), Not(Contains(HasSubstr("PTBQ"))));
  facts.num_sms = 1;
  EXPECT_THAT(violations(test::sound_log(), facts), Contains(HasSubstr("2 preempted TBs, the PTBQ holds 1")));
}

TEST(LogChecker, AKernelIsArrivedThenActiveThenFinished) {
  EXPECT_THAT(violations_if(34, Kind::kKernelActivated, [](Record& r) { r.cycle = 29; }),
              Contains(HasSubstr("its kernel has not arrived")));
  EXPECT_THAT(violations_if(34, Kind::kKernelActivated, [](Record& r) { r.cycle = 61; }),
              Contains(HasSubstr("its kernel is not active")));
  EXPECT_THAT(violations_if(120, Kind::kKernelFinished, [](Record& r) { r.cycle = 119; }),
              Contains(HasSubstr("TB 1 is not finished")));
  EXPECT_THAT(violations_if(120, Kind::kKernelFinished, [](Record& r) { r.value = 2; }),
              Contains(HasSubstr("reports 2 TBs, it has 3")));
}

TEST(LogChecker, ALatencyCountsFromTheRequest) {
  EXPECT_THAT(violations_if(120, Kind::kPreemptionDone, [](Record& r) { ++r.cycles; }),
              Contains(HasSubstr("reports 11 cycles, the request was 10 ago")));
  EXPECT_THAT(violations_if(120, Kind::kPreemptionDone, [](Record& r) { r.technique = Technique::kContextSwitch; }),
              Contains(HasSubstr("requested was drain")));
}

TEST(LogChecker, AnSmThatWasHandedOverHasNobodyToPreempt) {
  std::vector<Record> log = sound_log_until(
      60, {at(61, Kind::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kContextSwitch)});
  log.erase(
      std::remove_if(log.begin(), log.end(), [](const Record& r) { return r.kind == Kind::kSmSetUp && r.cycle == 60; }),
      log.end());
  EXPECT_THAT(violations(log), Contains(HasSubstr("the SM was handed over")));
}

TEST(LogChecker, ADrainThatIsCancelledNeedsNoDone) {
  EXPECT_THAT(violations(sound_log_until(
                  85, {at(85, Kind::kKernelLeft).launched(0).kernel(0, 0).value(1).bytes(test::kSmallContext),
                       at(85, Kind::kKernelLeft).launched(1).kernel(1, 0)})),
              IsEmpty());
}

TEST(LogChecker, ARetargetToAnotherKernelLeavesThePreemptionOpen) {
  std::vector<Record> log = sound_log_until(84, {at(85, Kind::kPreemptionRetargeted).on(1).launched(0).value(1)});
  EXPECT_THAT(check_log(log, test::small_machine()).open_preemptions,
              testing::ElementsAre("cycle 80: preemption_requested sm 1 launch 0"));
}

TEST(LogChecker, AContextSwitchCannotBeCancelled) {
  std::vector<Record> log = sound_log_until(36, {at(37, Kind::kPreemptionRetargeted).on(0).launched(0).value(0)});
  EXPECT_THAT(check_log(log, test::small_machine()).open_preemptions,
              testing::ElementsAre("cycle 36: preemption_requested sm 0 launch 0"));
}

TEST(LogChecker, AnSmIsReleasedWithoutTbsAndWithoutAnOpenPreemption) {
  EXPECT_THAT(violations(sound_log_until(34, {at(35, Kind::kSmReleased).on(1).launched(0)})),
              Contains(HasSubstr("TB 2 of launch 0 is resident")));
  EXPECT_THAT(violations(sound_log_until(36, {at(37, Kind::kSmReleased).on(0).launched(0)})),
              Contains(HasSubstr("a preemption was requested and is not done")));
}

TEST(LogChecker, SavesThatStayOpenAreListed) {
  const std::uint64_t context = test::kSmallContext;
  const auto left = [&](std::uint64_t bytes) {
    return sound_log_until(60, {at(60, Kind::kKernelLeft).launched(0).kernel(0, 0).value(0).bytes(bytes),
                                at(60, Kind::kKernelLeft).launched(1).kernel(1, 0)});
  };
  const LogReport report = check_log(left(2 * context), test::small_machine());
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_EQ(report.open_saves, 2U);
  EXPECT_EQ(report.open_save_bytes, 2 * context);
  EXPECT_THAT(violations(left(context)), Contains(HasSubstr("saved and not restored")));
}

TEST(LogChecker, AKernelThatIsActiveAtTheEndIsListedWithItsFinishedTbs) {
  const auto left = [](std::uint64_t finished) {
    return sound_log_until(22, {at(23, Kind::kTbFinished).on(0, 0).launched(0).tb(0),
                                at(24, Kind::kKernelLeft).launched(0).kernel(0, 0).value(finished)});
  };
  EXPECT_THAT(violations(left(1)), IsEmpty());
  EXPECT_THAT(violations(left(2)), Contains(HasSubstr("reports 2 TBs finished, 1 did")));
  EXPECT_THAT(violations(sound_log_until(22, {})), Contains(HasSubstr("launch 0 neither finished nor left")));
}

TEST(LogChecker, RunsFollowOneAnother) {
  EXPECT_THAT(violations_if(101, Kind::kRunEnded, [](Record& r) { r.run = 1; }),
              Contains(HasSubstr("reports 101 cycles, it started 0 ago")));
  EXPECT_THAT(violations_if(101, Kind::kRunStarted, [](Record& r) { r.run = 2; }), Contains(HasSubstr("without gaps")));
  std::vector<Record> log = test::sound_log();
  log.erase(std::remove_if(log.begin(), log.end(), [](const Record& r) { return r.kind == Kind::kRunEnded; }),
            log.end());
  EXPECT_THAT(violations(log), Contains(HasSubstr("process 1 has several open runs")));
}

TEST(LogChecker, AnSmIsNotBusierThanTimePasses) {
  EXPECT_THAT(violations_if(60, Kind::kSmBusy, [](Record& r) { r.cycles = 44; }), IsEmpty());
  EXPECT_THAT(violations_if(60, Kind::kSmBusy, [](Record& r) { r.cycles = 45; }),
              Contains(HasSubstr("45 busy cycles within 44")));
}

TEST(LogChecker, SlotsRunAsLongAsTheirTbs) {
  EXPECT_THAT(violations_if(130, Kind::kSmSlots, [](Record& r) { r.cycles = 19; }),
              Contains(HasSubstr("its TBs ran for 18 cycles, not 19")));
  // TBs that are saved stood still for a while before.
  EXPECT_THAT(violations_if(60, Kind::kSmSlots, [](Record& r) { r.cycles = 40; }), IsEmpty());
  EXPECT_THAT(violations_if(60, Kind::kSmSlots, [](Record& r) { r.cycles = 80, r.bytes = 0; }),
              Contains(HasSubstr("its TBs ran for 79 cycles, not 80")));
  EXPECT_THAT(violations_if(130, Kind::kSmSlots, [](Record& r) { r.value = 27; }),
              Contains(HasSubstr("45 cycles of slots within 44")));
  EXPECT_THAT(violations_if(130, Kind::kSmSlots, [](Record& r) { r.slot = 3; }),
              Contains(HasSubstr("3 slots, there are 2")));
}

// The simulation ends while the TBs of SM 0, which stand still since cycle 50, are being saved.
TEST(LogChecker, SlotsOfAnSmThatIsBeingSavedAtTheEndMayHaveStoodStill) {
  EXPECT_THAT(violations(sound_log_until(55, {at(55, Kind::kSmSlots).on(0, 2).launched(0).cycles(59).bytes(10),
                                              at(55, Kind::kKernelLeft).launched(0).kernel(0, 0),
                                              at(55, Kind::kKernelLeft).launched(1).kernel(1, 0)})),
              IsEmpty());
}

TEST(LogChecker, ARecordOfSomethingThatDoesNotExistIsNoticed) {
  EXPECT_THAT(violations({at(1, Kind::kRunStarted).process(2).run(0)}), Contains(HasSubstr("no such process")));
  EXPECT_THAT(violations({at(1, Kind::kKernelArrived).launched(0).kernel(0, 1).run(0)}),
              Contains(HasSubstr("there is no kernel 1")));
  EXPECT_THAT(violations_if(16, Kind::kSmSetUp, [](Record& r) { r.sm = 2; }), Contains(HasSubstr("no such SM")));
  EXPECT_THAT(violations_if(20, Kind::kTbIssued, [](Record& r) { r.tb = 3; }), Contains(HasSubstr("no such TB")));
}

TEST(LogChecker, FactsComeFromTheSpec) {
  spec::Spec spec;
  spec.gpu.num_sms = 13;
  spec.gpu.max_tbs_per_sm = 16;
  spec.gpu.max_threads_per_sm = 2048;
  spec.gpu.registers_per_sm = 65536;
  spec.gpu.shared_memory_bytes = {16384, 32768, 49152};
  spec::KernelSpec kernel;  // [T14] Table 1, lbm StreamCollide: 15 TBs per SM by registers
  kernel.num_tbs = 18000;
  kernel.regs_per_tb = 4320;
  kernel.threads_per_tb = 120;
  spec.applications = {{"lbm", {kernel}, {}}};
  spec.processes.resize(1);
  const LogFacts facts = make_log_facts(spec);
  ASSERT_EQ(facts.kernels.size(), 1U);
  EXPECT_EQ(facts.kernels[0][0].tbs_per_sm, 15U);
  EXPECT_EQ(facts.kernels[0][0].num_tbs, kernel.num_tbs);
  EXPECT_EQ(facts.kernels[0][0].context_bytes, 4U * kernel.regs_per_tb);
  EXPECT_EQ(facts.kernels[0][0].shared_memory_config_bytes, spec.gpu.shared_memory_bytes.front());
  EXPECT_EQ(facts.num_sms, spec.gpu.num_sms);
}

}  // namespace
}  // namespace tessera::verification
