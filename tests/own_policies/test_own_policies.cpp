// SPDX-License-Identifier: Apache-2.0
// A policy in a folder of one's own (docs/guide/adding_a_policy.md): the tables have its rows, and the factory makes
// it. The program is compiled as a build with TESSERA_OWN_POLICIES is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "model/policy/policy.h"
#include "model/spec/names.h"
#include "model/spec/policy_keys.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera {
namespace {

TEST(OwnPolicy, HasItsNameItsCodeAndTheKeysThatItsTraitsSay) {
  const spec::PolicyInfo* row = spec::with_code(spec::kPolicies, 12);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->kind, spec::PolicyKind::kPolite);
  EXPECT_EQ(spec::to_string(spec::PolicyKind::kPolite), "polite");
  EXPECT_EQ(spec::parse<spec::PolicyKind>("polite"), spec::PolicyKind::kPolite);
  spec::SchedulerSpec scheduler;
  scheduler.policy = spec::PolicyKind::kPolite;
  for (const spec::PolicyKey& key : spec::kPolicyKeys) EXPECT_FALSE(key.is_read(scheduler)) << key.name;
}

TEST(OwnPolicy, IsMadeByItsOwnFunction) {
  policy::PolicyConfig config;
  config.scheduler.policy = spec::PolicyKind::kPolite;
  config.num_sms = 2;
  policy::SchedulingTables tables(2, 2, 2);
  const auto polite = policy::make_policy(config);
  ASSERT_NE(polite, nullptr);
  EXPECT_EQ(polite->step(tables).action, policy::Action::kNone);
}

TEST(OwnPolicy, HasItsRowInTheClockedCore) {
  const rtl_model::PolicyRow row = rtl_model::kPolicyTable[12];
  EXPECT_EQ(row.kind, spec::PolicyKind::kPolite);
  EXPECT_EQ(row.key, rtl_model::Key::kPriority);
  EXPECT_EQ(spec::policy_mask(spec::Cores::kClocked) >> 12, 1U);
}

TEST(OwnPolicy, HasItsRowInTheVerilog) {
  if (std::system("iverilog -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "iverilog is not there";
  const std::string bench = testing::TempDir() + "own_policies_" + std::to_string(::getpid());
  std::ofstream(bench + ".v") << "module bench;\n`include \"tsr_policy_table.vh\"\n  initial if (policy_row(4'd12) != "
                                 "(ENTERS_IN_TURN | ENTERS_BY_PRIORITY | KEY_PRIORITY)) $fatal;\nendmodule\n";
  const std::string run =
      "iverilog -g2012 -DTSR_OWN_POLICIES -I" TESSERA_SOURCE_DIR "/rtl -I" TESSERA_OWN_FOLDER " -o " + bench + " " +
      bench + ".v && vvp -n " + bench + " >/dev/null && rm " + bench + " " + bench + ".v";
  EXPECT_EQ(std::system(run.c_str()), 0) << run;
}

}  // namespace
}  // namespace tessera
