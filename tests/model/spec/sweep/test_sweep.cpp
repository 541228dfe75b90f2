// SPDX-License-Identifier: Apache-2.0
// A sweep file becomes the points that it says, in its order, and every mistake is told where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/spec/diagnostics.h"
#include "model/spec/sweep/condition.h"
#include "model/spec/sweep/sweep.h"
#include "tests/model/spec/wrong_files.h"

namespace tessera::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kBase = R"(schema_version: 1
name: small
base:
  name: small
  gpu: GPU
  scheduler: {policy: ppq}
  workload:
    processes:
      - name: front
        priority: 1
        application:
          name: app
          kernels: [{name: k, num_tbs: 4, regs_per_tb: 16384, smem_bytes_per_tb: 0, threads_per_tb: 256,
                     kernel_time_us: 100}]
          program: [launch: {kernel: k}]
)";

class SweepFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Sweep load(const std::string& rest, const std::vector<std::string>& overrides = {}) {
    std::string text = kBase;
    text.replace(text.find("GPU"), 3, TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml");
    std::ofstream(folder_ / "sweep.yaml") << text << rest;
    return Sweep(folder_ / "sweep.yaml", overrides);
  }

  // "line:column: key: problem" of each mistake, in the sweep or its points.
  std::vector<std::string> mistakes(const std::string& rest, const std::vector<std::string>& overrides = {}) {
    std::vector<std::string> found;
    try {
      load(rest, overrides).for_each_point([](const SweepPoint&, const Spec&) {});
    } catch (const InputError& error) {
      if (overrides.empty()) test::keep_wrong_files(error.diagnostics());
      for (const Diagnostic& one : error.diagnostics()) {
        found.push_back(std::to_string(one.line - kBaseLines) + ":" + std::to_string(one.column) + ": " + one.key +
                        ": " + one.problem + " (" + one.value + "; " + one.allowed + ")");
      }
    }
    return found;
  }

  // What a point's Spec says, by the points.
  template <typename Read>
  std::vector<std::string> points(const std::string& rest, Read read) {
    std::vector<std::string> texts;
    load(rest).for_each_point([&](const SweepPoint&, const Spec& spec) { texts.push_back(read(spec)); });
    return texts;
  }

