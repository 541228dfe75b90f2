// SPDX-License-Identifier: Apache-2.0
// Drivers that hold groups back, in two logs: what they may decide otherwise, and what they may not.
#include "model/record/checks/agreement/driver_audit.h"
#include "model/record/checks/agreement/measured_charges.h"
#include "tests/model/test_record_agreement_support.h"
#include "tests/model/test_record_driver_support.h"

namespace tessera::record::agreement_test {
namespace {

using namespace test;

// ---- one log by itself -------------------------------------------------------------------------------------------

constexpr Picoseconds kCycle = 1'000;

spec::TimegraphEntry line_of(const std::string& name, std::uint32_t priority) {
  spec::TimegraphEntry entry;
  entry.name = name;
  entry.priority = priority;
  return entry;
}

// Processes that launch one kernel again and again, on a machine of 1 GHz. A driver takes two cycles, so that doorbells
// ring a cycle after the record.
spec::Spec experiment(std::size_t num_processes, std::vector<spec::TimegraphEntry> entries) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;
  spec.applications.resize(1);
  spec.applications[0].name = "a";
  spec.applications[0].kernels.resize(1);
  spec.applications[0].program.emplace_back(spec::Launch{});
  for (std::size_t i = 0; i < num_processes; ++i) spec.processes.emplace_back().name = "p" + std::to_string(i);
  spec.driver.kind = spec::DriverKind::kTimegraph;
  spec.driver.entries = std::move(entries);
  spec.driver.arrival = spec.driver.completion = 2 * kCycle;
  return spec;
}

// Of prt_log and ht_log.
spec::Spec three_processes(spec::GroupDispatch dispatch) {
  std::vector<spec::TimegraphEntry> entries = {line_of("p0", 3), line_of("p1", 2), line_of("p2", 1)};
  for (spec::TimegraphEntry& entry : entries) entry.dispatch = dispatch;
  return experiment(3, entries);
}

// Of pe_log.
spec::Spec one_budget() {
  spec::TimegraphEntry entry = line_of("p0", 1);
  entry.reservation = spec::Reservation::kPosterior;
  entry.capacity = 40 * kCycle;
  entry.period = 100 * kCycle;
  return experiment(2, {entry, line_of("p1", 0)});
}

DriverReport audit(const spec::Spec& spec, const Log& log) {
  DriverAudit audit(spec);
  for (const Record& record : sorted(log)) audit.consume(record);
  audit.finish(log.back().cycle + 1);
  return audit.report();
}

TEST(DriverAudit, TheTimelinesOfTheReadingsAreWhatTheDriverDecides) {
  const DriverReport prt = audit(three_processes(spec::GroupDispatch::kPrt), prt_log());
  EXPECT_THAT(prt.faults, IsEmpty());
  EXPECT_EQ(prt.decisions, 5U);  // a submission each
  const DriverReport ht = audit(three_processes(spec::GroupDispatch::kHt), ht_log());
  EXPECT_THAT(ht.faults, IsEmpty());
  EXPECT_EQ(ht.decisions, 5U);
  const DriverReport pe = audit(one_budget(), pe_log());
  EXPECT_THAT(pe.faults, IsEmpty());
  EXPECT_EQ(pe.decisions, 8U);  // four submissions, a suspension, three replenishments
}

TEST(DriverAudit, OneDisciplineIsNotTheOther) {
  EXPECT_EQ(audit(three_processes(spec::GroupDispatch::kHt), prt_log()).num_faults, 1U);
  EXPECT_EQ(audit(three_processes(spec::GroupDispatch::kPrt), ht_log()).num_faults, 1U);
}

// At 14 LP is submitted in the place of MP, which is more urgent.
TEST(DriverAudit, AnotherGroupThatIsSubmittedIsAFault) {
  const Log swapped = with(prt_log(), submitted(14, 1, 1), submitted(14, 2, 3));
  EXPECT_THAT(audit(three_processes(spec::GroupDispatch::kPrt), swapped).faults,
              ElementsAre(HasSubstr("cycle 14: group_submitted process 2 group 3")));
}

TEST(DriverAudit, AWrongChargeIsAFault) {
  const Log wrong = with(pe_log(), done(81, 0, 1, 50), done(81, 0, 1, 49));
  EXPECT_THAT(audit(one_budget(), wrong).faults, ElementsAre(HasSubstr("cycle 81: group_done process 0 group 1: 49")));
}

// At 104 the budget is 10 less nothing yet.
TEST(DriverAudit, ASuspensionWithBudgetLeftIsAFault) {
  EXPECT_THAT(audit(one_budget(), and_also(pe_log(), {suspended(104, 0, 3)})).faults,
              ElementsAre(HasSubstr("cycle 104: group_suspended process 0 group 3")));
}

TEST(DriverAudit, AMissingSuspensionOrReplenishmentIsAFault) {
  EXPECT_EQ(audit(one_budget(), without(pe_log(), suspended(91, 0, 2))).num_faults, 1U);
  EXPECT_THAT(audit(one_budget(), without(pe_log(), replenished(201, 0, 7))).faults,
              ElementsAre(HasSubstr("a replenishment was due at cycle 200")));
}

TEST(DriverAudit, ADoorbellThatRingsAtAnotherTimeIsAFault) {
  Record late = submitted(31, 0, 1);
  late.bytes = 2;
  EXPECT_EQ(audit(one_budget(), with(pe_log(), submitted(31, 0, 1), late)).num_faults, 1U);
}

TEST(DriverAudit, ACompletionOfNobodyIsAFault) {
  EXPECT_THAT(audit(one_budget(), with(pe_log(), done(81, 0, 1, 50), done(81, 0, 7, 50))).faults,
              ElementsAre(HasSubstr("it is not on the GPU")));
}

TEST(DriverAudit, WithoutADriverThatHoldsGroupsBackNothingIsJudged) {
  spec::Spec spec = one_budget();
  spec.driver = {};
  EXPECT_EQ(audit(spec, pe_log()).decisions, 0U);
}

TEST(DriverAudit, AFaultOfEitherLogIsUnexplained) {
  LogFindings faulty;
  faulty.driver = audit(one_budget(), with(pe_log(), done(81, 0, 1, 50), done(81, 0, 1, 49)));
  EXPECT_EQ(compare_logs({}, {}, faulty, {}).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs({}, {}, {}, faulty).verdict, Verdict::kUnexplained);
}

// Two SMs, of which the process has one from 10 to 110: 100 SM cycles, 50 of the whole GPU. Its two moves leave ten SM
// cycles of doubt.
TEST(MeasuredCharges, AreTheSmCyclesOfTheLog) {
  const auto charged = [](Cycle cycles) {
    const Log log = {at(5, Kind::kKernelArrived).launched(0).kernel(1, 0).run(0),
                     at(10, Kind::kSmSetUp).on(0).launched(0).kernel(1, 0),
                     at(110, Kind::kSmReleased).on(0).launched(0), done(201, 1, 0, cycles)};
    return wrong_measured_charges(sorted(log), 2);
  };
  for (const Cycle right : {45, 50, 55}) EXPECT_THAT(charged(right), IsEmpty()) << right;
  for (const Cycle wrong : {0, 44, 56, 100}) EXPECT_THAT(charged(wrong), ElementsAre(HasSubstr("it used 50"))) << wrong;
}

// ---- two logs ----------------------------------------------------------------------------------------------------

// Process 0 has the GPU first, 1 and 2 wait.
Log three_wait() {
  return {at(0, Kind::kRunStarted).process(0).run(0),
          at(0, Kind::kRunStarted).process(1).run(0),
          at(0, Kind::kRunStarted).process(2).run(0),
          arrived(11, 0, 0),
          submitted(11, 0, 0),
          arrived(12, 1, 1),
          arrived(13, 2, 2)};
}

TEST(DriverDecisions, LogsThatSayTheSameAgree) {
  const Log log = sorted(and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1)}));
  const Agreement agreement = compare_logs(log, log);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.driver.decisions, 2U);
  EXPECT_FALSE(agreement.driver.differs);
}

