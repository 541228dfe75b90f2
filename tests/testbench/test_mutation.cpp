// SPDX-License-Identifier: Apache-2.0
// Mutation: what Yosys says of a mutant is understood, and most of a few are caught.
#include <gmock/gmock.h>

#include <algorithm>

#include "testbench/mutation/mutation_run.h"

namespace tessera::testbench::test {
namespace {

TEST(Mutant, IsReadFromALineOfYosys) {
  const Mutant mutant = parse_mutant(
      R"(mutate -ctrl mutsel 12 5 -mode cnot1 -module tsr_scheduler )"
      R"(-cell $flatten\u_search.\u_good_valid.$shiftx$rtl/tsr_read_port.v:0$5094 -port \A -portbit 2 -ctrlbit 0 )"
      R"(-wire u_search.good_valid -wirebit 0 -src rtl/tsr_search.v:70.3-90.9 -src rtl/tsr_search.v:81.8-81.18)");
  EXPECT_EQ(mutant.number, 5U);
  EXPECT_EQ(mutant.mode, "cnot1");
  EXPECT_EQ(mutant.instance, "u_search.u_good_valid");
  EXPECT_EQ(mutant.cell, "shiftx");
  EXPECT_EQ(mutant.port, "A");
  EXPECT_EQ(mutant.bit, 2U);
  EXPECT_EQ(mutant.wire, "u_search.good_valid");
  EXPECT_EQ(mutant.source, "rtl/tsr_search.v:81");  // the narrowest place
}

TEST(Mutant, OfTheTopOrOfARegisterHasNoInstance) {
  const Mutant top = parse_mutant(R"(mutate -mode inv -cell $logic_and$rtl/tsr_scheduler.v:9$1 -port \Y -portbit 0)");
  EXPECT_EQ(top.instance, "");
  EXPECT_EQ(top.cell, "logic_and");
  const Mutant flip_flop = parse_mutant(R"(mutate -mode inv -cell $auto$ff.cc:266:slice$9122 -port \Q -portbit 15)");
  EXPECT_EQ(flip_flop.instance, "");
  EXPECT_EQ(flip_flop.cell, "ff");
}

TEST(Mutant, AnotherLineIsNone) { EXPECT_ANY_THROW(parse_mutant("opt_clean")); }

// It throws if the netlist is not the core without any of them.
TEST(Mutation, MostOfAFewAreCaught) {
  MutationRun run;
  run.num_mutants = 40;
  run.cycles = 40'000;
  run.num_workers = 2;
  run.proves_equivalence = false;
  const MutationResult result = run_mutation(run);
  ASSERT_EQ(result.mutants.size(), run.num_mutants);
  const auto num_caught = std::count_if(result.mutants.begin(), result.mutants.end(),
                                        [](const MutantResult& each) { return each.caught.has_value(); });
  EXPECT_GE(num_caught, 24) << "of three quarters, in so few cycles";
  EXPECT_THAT(result.mutants.front().mutant.source, testing::StartsWith("rtl/tsr_"));
}

}  // namespace
}  // namespace tessera::testbench::test
