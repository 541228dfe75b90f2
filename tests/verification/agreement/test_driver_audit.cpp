// SPDX-License-Identifier: Apache-2.0
// Is each record of a driver what it decides? The timelines of the readings are; each fault that is seeded in them is
// found.
#include "tests/model/record/driver/support.h"
#include "tests/verification/agreement/support.h"
#include "verification/agreement/driver_audit.h"
#include "verification/agreement/measured_charges.h"

namespace tessera::verification::agreement_test {
namespace {

using namespace record::test;

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

// docs/hardware/timing.md 3.9: one pulse for all SMs of an assign, after the last: 32 of them from 41 to 141.
TEST(MeasuredCharges, CountSmsOfAnAssignFromItsLastOneOn) {
  constexpr std::uint16_t kSms = 32;
  Log log = {at(5, Kind::kKernelArrived).launched(0).kernel(1, 0).run(0)};
  for (std::uint16_t sm = 0; sm < kSms; ++sm) {
    log.push_back(at(10 + sm, Kind::kSmSetUp).on(sm).launched(0).kernel(1, 0));
    log.push_back(at(41 + 100, Kind::kSmReleased).on(sm).launched(0));
  }
  log.push_back(done(201, 1, 0, 100));
  EXPECT_THAT(wrong_measured_charges(sorted(log), kSms), IsEmpty());
}

}  // namespace
}  // namespace tessera::verification::agreement_test
