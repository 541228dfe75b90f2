// SPDX-License-Identifier: Apache-2.0
// The log of a driver that holds groups back: sound ones pass, and a group whose life cannot be is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/driver/support.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using namespace test;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> prt_violations(const std::vector<Record>& log) {
  return violations(log, machine_with(three_tasks(cs::Dispatch::kPrt)));
}
std::vector<std::string> ht_violations(const std::vector<Record>& log) {
  return violations(log, machine_with(three_tasks(cs::Dispatch::kHt)));
}

TEST(DriverLog, TheTimelinesOfTheReadingsAreSound) {
  EXPECT_THAT(prt_violations(prt_log()), IsEmpty());
  EXPECT_THAT(ht_violations(ht_log()), IsEmpty());
  EXPECT_THAT(violations(pe_log(), machine_with(one_reserve(false))), IsEmpty());
  EXPECT_THAT(violations(ae_log(), machine_with(one_reserve(true))), IsEmpty());
}

TEST(DriverLog, HasNoRecordOfADriverThatHoldsNothingBack) {
  EXPECT_THAT(violations({arrived(1, 0, 0)}), Contains(HasSubstr("group_arrived process 0: the driver holds nothing")));
}

TEST(DriverLog, NumbersGroupsInOrderOfArrival) {
  EXPECT_THAT(prt_violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(2, 1, 2)}),
              Contains(HasSubstr("cycle 2: group_arrived process 1: group 2 arrives, the next one is 1")));
  EXPECT_THAT(prt_violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(2, 1, 0)}),
              Contains(HasSubstr("group 0 arrives, the next one is 1")));
}

TEST(DriverLog, LetsOneGroupOfAProcessWait) {
  EXPECT_THAT(prt_violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(2, 1, 1), arrived(3, 1, 2)}),
              Contains(HasSubstr("cycle 3: group_arrived process 1: group 1 of its process waits")));
}

TEST(DriverLog, SubmitsGroupsThatWait) {
  EXPECT_THAT(prt_violations(without(prt_log(), arrived(7, 2, 3))),
              Contains(HasSubstr("cycle 19: group_submitted process 2: group 3 does not wait")));
  EXPECT_THAT(ht_violations(and_also(ht_log(), {submitted(11, 0, 2)})),
              Contains(HasSubstr("cycle 11: group_submitted process 0: group 2 does not wait")));
}

TEST(DriverLog, SuspendsGroupsThatWait) {
  EXPECT_THAT(violations(and_also(pe_log(), {suspended(111, 0, 3)}), machine_with(one_reserve(false))),
              Contains(HasSubstr("cycle 111: group_suspended process 0: group 3 does not wait")));
}

TEST(DriverLog, EndsGroupsThatAreOnlineAndOnce) {
  EXPECT_THAT(prt_violations(without(prt_log(), submitted(19, 2, 3))),
              Contains(HasSubstr("cycle 22: group_done process 2: group 3 is not online")));
  EXPECT_THAT(prt_violations(and_also(prt_log(), {done(23, 2, 3, 1)})),
              Contains(HasSubstr("cycle 23: group_done process 2: group 3 is not online")));
}

TEST(DriverLog, EndsGroupsOfAProcessInOrderWhereItHasOneStream) {
  // HP's second group, submitted at 12, ends before its first.
  const std::vector<Record> log =
      with(with(ht_log(), done(14, 0, 2, 4), done(14, 0, 4, 2)), done(17, 0, 4, 3), done(17, 0, 2, 3));
  EXPECT_THAT(
      ht_violations(log),
      testing::ElementsAre(HasSubstr("cycle 14: group_done process 0: group 4 passes an earlier one of its process")));
  DriverFacts several = three_tasks(cs::Dispatch::kHt);
  several.keeps_order[0] = false;
  EXPECT_THAT(violations(log, machine_with(several)), IsEmpty());
}

TEST(DriverLog, MayEndSeveralGroupsInACycleWhateverTheyAreCharged) {
  // Both of MP's are told by one interrupt: the first is charged for all of the time.
  const std::vector<Record> log{arrived(1, 1, 0),   submitted(1, 1, 0), arrived(2, 1, 1),
                                submitted(2, 1, 1), done(10, 1, 0, 9),  done(10, 1, 1, 0)};
  EXPECT_THAT(ht_violations(log), IsEmpty());
}

}  // namespace
}  // namespace tessera::verification