// Nothing tells the two drivers apart until one of them submits another group.
TEST(DriverDecisions, AnotherGroupOnEqualInputsIsUnexplained) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Agreement agreement = compare_logs(sorted(and_also(before, {submitted(1012, 1, 1)})),
                                           sorted(and_also(before, {submitted(1012, 2, 2)})));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_TRUE(agreement.driver.differs);
  EXPECT_FALSE(agreement.driver.is_explained);
  EXPECT_EQ(agreement.driver.first_difference,
            "process 1 group 0 is submitted in tlm at cycle 1012, where process 2 group 0 is submitted in clocked at "
            "1012");
}

TEST(DriverDecisions, ASuspensionOnEqualInputsIsUnexplained) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Agreement agreement = compare_logs(sorted(and_also(before, {submitted(1012, 1, 1)})),
                                           sorted(and_also(before, {suspended(1012, 1, 1), submitted(1012, 2, 2)})));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
}

// The group ends five cycles later in the clocked log, which is within the tolerance, and so behind a replenishment.
TEST(DriverDecisions, AReplenishmentThatComesFirstInOneLogExplainsWhatFollows) {
  const Log tlm = and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1), replenished(1014, 0, 40)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1017, 0, 0, 1005), submitted(1017, 2, 2)});
  const Agreement agreement = compare_logs(sorted(tlm), sorted(clocked));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.what_is_wrong, IsEmpty());
  EXPECT_EQ(agreement.driver.explanation, "process 0 group 0 is done +5 cycles later in clocked");
  EXPECT_EQ(agreement.explanation, agreement.driver.explanation);
}

