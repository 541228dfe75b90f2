// SPDX-License-Identifier: Apache-2.0
// Each invariant is reported when it is broken on purpose, with the cycle, and the others stay quiet.
#include <algorithm>

#include "model/spec/policies.h"
#include "tests/tlm/core_bench.h"
#include "tlm/execution_engine/sm_control/ideal_driver.h"

namespace tessera::tlm_model::test {
namespace {

using record::Invariant;
using record::InvariantMonitor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr KsrId kKsr{1};
constexpr Cycle kNow = 77;

InvariantMonitor monitor_of_three_tbs() {
  InvariantMonitor monitor(4, {1000, 100, 64, 4});
  monitor.kernel_activated(kKsr, 3);
  monitor.set_now(kNow);
  return monitor;
}

std::vector<std::string> broken(const InvariantMonitor& monitor) {
  std::vector<std::string> names;
  for (const auto& [name, verdict] : monitor.verdicts()) {
    if (verdict == "ok") continue;
    names.push_back(name);
    EXPECT_THAT(verdict, testing::StartsWith("cycle " + std::to_string(kNow) + ": "));
  }
  EXPECT_EQ(monitor.all_hold(), names.empty());
  return names;
}

// ---- the life of a TB ------------------------------------------------------------------------------------------

TEST(InvariantMonitor, ASoundLifeIsQuiet) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  for (std::uint32_t tb = 0; tb < 3; ++tb) monitor.tb_issued(kKsr, tb);
  monitor.tb_saved(kKsr, 1);
  monitor.tb_restored(kKsr, 1);
  for (std::uint32_t tb = 0; tb < 3; ++tb) monitor.tb_finished(kKsr, tb);
  monitor.kernel_finished(kKsr);
  EXPECT_THAT(broken(monitor), IsEmpty());
}

TEST(InvariantMonitor, ATbThatFinishesTwiceIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_issued(kKsr, 0);
  monitor.tb_finished(kKsr, 0);
  EXPECT_THAT(broken(monitor), IsEmpty());
  monitor.tb_finished(kKsr, 0);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_finishes_once"));
}

TEST(InvariantMonitor, ATbThatFinishesWithoutHavingRunIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_finished(kKsr, 2);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_finishes_once"));
}

TEST(InvariantMonitor, AKernelThatFinishesWithoutOneOfItsTbsIsReported) {
  for (const std::uint32_t num_tbs : {1U, 31U, 32U, 33U, 64U}) {  // 32 TBs share a word
    for (const std::uint32_t missing : {0U, num_tbs - 1}) {
      InvariantMonitor monitor = monitor_of_three_tbs();
      monitor.kernel_activated(kKsr, num_tbs);
      for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
        monitor.tb_issued(kKsr, tb);
        if (tb != missing) monitor.tb_finished(kKsr, tb);
      }
      monitor.kernel_finished(kKsr);
      EXPECT_THAT(broken(monitor), ElementsAre("tb_finishes_once")) << num_tbs << " without " << missing;
    }
  }
}

TEST(InvariantMonitor, ATbThatIsIssuedAgainWithoutASaveIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_issued(kKsr, 0);
  monitor.tb_issued(kKsr, 0);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_reissued_only_if_saved"));
}

TEST(InvariantMonitor, ARestoreWithoutASaveIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_restored(kKsr, 0);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_reissued_only_if_saved"));
}

TEST(InvariantMonitor, ASaveOfATbThatDoesNotRunIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_saved(kKsr, 0);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_reissued_only_if_saved"));
}

TEST(InvariantMonitor, ATbTheKernelDoesNotHaveIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.tb_issued(kKsr, 3);
  EXPECT_THAT(broken(monitor), ElementsAre("tb_reissued_only_if_saved"));
}

TEST(InvariantMonitor, OnlyTheFirstViolationIsKept) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.violated(Invariant::kContextIntact, "first");
  monitor.violated(Invariant::kContextIntact, "second");
  const auto verdicts = monitor.verdicts();
  const auto verdict = std::find_if(verdicts.begin(), verdicts.end(),
                                    [](const auto& v) { return v.first == to_string(Invariant::kContextIntact); });
  ASSERT_NE(verdict, verdicts.end());
  EXPECT_EQ(verdict->second, "cycle 77: first");
}