  static constexpr int kBaseLines = 15;  // of kBase: positions count from the line behind it
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("sweep-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

std::string sms_and_seed(const Spec& spec) {
  return std::to_string(spec.gpu.num_sms) + "/" + std::to_string(spec.seed);
}

TEST_F(SweepFileTest, AGridHasEveryCombinationWithTheFirstAxisSlowestAndTheSeedFastest) {
  const std::string rest =
      "axes:\n  - {key: gpu.num_sms, values: [4, 2]}\n  - {key: scheduler.policy, values: [fcfs, dss]}\nseeds: [7, "
      "9]\n";
  EXPECT_THAT(points(rest,
                     [](const Spec& spec) {
                       return sms_and_seed(spec) + (spec.scheduler.policy == PolicyKind::kDss ? "d" : "f");
                     }),
              ElementsAre("4/7f", "4/9f", "4/7d", "4/9d", "2/7f", "2/9f", "2/7d", "2/9d"));
}

TEST_F(SweepFileTest, AZipTakesTheValuesOfEqualPlace) {
  const std::string rest =
      "mode: zip\naxes:\n  - {key: gpu.num_sms, values: [4, 2]}\n  - {key: stop.min_runs, values: [5, 6]}\n";
  EXPECT_THAT(points(rest,
                     [](const Spec& spec) {
                       return std::to_string(spec.gpu.num_sms) + "/" + std::to_string(spec.stop.min_runs);
                     }),
              ElementsAre("4/5", "2/6"));
}

TEST_F(SweepFileTest, RangesAreLinearOrGeometricAndStayWholeBetweenWholeEnds) {
  const auto labels = [this](const std::string& range) {
    return load("axes: [{key: gpu.num_sms, range: {" + range + "}}]\n").spec().axes.at(0).labels;
  };
  EXPECT_THAT(labels("from: 1, to: 10, step: 4"), ElementsAre("1", "5", "9"));
  EXPECT_THAT(labels("from: 10, to: 20, count: 3"), ElementsAre("10", "15", "20"));
  EXPECT_THAT(labels("from: 4, to: 64, factor: 4"), ElementsAre("4", "16", "64"));
  EXPECT_THAT(labels("from: 2, to: 200, count: 3, geometric: true"), ElementsAre("2", "20", "200"));
  EXPECT_THAT(labels("from: 0.5, to: 1.5, step: 0.5"), ElementsAre("0.5", "1", "1.5"));
}

TEST_F(SweepFileTest, VariantsSetSeveralKeysAndGoByTheirNames) {
  const std::string rest =
      "axes:\n  - name: machine\n    variants:\n      - {name: big, set: {gpu.num_sms: 32, gpu.max_tbs_per_sm: 8}}\n"
      "      - {name: small, set: {gpu.num_sms: 2, gpu.max_tbs_per_sm: 4}}\n";
  EXPECT_THAT(points(rest,
                     [](const Spec& spec) {
                       return std::to_string(spec.gpu.num_sms) + "/" + std::to_string(spec.gpu.max_tbs_per_sm);
                     }),
              ElementsAre("32/8", "2/4"));
  EXPECT_THAT(load(rest).spec().axes.at(0).labels, ElementsAre("big", "small"));
  EXPECT_THAT(load(rest).spec().axes.at(0).keys, ElementsAre("gpu.num_sms", "gpu.max_tbs_per_sm"));
}

TEST_F(SweepFileTest, ConditionsKnowAxesKeysOfAxesAndKeysOfTheSpec) {
  const std::string axes =
      "axes:\n  - {name: ksrs, key: gpu.framework.num_ksrs, values: [2, 4, 8]}\n  - {key: gpu.num_sms, values: [4, "
      "8]}\n";
  const auto kept = [&](const std::string& when) {
    return points(axes + "when: " + when + "\n", [](const Spec& spec) {
      return std::to_string(spec.gpu.framework.num_ksrs) + "/" + std::to_string(spec.gpu.num_sms);
    });
  };
  EXPECT_THAT(kept("ksrs < num_sms"), ElementsAre("2/4", "2/8", "4/8"));
  EXPECT_THAT(kept("num_ksrs == gpu.num_sms"), ElementsAre("4/4", "8/8"));
  EXPECT_THAT(kept("ksrs * 2 <= max_tbs_per_sm / 4 and not num_sms == 8"), ElementsAre("2/4"));  // 16 in the file
  EXPECT_THAT(kept("scheduler.policy == 'ppq' and ksrs + num_sms > 15"), ElementsAre("8/8"));
  EXPECT_THAT(kept("[ksrs > 2, num_sms > 4]"), ElementsAre("4/8", "8/8"));
}

// A value that only fits some of the others would be a mistake: it is what conditions are for.
TEST_F(SweepFileTest, WhatAConditionLeavesOutIsNotChecked) {
  const std::string axes =
      "axes:\n  - {key: gpu.num_sms, values: [4, 8]}\n  - {key: scheduler.search_width, values: [2, 8]}\n";
  EXPECT_THAT(mistakes(axes), ElementsAre("3:47: scheduler.search_width: is out of range (8; 1 .. 4)"));
  EXPECT_THAT(mistakes(axes + "when: search_width <= num_sms\n"), IsEmpty());
}

TEST_F(SweepFileTest, APointIsFoundAgainByItsCombination) {
  const Sweep sweep = load(
      "axes:\n  - {key: gpu.num_sms, values: [2, 4, 8]}\n  - {key: stop.min_runs, values: [1, 2]}\nseeds: {count: 3}\n"
      "when: num_sms > 2\n");
  std::size_t index = 0;
  sweep.for_each_point([&](const SweepPoint& point, const Spec& spec) {
    EXPECT_EQ(point.index, index++);
    const SweepPoint again = sweep.at(point.combination);
    EXPECT_EQ(again.choice, point.choice);
    EXPECT_EQ(again.seed, point.seed);
    EXPECT_EQ(sms_and_seed(sweep.resolve(again)), sms_and_seed(spec));
  });
  EXPECT_EQ(index, 2U * 2 * 3);
}

TEST_F(SweepFileTest, MistakesAreToldInOneLineEachWhereTheyStand) {
  const auto of = [this](const std::string& rest) { return mistakes(rest); };
  EXPECT_THAT(of("axes: [{key: gpu.num_sm, values: [2, 4]}]\n"),
              ElementsAre("1:18: gpu.num_sm: unknown key (; nearest known key: num_sms)"));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: []}]\n"), ElementsAre(HasSubstr("axes.0.values: is empty")));
  EXPECT_THAT(of("axes: []\n"), ElementsAre(HasSubstr("axes: is empty")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, x]}]\n"),
              ElementsAre(HasSubstr("1:39: gpu.num_sms: is not an integer")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 2]}]\n"),
              ElementsAre(HasSubstr("1:39: axes.0.values.1: duplicate value")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms}]\n"), ElementsAre(HasSubstr("one of values, range and variants")));
  EXPECT_THAT(of("axes: [{key: seed, values: [1, 2]}]\n"), testing::Contains(HasSubstr("a seed is no axis")));
  EXPECT_THAT(of("axes: [{key: stop.min_runs, range: {from: 1, to: 1000000000, step: 1}}]\n"),
              ElementsAre(HasSubstr("too many points (1000000000; at most 100000)")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\nseeds: {count: 100000}\n"),
              ElementsAre(HasSubstr("too many points (200000; at most 100000)")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\nwhen: num_sm > 2\n"),
              ElementsAre(HasSubstr("2:7: when: names no axis and no key (num_sm; nearest is num_sms")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\nwhen: num_sms > 4\n"),
              ElementsAre(HasSubstr("leaves no point")));
  EXPECT_THAT(of("axes: [{key: workload.processes.0.application, values: [none.yaml]}]\nwhen: num_sms > 4\n"),
              ElementsAre(HasSubstr("cannot be read")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\nplots: [{name: p, x: num_sms, y: ant}]\n"),
              ElementsAre(HasSubstr("plots.0.y: is not a column (ant; nearest is antt)")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\nmetrics: [ntt.back]\n"),
              ElementsAre(HasSubstr("no point has the process (back")));
  EXPECT_THAT(of("axes: [{name: antt, key: gpu.num_sms, values: [2, 4]}]\n"),
              ElementsAre(HasSubstr("cannot have the name of a column (antt")));
  EXPECT_THAT(of("axes: [{key: gpu.num_sms, values: [2, 4]}]\ndecision_time: measured\n"),
              ElementsAre(HasSubstr("decision_time: is measured on a core that is not synthesised")));
}

TEST_F(SweepFileTest, WhatIsNoListIsNotEmptyToo) {
  EXPECT_THAT(mistakes("axes: [{key: gpu.num_sms, values: }]\n"), ElementsAre(HasSubstr("values: must be a list")));
  EXPECT_THAT(mistakes("set: &a {stop.min_runs: 2}\naxes: [{key: gpu.num_sms, values: *a}]\n"),
              ElementsAre(HasSubstr("an alias is not supported")));
  EXPECT_THAT(mistakes("axes: [{name: v, variants: [{name: a, set: {}}]}]\n"),
              ElementsAre(HasSubstr("axes.0.variants.0.set: is empty")));
}

TEST_F(SweepFileTest, AnAxisMayNotHaveTheNameThatAProcessGivesAColumn) {
  EXPECT_THAT(mistakes("axes: [{name: ntt.front, key: gpu.num_sms, values: [2, 4]}]\n"),
              ElementsAre(HasSubstr("cannot have the name of a column (ntt.front")));
}

TEST_F(SweepFileTest, SeedsDoNotWrapAround) {
  const std::string axes = "axes: [{key: gpu.num_sms, values: [2]}]\n";
  EXPECT_THAT(mistakes(axes + "seeds: {first: 9223372036854775806, count: 2}\n"), IsEmpty());
  EXPECT_THAT(mistakes(axes + "seeds: {first: 9223372036854775807, count: 2}\n"),
              ElementsAre(HasSubstr("seeds.first: is too large for that many (9223372036854775807")));
  EXPECT_THAT(mistakes(axes + "seeds: [9223372036854775808]\n"), ElementsAre(HasSubstr("seeds.0: is out of range")));
}

TEST_F(SweepFileTest, OverridesApplyToEveryPointButNotToWhatAnAxisSets) {
  const std::string axes = "axes: [{key: gpu.num_sms, values: [2, 4]}]\nset: {stop.min_runs: 5}\n";
  load(axes, {"stop.min_runs=8"}).for_each_point([](const SweepPoint&, const Spec& spec) {
    EXPECT_EQ(spec.stop.min_runs, 8U);
  });
  EXPECT_THAT(mistakes(axes, {"gpu.num_sms=8"}), ElementsAre(HasSubstr("gpu.num_sms: is set by an axis (num_sms")));
}

// ---- conditions --------------------------------------------------------------------------------------------------

class ConditionTest : public testing::Test {
 protected:
  // "true", "false", or what is wrong.
  std::string value(const std::string& text) {
    Report report;
    Condition::Vocabulary vocabulary;
    vocabulary.is_name = [](const std::string& word) { return word == "a" || word == "b" || word == "w"; };
    vocabulary.names = {"a", "b", "w"};
    vocabulary.words = {"drain"};
    const auto condition = Condition::parse(text, {"f", 1, 1}, {}, vocabulary, report);
    if (!condition) return report.diagnostics().at(0).problem;
    std::string problem;
    const auto holds = condition->holds(
        [](const std::string& name) -> std::optional<ConditionValue> {
          if (name == "w") return ConditionValue(std::string("drain"));
          return ConditionValue(name == "a" ? 3.0 : 4.0);
        },
        problem);
    return holds ? (*holds ? "true" : "false") : problem;
  }
};

TEST_F(ConditionTest, OperatorsBindAsInArithmetic) {
  EXPECT_EQ(value("a + b * 2 == 11"), "true");
  EXPECT_EQ(value("(a + b) * 2 == 14"), "true");
  EXPECT_EQ(value("b - a - 1 == 0"), "true");  // from the left
  EXPECT_EQ(value("a > 5 and a > 5 or b == 4"), "true");
  EXPECT_EQ(value("a > 5 and (a > 5 or b == 4)"), "false");
  EXPECT_EQ(value("not a > 5 and b == 4"), "true");
}

TEST_F(ConditionTest, WordsAreComparedAndNothingElse) {
  EXPECT_EQ(value("w == drain"), "true");
  EXPECT_EQ(value("w != 'context switch'"), "true");
  EXPECT_EQ(value("w < drain"), "a word where a number is needed");
  EXPECT_EQ(value("w == a"), "compares a word with a number");
  EXPECT_EQ(value("a"), "a number where a comparison is needed");
}

TEST_F(ConditionTest, WhatIsNoConditionIsRefused) {
  for (const char* text : {"a <", "a < b <", "(a < b", "a b", "'x", "", "a ** b", "a = b", "< b", "not", "a < b)"}) {
    EXPECT_THAT(value(text), testing::Not(testing::AnyOf("true", "false"))) << text;
  }
  EXPECT_EQ(value("c > 1"), "names no axis and no key");
  EXPECT_EQ(value("a / 0 > 1"), "divides by zero");
  EXPECT_EQ(value(std::string(1000, '(') + "a"), "is nested too deeply");
}

TEST_F(SweepFileTest, KeysOfTheBaseAreLeftOutAtPointsOfAPolicyThatDoesNotReadThem) {
  std::vector<std::size_t> left_out;
  std::string text = kBase;
  text.replace(text.find("GPU"), 3, TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml");
  text.replace(text.find("{policy: ppq}"), 13, "{policy: ppq, linger_us: 20}");
  std::ofstream(folder_ / "linger.yaml") << text << "axes: [{key: scheduler.policy, values: [ppq, fcfs]}]\n";
  Sweep(folder_ / "linger.yaml").for_each_point([&](const SweepPoint&, const Spec& spec) {
    left_out.push_back(spec.left_out_keys.size());
  });
  EXPECT_THAT(left_out, ElementsAre(0U, 1U));
}

}  // namespace
}  // namespace tessera::spec
