// SPDX-License-Identifier: Apache-2.0
// Claims about the numbers that the Verilog core is made of.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "cosim/elaboration.h"
#include "cosim/generated_sources.h"
#include "cosim/source_tree.h"
#include "cosim/text_file.h"
#include "tests/rtl_model/machine.h"

namespace tessera::cosim {
namespace {

using rtl_model::Params;
using rtl_model::test::machine;
using testing::ElementsAre;
using testing::HasSubstr;

std::string scheduler_source() { return header_with_includes(TESSERA_SOURCE_DIR "/rtl/tsr_scheduler.v"); }

int occurrences(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

TEST(Elaboration, VerilogParametersAreTheNumbersOfTheClockedModel) {
  spec::Spec spec = machine(7, 3);
  spec.scheduler.search_width = 2;
  const Params params(spec);
  const Elaboration core(params);
  EXPECT_EQ(core.num_sms, 7U);
  EXPECT_EQ(core.max_tbs_per_sm, params.max_tbs_per_sm);
  EXPECT_EQ(core.num_ksrs, params.num_ksrs);
  EXPECT_EQ(core.num_command_buffers, params.num_command_buffers);
  EXPECT_EQ(core.num_contexts, 3U);
  EXPECT_EQ(core.ptbq_depth, 7 * params.max_tbs_per_sm);
  EXPECT_EQ(core.search_width, 2U);
}

TEST(Elaboration, ThreadBlocksAreNumberedWithTheBitsOfTheGpuFile) {
  spec::Spec spec = machine(2);
  EXPECT_EQ(Elaboration(Params(spec)).tb_width, 32U);
  spec.gpu.framework.tb_id_bits = 20;
  EXPECT_EQ(Elaboration(Params(spec)).tb_width, 20U);
}

TEST(Elaboration, LatenciesAreStrapsUnlessTheyNeedMoreBitsThanUsual) {
  spec::Spec spec = machine(2);
  const std::uint32_t usual = Elaboration(Params(spec)).wait_width;
  spec.gpu.framework.kernel_activation_cycles = 255;
  EXPECT_EQ(Elaboration(Params(spec)).wait_width, usual);
  EXPECT_EQ(straps_of(Params(spec)).activation_cycles, 255U);
  spec.gpu.framework.kernel_activation_cycles = 256;
  EXPECT_EQ(Elaboration(Params(spec)).wait_width, 9U);
}

TEST(Elaboration, StrapsHoldWhatTheControlRegistersHoldAfterReset) {
  spec::Spec spec = machine(2, 3, spec::PolicyKind::kDss);
  spec.scheduler.token_scope = spec::TokenScope::kProcess;
  spec.scheduler.debt = spec::Debt::kLone;
  const Straps straps = straps_of(Params(spec));
  EXPECT_EQ(straps.policy & 15U, 3U);
  EXPECT_EQ(straps.policy >> 9 & 1U, 1U);
  EXPECT_EQ(straps.policy >> 10, 2U);
}

TEST(Elaboration, OnlyBreadthFirstOnAFasterClockIssuesInRounds) {
  spec::Spec spec = machine(4);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  EXPECT_FALSE(straps_of(Params(spec)).issues_in_rounds);
  spec.scheduler.tbs_per_cycle = 2;
  EXPECT_TRUE(straps_of(Params(spec)).issues_in_rounds);
  spec.scheduler.fill = spec::Fill::kDepthFirst;
  EXPECT_FALSE(straps_of(Params(spec)).issues_in_rounds);
}

TEST(Elaboration, TablesOfDuesAndPartitionsAreThereForPoliciesOfTheExperimentAlone) {
  using spec::PolicyKind;
  const auto has = [](const spec::Spec& spec, PolicyKind policy) {
    return (Elaboration(Params(spec)).policies & spec::policy_mask({policy})) != 0;
  };
  spec::Spec spec = machine(2, 2, PolicyKind::kPpq);
  EXPECT_EQ(Elaboration(Params(spec)).policies, Elaboration(Params(machine(2, 2, PolicyKind::kDss))).policies);
  EXPECT_TRUE(has(spec, PolicyKind::kPpq));
  EXPECT_FALSE(has(spec, PolicyKind::kEdf));
  EXPECT_FALSE(has(spec, PolicyKind::kStaticPartition));
  spec.baseline = spec.scheduler;
  spec.baseline->policy = PolicyKind::kEdf;
  EXPECT_TRUE(has(spec, PolicyKind::kEdf));
  EXPECT_FALSE(has(spec, PolicyKind::kStaticPartition));
  EXPECT_TRUE(has(machine(2, 2, PolicyKind::kStaticPartition), PolicyKind::kStaticPartition));
}

TEST(GeneratedTop, SetsEveryParameterAndConnectsEveryPort) {
  const std::string source = scheduler_source();
  const std::string top = top_module(BuildRequest(Elaboration(Params(machine(7)))), source);
  EXPECT_THAT(top, testing::Not(HasSubstr("`include")));
  EXPECT_THAT(top, HasSubstr("NUM_SMS             = 7,"));
  EXPECT_THAT(top, HasSubstr(".NUM_SMS(NUM_SMS)"));
  const int ports = occurrences(source, R"(\n  (input|output) )");
  EXPECT_EQ(occurrences(top, R"(\n  (input|output) )"), ports);
  EXPECT_EQ(occurrences(top, R"(\n    \.[a-z]\w+\()"), ports);
}

TEST(SourceTree, HasWhatTheVerilogIncludes) {
  const SourceTree tree{BuildRequest(Elaboration(Params(machine(2))))};
  EXPECT_EQ(tree.scheduler.name, "rtl/tsr_scheduler.v");
  std::vector<std::string> names;
  for (const Source& source : tree.all()) names.push_back(source.name.string());
  EXPECT_THAT(names, testing::IsSupersetOf({"rtl/tsr_sizes.vh", "rtl/tsr_codes.vh", "rtl/tsr_search.v",
                                            "rtl/lint/public.vlt", "cosim/glue/pin_binding.h"}));
}

TEST(GeneratedTop, GivesANetlistNoParametersAndItsMutantSelect) {
  BuildRequest request(Elaboration(Params(machine(7))));
  request.is_netlist = true;
  request.has_mutant_select = true;
  const std::string top = top_module(request, scheduler_source());
  EXPECT_THAT(top, HasSubstr("tsr_scheduler u_tsr_scheduler ("));
  EXPECT_THAT(top, HasSubstr("input [31:0] mutsel"));
  EXPECT_THAT(top, HasSubstr(".mutsel(mutsel)"));
}

TEST(GeneratedTop, NamesTheParameterThatTheSchedulerDoesNotHave) {
  std::string source = scheduler_source();
  source.replace(source.find("NUM_KSRS"), 8, "NUM_ROWS");
  try {
    top_module(BuildRequest(Elaboration(Params(machine(7)))), source);
    FAIL();
  } catch (const BuildError& error) {
    EXPECT_STREQ(error.what(), "rtl/tsr_scheduler.v has no parameter NUM_KSRS");
  }
}

}  // namespace
}  // namespace tessera::cosim