// ---- SMs and PTBQs ---------------------------------------------------------------------------------------------

TEST(InvariantMonitor, ResidentTbsBeyondAnyResourceAreReported) {
  constexpr std::uint32_t kResident = 2;
  const record::SmUse fits{500, 50, 32, 1};
  InvariantMonitor good = monitor_of_three_tbs();
  good.check_residents(SmId{0}, kResident, fits);
  good.check_residents(SmId{0}, 4, {0, 0, 0, 1});
  EXPECT_THAT(broken(good), IsEmpty());
  const record::SmUse too_much[] = {{501, 50, 32, 1}, {500, 51, 32, 1}, {500, 50, 33, 1}};
  for (const record::SmUse& use : too_much) {
    InvariantMonitor monitor = monitor_of_three_tbs();
    monitor.check_residents(SmId{0}, kResident, use);
    EXPECT_THAT(broken(monitor), ElementsAre("sm_resources"));
  }
  InvariantMonitor slots = monitor_of_three_tbs();
  slots.check_residents(SmId{0}, 5, {0, 0, 0, 1});
  EXPECT_THAT(broken(slots), ElementsAre("sm_resources"));
}

TEST(InvariantMonitor, APtbqBeyondItsBoundIsReported) {
  InvariantMonitor monitor = monitor_of_three_tbs();
  monitor.check_ptbq(kKsr, 26, 26);
  EXPECT_THAT(broken(monitor), IsEmpty());
  monitor.check_ptbq(kKsr, 27, 26);
  EXPECT_THAT(broken(monitor), ElementsAre("ptbq_bound"));
}

// ---- tables ----------------------------------------------------------------------------------------------------

struct BrokenTables {
  BrokenTables() {
    policy::KsrEntry entry;
    entry.tbs.total = 10;
    entry.tbs_per_sm = 1;
    entry.tokens = 1;
    for (const KsrId id : {first, second}) tables.activate(id, CommandBufferId{0}, entry);
    tables.assign(SmId{0}, first);
    tables.assign(SmId{1}, second);
    tables.reserve(SmId{1}, first);
  }
  std::vector<std::string> verdict() {
    InvariantMonitor monitor = monitor_of_three_tbs();
    monitor.check_tables(tables);
    return broken(monitor);
  }
  const KsrId first{0}, second{1};
  policy::SchedulingTables tables{3, 2, 1};
};

TEST(InvariantMonitor, SoundTablesAreQuiet) { EXPECT_THAT(BrokenTables().verdict(), IsEmpty()); }

TEST(InvariantMonitor, ATokenThatIsLostIsReported) {
  BrokenTables lost_owned;
  --lost_owned.tables.ksr(lost_owned.first).owned_sms;
  EXPECT_THAT(lost_owned.verdict(), ElementsAre("tokens_conserved"));
  BrokenTables doubled_reserved;
  ++doubled_reserved.tables.ksr(doubled_reserved.first).reserved_sms;
  EXPECT_THAT(doubled_reserved.verdict(), ElementsAre("tokens_conserved"));
}

TEST(InvariantMonitor, AnSmThatRunsAFinishedKernelIsReported) {
  BrokenTables broken_tables;
  broken_tables.tables.deactivate(broken_tables.first);
  EXPECT_THAT(broken_tables.verdict(), ElementsAre("sm_has_one_owner"));
}

TEST(InvariantMonitor, AnIdleSmThatHoldsTbsIsReported) {
  BrokenTables broken_tables;
  broken_tables.tables.add_resident(SmId{2});
  EXPECT_THAT(broken_tables.verdict(), ElementsAre("sm_has_one_owner"));
}

// ---- what only the scheduler sees --------------------------------------------------------------------------------

