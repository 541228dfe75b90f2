// SPDX-License-Identifier: Apache-2.0
// Formal: the list of properties fits the sources, and some of its proofs, covers and seeded bugs come out as claimed.
// `tessera prove` does all of them.
#include <gmock/gmock.h>

#include <chrono>
#include <set>

#include "cosim/core_builder.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "testbench/formal/prover.h"
#include "testbench/formal/scripts.h"
#include "testbench/formal/workplace.h"

namespace tessera::testbench::test {
namespace {

const std::filesystem::path kRoot = TESSERA_SOURCE_DIR;

ProofRun quick(std::vector<std::string> names) {
  ProofRun run;
  run.names = std::move(names);
  run.scope = ProofScope::kSmallest;
  return run;
}

void expect_as_claimed(const std::vector<PropertyResult>& results) {
  ASSERT_FALSE(results.empty());
  for (const PropertyResult& each : results) EXPECT_TRUE(each.is_as_claimed()) << each.property.name;
}

TEST(Properties, HaveNamesOfTheirOwnAndWords) {
  std::set<std::string> names;
  for (const Proof& proof : listed_proofs(kRoot)) {
    for (const Property& property : proof.properties) {
      EXPECT_TRUE(names.insert(property.name).second) << property.name;
      EXPECT_FALSE(property.words.empty()) << property.name;
    }
  }
}

TEST(Properties, AreProvedAtTwoSizesOrMore) {
  for (const Proof& proof : listed_proofs(kRoot)) EXPECT_GE(proof.sets.size(), 2U) << proof.name;
}

TEST(Properties, HaveSeededBugsThatFitTheVerilog) {
  for (const Proof& proof : listed_proofs(kRoot)) {
    for (const Property& property : proof.properties) {
      if (!property.has_bug()) continue;
      EXPECT_NO_THROW(ProofWorkplace(kRoot).plant(property.bug)) << property.name;
    }
  }
}

TEST(Properties, ThatAreNotListedAreNotSelected) { EXPECT_ANY_THROW(selected(listed_proofs(kRoot), {"no_such"})); }

TEST(Prove, SeededBugMakesThePropertyFail) {
  ProofRun run;
  run.names = {"one_bit_of_the_index", "row_of_the_bit"};
  const std::vector<PropertyResult> results = run_proofs(run);
  expect_as_claimed(results);
  for (const PropertyResult& each : results) EXPECT_TRUE(each.bug_frame) << each.property.name;
}

TEST(Prove, TellsOfEachResultAsItComes) {
  ProofRun run;
  run.names = {"row_of_the_bit"};
  std::vector<std::string> lines;
  run.on_result = [&lines](const std::string& line) { lines.push_back(line); };
  run_proofs(run);
  EXPECT_THAT(lines, testing::UnorderedElementsAre(
                         testing::StartsWith("select: proved in"), testing::StartsWith("select: proved by pdr in"),
                         testing::StartsWith("select ROWS=13: proved in"), "select: all 1 covers reached",
                         "seeded bug of row_of_the_bit: found in cycle 0"));
}

// A solver would take it that both drivers agree, and prove anything of the states in which they do not.
TEST(Prove, RefusesASignalWithTwoDrivers) {
  const Proof proof = selected(listed_proofs(kRoot), {"done_queue_never_overflows"}).front();
  const ProofWorkplace place(kRoot);
  const auto induction = [&] {
    cosim::write_text(place.folder() / "script.ys", induction_script(proof, {}, place.verilog_of(proof), 60));
    return cosim::run_tool({"yosys", "-q", "-s", "script.ys"}, place.folder());
  };
  EXPECT_NO_THROW(induction());
  place.plant({"tsr_done_queue",
               "assign count_o      =", "assign count_o      =", "assign count_o = ~count_q; assign count_o ="});
  EXPECT_THROW(induction(), cosim::BuildError);
}

TEST(Prove, AsksASecondProverAtTheSmallestSize) {
  ProofRun run;
  run.names = {"row_of_the_bit"};
  const std::vector<PropertyResult> results = run_proofs(run);
  expect_as_claimed(results);
  ASSERT_GE(results.front().proofs.size(), 2U);
  ASSERT_TRUE(results.front().proofs[0].second);
  EXPECT_TRUE(results.front().proofs[0].second->holds);
  EXPECT_FALSE(results.front().proofs[1].second);
}

TEST(Prove, AtAllSizesItTriesNoSeededBugAndAsksNoSecondProver) {
  ProofRun run;
  run.names = {"row_of_the_bit"};
  run.scope = ProofScope::kAllSizes;
  std::vector<std::string> lines;
  run.on_result = [&lines](const std::string& line) { lines.push_back(line); };
  run_proofs(run);
  EXPECT_THAT(lines, testing::UnorderedElementsAre(testing::StartsWith("select: proved in"),
                                                   testing::StartsWith("select ROWS=13: proved in"),
                                                   "select: all 1 covers reached"));
}

TEST(Prove, EndsWhenInterrupted) {
  ProofRun run = quick({"one_phase"});
  run.is_interrupted = [start = std::chrono::steady_clock::now()] {
    return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(300);
  };
  EXPECT_THROW(run_proofs(run), Interrupted);
}

}  // namespace
}  // namespace tessera::testbench::test
