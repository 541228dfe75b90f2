// SPDX-License-Identifier: Apache-2.0
// Static partitions: what the full log may not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> faults_with(const std::vector<SmSet>& sms, const std::vector<std::uint32_t>& of_process) {
  LogFacts facts = test::small_machine();
  facts.sms_of_partition = sms;
  facts.partition_of_process = of_process;
  return check_log(test::sound_log(), facts).violations;
}

TEST(PartitionLog, NoSmIsGivenToAKernelOfAnotherPartition) {
  EXPECT_THAT(faults_with({}, {}), IsEmpty());
  const SmSet both = SmSet::of(0) | SmSet::of(1);
  EXPECT_THAT(faults_with({both}, {0, 0}), IsEmpty()) << "all are in one";
  EXPECT_THAT(faults_with({both, both}, {0, 1}), IsEmpty()) << "masks overlap";
  EXPECT_THAT(faults_with({SmSet::of(0), SmSet::of(1)}, {0, 1}),
              testing::Contains(HasSubstr("the SM is none of partition")));
}

}  // namespace
}  // namespace tessera::verification