// A scheduler whose policy was never asked: the tables are filled behind its back.
struct IdleScheduler {
  explicit IdleScheduler(const spec::SchedulerSpec& scheduler_spec, std::uint32_t num_sms) {
    spec = tiny_machine(num_sms, 2);
    spec.scheduler = scheduler_spec;
  }
  KsrId add(std::uint16_t context, std::uint32_t priority, std::int32_t tokens) {
    policy::KsrEntry entry;
    entry.context = ContextId(context);
    entry.priority = priority;
    entry.tbs.total = 10;
    entry.tbs_per_sm = 1;
    entry.tokens = tokens;
    const KsrId id = tables.lowest_free_ksr();
    tables.activate(id, CommandBufferId{0}, entry);
    return id;
  }
  void own(KsrId id, SmId sm) {
    tables.assign(sm, id);
    tables.add_resident(sm);
  }
  std::vector<std::string> verdict() {
    EventTree timers(spec.gpu.num_sms + 3);
    record::RecordLog log;
    InvariantMonitor monitor = monitor_of_three_tbs();
    SmParts parts(spec, tables, timers, log, &monitor, nullptr);
    IdealDriver driver(parts);
    Scheduler scheduler(parts, driver, {spec.gpu.num_sms + 2, spec.gpu.num_sms + 1});
    scheduler.check_steady_state();
    return broken(monitor);
  }
  spec::Spec spec;
  policy::SchedulingTables tables{2, 4, 1};
};

spec::SchedulerSpec scheduler(spec::PolicyKind policy, spec::Access access = spec::Access::kExclusive) {
  spec::SchedulerSpec spec;
  spec.policy = policy;
  spec.access = access;
  return spec;
}

TEST(InvariantMonitor, ANeedlesslyIdleSmIsReported) {
  for (const auto policy : spec::policies_of(spec::Cores::kTlm)) {
    IdleScheduler s(scheduler(policy), 2);
    s.own(s.add(0, 0, 1), SmId{0});
    EXPECT_THAT(s.verdict(), ElementsAre("no_needless_idle_sm"));
    s.own(KsrId{0}, SmId{1});
    EXPECT_THAT(s.verdict(), IsEmpty());
  }
}

TEST(InvariantMonitor, AnSmThatExclusiveAccessKeepsFromAKernelMayBeIdle) {
  const auto urgent_needs_nothing = [](spec::Access access) {
    IdleScheduler s(scheduler(spec::PolicyKind::kPpq, access), 2);
    const KsrId urgent = s.add(0, 1, 0);
    s.tables.ksr(urgent).tbs.total = 0;
    s.add(1, 0, 0);
    return s.verdict();
  };
  EXPECT_THAT(urgent_needs_nothing(spec::Access::kExclusive), IsEmpty());
  EXPECT_THAT(urgent_needs_nothing(spec::Access::kShared), ElementsAre("no_needless_idle_sm"));
}

TEST(InvariantMonitor, AStarvingKernelIsReportedUnderDssWhileBudgetsFit) {
  const auto verdict = [](spec::PolicyKind policy, std::int32_t tokens_of_holder, std::int32_t tokens_of_starved) {
    IdleScheduler s(scheduler(policy), 2);
    const KsrId holder = s.add(0, 0, tokens_of_holder);
    s.add(1, 0, tokens_of_starved);
    s.own(holder, SmId{0});
    s.own(holder, SmId{1});
    return s.verdict();
  };
  EXPECT_THAT(verdict(spec::PolicyKind::kDss, 1, 1), ElementsAre("no_starvation"));
  EXPECT_THAT(verdict(spec::PolicyKind::kDss, 2, 0), IsEmpty());  // without a token it may wait
  EXPECT_THAT(verdict(spec::PolicyKind::kDss, 2, 1), IsEmpty());  // the machine has too few SMs
  EXPECT_THAT(verdict(spec::PolicyKind::kPpq, 1, 1), IsEmpty());
}

TEST(InvariantMonitor, AKernelMayWaitForAnSmThatIsBeingEmptiedForNobody) {
  IdleScheduler s(scheduler(spec::PolicyKind::kDss), 2);
  const KsrId holder = s.add(0, 0, 1);
  const KsrId finished = s.add(0, 0, 0);
  s.add(1, 0, 1);
  s.own(holder, SmId{0});
  s.own(holder, SmId{1});
  s.tables.reserve(SmId{1}, finished);
  EXPECT_THAT(s.verdict(), ElementsAre("no_starvation"));
  s.tables.deactivate(finished);
  EXPECT_THAT(s.verdict(), IsEmpty());
}

}  // namespace
}  // namespace tessera::tlm_model::test