// The same, but what the driver was told is itself beyond the tolerance, and nothing says why.
TEST(DriverDecisions, AreNotExplainedByWhatIsItselfUnexplained) {
  const Log tlm = and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1), replenished(1014, 0, 40)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1512, 0, 0, 1500), submitted(1512, 2, 2)});
  const Agreement agreement = compare_logs(sorted(tlm), sorted(clocked));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_is_wrong,
              ElementsAre("process 0 group 0 is on the GPU for 1000 cycles in tlm, 1500 in clocked"));
}

// ---- what a driver was told --------------------------------------------------------------------------------------

Agreement with_group_of(Cycle tlm, Cycle clocked, const Log& more_in_clocked = {}) {
  return compare_logs(sorted(and_also(three_wait(), {done(12 + tlm, 0, 0, tlm)})),
                      sorted(and_also(and_also(three_wait(), {done(12 + clocked, 0, 0, clocked)}), more_in_clocked)));
}

TEST(DriverInputs, AGroupsTimeOnTheGpuMayDifferByTheToleranceOfATurnaround) {
  EXPECT_THAT(with_group_of(kShort, kShort + turnaround_tolerance(kShort)).what_is_wrong, IsEmpty());
  EXPECT_EQ(with_group_of(kShort, kShort + turnaround_tolerance(kShort) + 1).verdict, Verdict::kUnexplained);
  EXPECT_EQ(with_group_of(kShort + turnaround_tolerance(kShort) + 1, kShort).verdict, Verdict::kUnexplained);
}

TEST(DriverInputs, AnEventInsideADecisionExplainsAGroupsTime) {
  EXPECT_THAT(with_group_of(kShort, 2 * kShort, decision(490, 510) + tb_finishes_at(500)).what_is_wrong, IsEmpty());
  EXPECT_FALSE(with_group_of(kShort, 2 * kShort, decision(2490, 2510) + tb_finishes_at(2500)).what_is_wrong.empty());
}

// Process 1 joins it, in the clocked log seven cycles later.
TEST(DriverInputs, AGroupBesideItThatComesAtAnotherDistanceExplainsAGroupsTime) {
  const auto log = [](Cycle joins, Cycle takes) {
    return sorted(and_also(three_wait(), {submitted(joins, 1, 1), done(12 + takes, 0, 0, takes)}));
  };
  EXPECT_THAT(compare_logs(log(500, kShort), log(507, 2 * kShort)).what_is_wrong, IsEmpty());
  EXPECT_FALSE(compare_logs(log(500, kShort), log(500, 2 * kShort)).what_is_wrong.empty());
}

TEST(DriverInputs, AChargeThatDiffersByMoreThanTheTimesIsWrong) {
  const auto charged = [](Cycle cycles) { return sorted(and_also(three_wait(), {done(1012, 0, 0, cycles)})); };
  const Agreement agreement = compare_logs(charged(1000), charged(800));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_is_wrong, ElementsAre("process 0 group 0 is charged 1000 cycles in tlm, 800 in clocked"));
}

// A process goes on when its group is done, or when its doorbell rings: no cycle earlier or later.
TEST(DriverInputs, AGroupArrivesAsLateAsWhatItFollows) {
  const auto log = [](Cycle ends, Cycle next) {
    return sorted(and_also(three_wait(), {done(ends, 0, 0, ends - 12), arrived(next, 0, 3)}));
  };
  EXPECT_THAT(compare_logs(log(1000, 1200), log(1030, 1230)).what_is_wrong, IsEmpty());
  EXPECT_THAT(compare_logs(log(1000, 1200), log(1030, 1200)).what_is_wrong, IsEmpty());  // it did not wait for that
  EXPECT_THAT(
      compare_logs(log(1000, 1200), log(1030, 1231)).what_is_wrong,
      ElementsAre("process 0 group 1 arrives at cycle 1200 in tlm, 1231 in clocked, what it follows +0 to +30"));
  EXPECT_FALSE(compare_logs(log(1000, 1200), log(1030, 1199)).what_is_wrong.empty());
}

