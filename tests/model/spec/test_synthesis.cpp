// SPDX-License-Identifier: Apache-2.0
// Synthesis files: sizes of the core, and the combinations that sweeps come to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/spec/loader.h"
#include "model/spec/synthesis_spec.h"
#include "tests/model/spec/wrong_files.h"

namespace tessera::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SynthesisFile : public testing::Test {
 protected:
  SynthesisFile()
      : path_(std::filesystem::temp_directory_path() / ("synthesis_" + std::to_string(::getpid()) + ".yaml")) {}
  ~SynthesisFile() override { std::filesystem::remove(path_); }

  SynthesisSpec load(const std::string& rest) {
    write(rest);
    return load_synthesis(path_);
  }
  // As the user sees them, without the name of the file.
  std::vector<std::string> mistakes(const std::string& rest) {
    write(rest);
    std::vector<std::string> lines;
    const std::vector<Diagnostic> found = validate_file(path_);
    test::keep_wrong_files(found);
    for (const Diagnostic& diagnostic : found) {
      lines.push_back(to_string(diagnostic).substr(path_.string().size() + 1));
    }
    return lines;
  }

 private:
  void write(const std::string& rest) { std::ofstream(path_) << "schema_version: 1\nname: test\n" << rest; }

  std::filesystem::path path_;
};

template <typename T>
std::vector<T> each(const SynthesisSpec& synthesis, T CoreSpec::*member) {
  std::vector<T> values;
  for (const CoreSpec& core : synthesis.cores) values.push_back(core.*member);
  return values;
}

TEST_F(SynthesisFile, RefillLaneNeedsATag) {
  EXPECT_THAT(each(load("core: {setup_tag_bits: 1}\nsweeps:\n  - {refill_lane: [0, 1]}\n"), &CoreSpec::refill_lane),
              ElementsAre(0, 1));
  EXPECT_THAT(mistakes("core: {num_sms: 5}\nsweeps:\n  - {refill_lane: [1]}\n"),
              ElementsAre(HasSubstr("core: a refill lane needs a tag")));
}

TEST_F(SynthesisFile, WithoutSweepsIsOneCore) {
  const SynthesisSpec synthesis = load("core: {num_sms: 5, search_width: 2, policies: [dss, fcfs, dss]}\n");
  ASSERT_THAT(synthesis.cores, SizeIs(1));
  const CoreSpec& core = synthesis.cores.front();
  EXPECT_EQ(core.num_sms, 5U);
  EXPECT_EQ(core.search_width, 2U);
  EXPECT_EQ(core.tb_id_bits, CoreSpec().tb_id_bits);
  EXPECT_THAT(core.policies, ElementsAre(PolicyKind::kFcfs, PolicyKind::kDss));
}

TEST_F(SynthesisFile, KsrsMayFollowTheNumberOfSms) {
  const SynthesisSpec synthesis = load(
      "core: {num_sms: 4, num_ksrs: per_sm}\n"
      "sweeps:\n  - {num_sms: [4, 32]}\n");
  EXPECT_THAT(each(synthesis, &CoreSpec::num_ksrs), ElementsAre(4, 32));
}

TEST_F(SynthesisFile, ASearchIsAsWideAsTheCoreHasIt) {
  EXPECT_THAT(mistakes("core: {search_width: 3}\nsweeps:\n  - {search_width: [2, 8]}\n"),
              ElementsAre(HasSubstr("core.search_width: the core does not have it (3; 1, 2, 4)"),
                          HasSubstr("sweeps.0.search_width.1: is out of range (8; 1, 2, 4)")));
}

TEST_F(SynthesisFile, ASweepIsEveryCombinationOfItsValuesAroundTheCore) {
  const SynthesisSpec synthesis = load(
      "core: {num_sms: 8, tb_id_bits: 16}\n"
      "sweeps:\n  - {num_sms: [8, 16], search_width: [1, 2]}\n  - {tb_id_bits: 20}\n");
  EXPECT_THAT(each(synthesis, &CoreSpec::num_sms), ElementsAre(8, 8, 16, 16, 8));
  EXPECT_THAT(each(synthesis, &CoreSpec::search_width), ElementsAre(1, 2, 1, 2, 1));
  EXPECT_THAT(each(synthesis, &CoreSpec::tb_id_bits), ElementsAre(16, 16, 16, 16, 20));
}

TEST_F(SynthesisFile, SweepsOverPoliciesListThoseThatArePresent) {
  const SynthesisSpec synthesis = load("core: {policies: [fcfs]}\nsweeps:\n  - {policies: [[dss], [ppq, npq]]}\n");
  EXPECT_THAT(each(synthesis, &CoreSpec::policies),
              ElementsAre(ElementsAre(PolicyKind::kFcfs), ElementsAre(PolicyKind::kDss),
                          ElementsAre(PolicyKind::kNpq, PolicyKind::kPpq)));
}

TEST_F(SynthesisFile, NoCoreComesTwice) {
  EXPECT_THAT(load("core: {num_sms: 4}\nsweeps:\n  - {search_width: [1, 4]}\n  - {num_sms: 4}\n").cores, SizeIs(2));
}

TEST_F(SynthesisFile, MistakesAreReportedTogetherEachAtItsPlace) {
  EXPECT_THAT(mistakes("core: {num_sms: 257, tb_bits: 9, policies: [dsss]}\n"
                       "sweeps:\n  - {num_ksrs: [1, none]}\n  - {policies: [dss]}\n  - {search_width: []}\n"),
              ElementsAre(HasSubstr("3:17: core.num_sms: is out of range (257; 1 .. 256)"),
                          HasSubstr("3:22: core.tb_bits: unknown key"), HasSubstr("core.policies.0: "),
                          HasSubstr("5:20: sweeps.0.num_ksrs.1: "), HasSubstr("sweeps.1.policies.0: must be a list"),
                          HasSubstr("sweeps.2.search_width: is empty")));
}

TEST_F(SynthesisFile, ThePoliciesThatTheVerilogHasOfItselfAreThereUnlessOthersAreNamed) {
  EXPECT_EQ(policy_mask(CoreSpec().policies), 0b01'1111U);
  const auto cores = load("core: {policies: [ppq, edf]}\n").cores;
  EXPECT_THAT(cores.front().policies, ElementsAre(PolicyKind::kPpq, PolicyKind::kEdf));
}

TEST_F(SynthesisFile, TheCoreMayNotBeMissing) {
  EXPECT_THAT(mistakes("sweeps: [{num_sms: [1, 2]}]\n"), ElementsAre(HasSubstr("core: is missing")));
}

TEST_F(SynthesisFile, IsToldFromTheOthersByItsKeys) {
  EXPECT_THAT(mistakes("core: {}\n"), IsEmpty());
  const std::string gpu = TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml";
  try {
    load_synthesis(gpu);
    FAIL() << "a GPU file was taken for a synthesis file";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a GPU file"));
    EXPECT_THAT(error.diagnostics(), SizeIs(1));
  }
}

}  // namespace
}  // namespace tessera::spec