TEST(DriverInputs, AGroupThatNeverArrivesIsWrongWhereWhatItFollowsHasCome) {
  const Log before = and_also(three_wait(), {done(1000, 0, 0, 988)});
  const Log tlm = and_also(before, {arrived(1200, 0, 3)});
  EXPECT_FALSE(compare_logs(sorted(tlm), sorted(before) + ends_at(9000)).what_is_wrong.empty());
  EXPECT_THAT(compare_logs(sorted(tlm), sorted(before) + ends_at(1250)).what_is_wrong, IsEmpty());
}

TEST(DriverInputs, AGroupThatIsNeverDoneIsWrong) {
  const Log tlm = and_also(three_wait(), {done(1000, 0, 0, 988)});
  EXPECT_FALSE(compare_logs(sorted(tlm), sorted(three_wait()) + ends_at(9000)).what_is_wrong.empty());
  EXPECT_THAT(compare_logs(sorted(tlm), sorted(three_wait()) + ends_at(1010)).what_is_wrong, IsEmpty());
}

// Four groups with a kernel each, which is told of so many cycles after its end.
Agreement with_interrupts(Cycle in_tlm, Cycle in_clocked) {
  const auto log = [](Cycle interrupt) {
    Log records = {at(0, Kind::kRunStarted).process(0).run(0)};
    Cycle now = 100;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Cycle told = now + 40 + kShort + interrupt;
      records = and_also(and_also(records, {arrived(now, 0, i), submitted(now, 0, i), done(told, 0, i, told - now)}),
                         log_of({i, 0, now + 40, kShort}));
      now = told + 300;
    }
    return sorted(records);
  };
  return compare_logs(log(in_tlm), log(in_clocked));
}

TEST(DriverInputs, AnInterruptThatComesLateAgainAndAgainIsWrongWithinTheToleranceToo) {
  EXPECT_THAT(with_interrupts(50, 58).what_is_wrong, IsEmpty());
  EXPECT_THAT(with_interrupts(50, 59).what_is_wrong,
              ElementsAre("a group is told of after its kernel 50 cycles later in tlm, 59 in clocked"));
}

// ---- what follows ------------------------------------------------------------------------------------------------

// From a kernel's end to the next it takes longer in the clocked log, again and again: a fault, but where the driver
// held the group back.
TEST(DriverAgreement, AKernelThatItsDriverHeldMayComeLater) {
  const auto log = [](bool has_driver, Cycle gap) {
    Log records = {at(0, Kind::kRunStarted).process(0).run(0)};
    Cycle arrives = 100;
    Cycle now = 200;
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Cycle told = now + kShort + 9;
      records = and_also(records, log_of({i, 0, now, kShort}));
      if (has_driver)
        records =
            and_also(records, {arrived(arrives, 0, i), submitted(now - 40, 0, i), done(told, 0, i, told - now + 40)});
      arrives = told + 91;
      now += kShort + gap;
    }
    return sorted(records);
  };
  EXPECT_THAT(compare_logs(log(false, 500), log(false, 540)).what_is_wrong,
              ElementsAre("a kernel arrives 500 cycles after the last one's end in tlm, 540 in clocked"));
  EXPECT_THAT(compare_logs(log(true, 500), log(true, 540)).what_is_wrong, IsEmpty());
}

// The clocked log ends while the group is held back; the other lets its kernel arrive long before.
TEST(DriverAgreement, AKernelWhoseGroupIsHeldBackNeedNotArrive) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Log kernel = {arrival({0, 1, 1100, kShort})};
  const Log tlm = and_also(before, {submitted(1012, 1, 1), replenished(1014, 0, 40), done(2012, 1, 1, 1000)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1015, 0, 0, 1003), suspended(1015, 1, 1)});
  const Agreement agreement = compare_logs(sorted(and_also(tlm, kernel)), sorted(clocked) + ends_at(20'000));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.what_differs, ElementsAre(HasSubstr("kernel_arrived at cycle 1100 in tlm")));
}

}  // namespace
}  // namespace tessera::record::agreement_test
