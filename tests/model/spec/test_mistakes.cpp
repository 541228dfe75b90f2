// SPDX-License-Identifier: Apache-2.0
// Every class of mistake in the input is found, named and placed, and none hides another.
// Positions are computed from the damaged text, problems are those that mapping readers and rules state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/loader.h"
#include "model/spec/read_program.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Damage {
  const char* name;
  const char* file;
  const char* from;
  const char* to;
  const char* at;  // the mistake's position is the first occurrence of this text in the damaged file
  const char* key;
  const char* problem;
};
void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

constexpr const char* kExperimentFile = "experiment.yaml";
constexpr const char* kGpuFile = "parts/gpu.yaml";
constexpr const char* kHostFile = "parts/host.yaml";
constexpr const char* kAppFile = "parts/app.yaml";

class SpecMistake : public testing::TestWithParam<Damage> {};

TEST_P(SpecMistake, IsReportedOnceWhereItStands) {
  const Damage& damage = GetParam();
  Files files;
  files.replace(damage.file, damage.from, damage.to);
  const auto mistakes = files.mistakes();
  ASSERT_THAT(mistakes, ElementsAre(mistake(damage.key, damage.problem)));
  const auto [line, column] = files.position_of(damage.file, damage.at);
  EXPECT_EQ(mistakes[0].file, files.path(damage.file));
  EXPECT_EQ(mistakes[0].line, line);
  EXPECT_EQ(mistakes[0].column, column);
}

const std::vector<Damage> kDamages = {
    {"UnknownKey", kGpuFile, "name: tiny", "name: tiny\nnum_smss: 3", "num_smss", "num_smss", "unknown key"},
    {"UnknownNestedKey", kGpuFile, "sm_setup", "sm_stup", "sm_stup", "framework.sm_stup_cycles", "unknown key"},
    {"WordForABoolean", kExperimentFile, "enable_invariants: false", "enable_invariants: perhaps", "perhaps",
     "checks.enable_invariants", "must be true or false"},
    {"MergeKey", kGpuFile, "  sm_setup_cycles: 9", "  <<: {}", "<<", "framework.<<", "unknown key"},
    {"MissingKey", kGpuFile, "num_sms: 4\n", "", "schema_version", "num_sms", "is missing"},
    {"MissingNestedKey", kGpuFile, ", num_lanes: 32", "", "{clock_mhz", "pcie.num_lanes", "is missing"},
    {"MissingMapping", kExperimentFile,
     "scheduler: {policy: dss, technique: drain, token_scope: process, search_width: 2}\n", "", "schema_version",
     "scheduler", "is missing"},
    {"MissingPolicy", kExperimentFile, "policy: dss, ", "", "{technique", "scheduler.policy", "is missing"},
    {"DuplicateKey", kGpuFile, "num_sms: 4", "num_sms: 4\nclock_mhz: 5", "clock_mhz: 5", "", "duplicate key"},
    {"DuplicateNestedKey", kAppFile, "count: 50", "count: 50\n      count: 51", "count: 51", "", "duplicate key"},
    {"LeadingZeros", kGpuFile, "num_sms: 4", "num_sms: 04", "04", "num_sms", "leading zeros"},
    {"TooSmall", kGpuFile, "num_sms: 4", "num_sms: 0", "0\nmax_tbs", "num_sms", "out of range"},
    {"TooLarge", kGpuFile, "num_sms: 4", "num_sms: 257", "257", "num_sms", "out of range"},
    {"Overflow", kGpuFile, "num_sms: 4", "num_sms: 99999999999999999999999", "9999", "num_sms", "out of range"},
    {"Fraction", kGpuFile, "num_sms: 4", "num_sms: 4.5", "4.5", "num_sms", "not an integer"},
    {"FractionOfZero", kGpuFile, "num_sms: 4", "num_sms: 4.0", "4.0", "num_sms", "not an integer"},
    {"Exponent", kGpuFile, "num_sms: 4", "num_sms: 4e0", "4e0", "num_sms", "not an integer"},
    {"Hexadecimal", kGpuFile, "num_sms: 4", "num_sms: 0x4", "0x4", "num_sms", "not an integer"},
    {"Negative", kGpuFile, "num_sms: 4", "num_sms: -4", "-4", "num_sms", "is negative"},
    {"NegativeTime", kHostFile, "1.25", "-1.25", "-1.25", "launch_us", "is negative"},
    {"Infinite", kHostFile, "1.25", ".inf", ".inf", "launch_us", "not finite"},
    {"NotANumber", kHostFile, "1.25", ".nan", ".nan", "launch_us", "not finite"},
    {"Word", kHostFile, "1.25", "soon", "soon", "launch_us", "not a plain decimal number"},
    {"TooManyDigits", kHostFile, "1.25", "1.0000001", "1.0000001", "launch_us", "more than 6 digits"},
    {"Quoted", kGpuFile, "num_sms: 4", "num_sms: \"4\"", "\"4\"", "num_sms", "is quoted"},
    {"ListForANumber", kGpuFile, "num_sms: 4", "num_sms: [4]", "[4]", "num_sms", "must be a number"},
    {"MappingForAName", kGpuFile, "tiny", "{}", "{}", "name", "must be a name"},
    {"NumberForAList", kGpuFile, "[16384, 49152]", "16384", "16384", "shared_memory_bytes", "must be a list"},
    {"NumberForAMapping", kGpuFile, "{clock_mhz: 500, num_lanes: 32}", "5", "5\nframework", "pcie",
     "must be a mapping"},
    {"EmptyList", kGpuFile, "[16384, 49152]", "[]", "[]", "shared_memory_bytes", "is empty"},
    {"NotAscending", kGpuFile, "[16384, 49152]", "[16384, 16384]", "16384]", "shared_memory_bytes.1", "not ascending"},
    {"BadListEntry", kGpuFile, "[16384, 49152]", "[x, 49152]", "x,", "shared_memory_bytes.0", "not an integer"},
    {"YesForTrue", kExperimentFile, "enable_context_check: true", "enable_context_check: yes", "yes",
     "checks.enable_context_check", "true or false"},
    {"UnknownWord", kExperimentFile, "policy: dss", "policy: dds", "dds", "scheduler.policy", "nearest is dss"},
    {"UnsupportedVersion", kHostFile, "schema_version: 1", "schema_version: 2", "2", "schema_version", "out of range"},
    {"BadName", kExperimentFile, "small_test", "Small/test", "Small", "name", "not a valid name"},
    {"NameOutsideAscii", kAppFile, "name: app", "name: \xC3\xA4", "\xC3\xA4", "name", "not a valid name"},
    {"DanglingReference", kExperimentFile, "parts/gpu.yaml", "parts/gpx.yaml", "parts/gpx", "gpu", "cannot be read"},
    {"FolderForAFile", kExperimentFile, "parts/gpu.yaml", "parts", "parts", "gpu", "directory"},
    {"OtherKindOfFile", kExperimentFile, "parts/gpu.yaml", "parts/app.yaml", "parts/app", "gpu",
     "is an application file"},
    {"CyclicInclude", kExperimentFile, "parts/gpu.yaml", "experiment.yaml", "experiment.yaml", "gpu",
     "refers to itself"},
    {"ListForAReference", kExperimentFile, "parts/gpu.yaml", "[]", "[]", "gpu", "must be a mapping"},
    {"Alias", kGpuFile, "[16384, 49152]", "[&a 16384, *a]", "*a", "", "alias"},
    {"Tag", kGpuFile, "num_sms: 4", "num_sms: !int 4", "!int", "", "tag"},
    {"SecondDocument", kHostFile, "launch_us: 1.25\n", "launch_us: 1.25\n---\nname: x\n", "---", "", "second document"},
    {"KeyThatIsAList", kHostFile, "launch_us: 1.25", "[a]: 1", "[a]", "", "a key must be a word"},
    {"ControlCharacter", kHostFile, "desk", "de\x04sk", "\x04", "", "control character"},
    {"SearchWiderThanTheGpu", kExperimentFile, "search_width: 2", "search_width: 5", "5}", "scheduler.search_width",
     "out of range"},
    {"NoProcesses", kExperimentFile,
     "\n    - {name: front, application: parts/app.yaml, priority: 3, tokens: 2, background: false, start_us: 1.5}\n   "
     " - {name: back, application: parts/app.yaml, background: true}",
     " []", "[]", "workload.processes", "is empty"},
    {"AllInTheBackground", kExperimentFile, "background: false", "background: true", "- {name: front",
     "workload.processes", "every process is in the background"},
    {"DuplicateProcess", kExperimentFile, "name: back", "name: front", "front, application: parts/app.yaml, background",
     "workload.processes.1.name", "duplicate name"},
    {"DuplicateKernel", kAppFile, "name: server", "name: first", "first, num_tbs: 8", "kernels.2.name",
     "duplicate name"},
    {"PriorityTooHigh", kExperimentFile, "priority: 3", "priority: 16", "16", "workload.processes.0.priority",
     "out of range"},
    {"NoTime", kAppFile, ", kernel_time_us: 2905.81", "", "{name: first", "kernels.0.kernel_time_us", "is missing"},
    {"QuotaAboveTheSlotsOfAnySm", kAppFile, "persistent: true", "persistent: true, max_tbs_per_sm: 65", "65}",
     "kernels.2.max_tbs_per_sm", "is out of range"},
    {"PointOfAPersistentKernel", kAppFile, "persistent: true", "persistent: true, idempotent_until: 3", "3}",
     "kernels.2.idempotent_until", "not valid for a persistent kernel"},
    {"CpiSpreadOfAPersistentKernel", kAppFile, "persistent: true", "persistent: true, work_share: 0.3", "0.3}",
     "kernels.2.work_share", "not valid for a persistent kernel"},
    {"SegmentSpreadOfAPersistentKernel", kAppFile, "persistent: true", "persistent: true, segment_cpi_spread: 0.3",
     "0.3}", "kernels.2.segment_cpi_spread", "not valid for a persistent kernel"},
    {"NeighbourSpreadOfAPersistentKernel", kAppFile, "persistent: true", "persistent: true, neighbour_cpi_spread: 0.3",
     "0.3}", "kernels.2.neighbour_cpi_spread", "not valid for a persistent kernel"},
    {"TimeOfAPersistentKernel", kAppFile, "persistent: true", "persistent: true, tb_time_us: 3", "3}",
     "kernels.2.tb_time_us", "not valid"},
    {"SpreadAboveOne", kAppFile, "spread: 0.1", "spread: 1.000001", "1.000001", "kernels.1.tb_time_spread",
     "out of range"},
    {"WorkShareAboveOne", kAppFile, "tb_time_spread: 0.1", "work_share: 1.000001", "1.000001", "kernels.1.work_share",
     "out of range"},
    {"SegmentSpreadThatLeavesNothing", kAppFile, "tb_time_spread: 0.1", "segment_cpi_spread: 0.900001", "0.900001",
     "kernels.1.segment_cpi_spread", "out of range"},
    {"NeighbourSpreadThatLeavesNothing", kAppFile, "tb_time_spread: 0.1", "neighbour_cpi_spread: 0.900001", "0.900001",
     "kernels.1.neighbour_cpi_spread", "out of range"},
    {"UnknownKernel", kAppFile, "kernel: second", "kernel: secnd", "secnd", "program.3.launch.kernel",
     "no such kernel"},
    {"UnknownStep", kAppFile, "  - synchronise: {}", "  - synchronize: {}", "synchronize", "program.4.synchronize",
     "unknown key"},
    {"TwoStepsInOne", kAppFile, "  - synchronise: {}", "  - {synchronise: {}, cpu: {time_us: 1}}",
     "{synchronise: {}, cpu", "program.4", "exactly one step"},
    {"StepWithoutBody", kAppFile, "  - synchronise: {}", "  - synchronise", "synchronise\n", "program.4",
     "must be a mapping"},
    {"StreamTooHigh", kAppFile, "stream: 1", "stream: 64", "64,", "program.1.copy.stream", "out of range"},
    {"CpuPhaseOfNoTime", kAppFile, "time_us: 100", "time_us: 0", "0}\n  - copy", "program.0.cpu.time_us",
     "out of range"},
    {"EmptyLoop", kAppFile, "\n        - launch: {kernel: first, stream: 2}\n        - synchronise: {stream: 2}", " []",
     "[]", "program.2.loop.body", "is empty"},
    {"TooManyRegisters", kAppFile, "regs_per_tb: 4096", "regs_per_tb: 65537", "65537", "kernels.0.regs_per_tb",
     "'first' fits no SM of GPU 'tiny', limited by registers"},
    {"TooMuchSharedMemory", kAppFile, "smem_bytes_per_tb: 20000", "smem_bytes_per_tb: 49153", "49153",
     "kernels.1.smem_bytes_per_tb", "limited by shared_memory"},
    {"TooManyThreads", kAppFile, "threads_per_tb: 64", "threads_per_tb: 2049", "2049", "kernels.1.threads_per_tb",
     "limited by threads"},
};

INSTANTIATE_TEST_SUITE_P(All, SpecMistake, testing::ValuesIn(kDamages),
                         [](const testing::TestParamInfo<Damage>& test) { return std::string(test.param.name); });

TEST(SpecMistakes, AKernelHasNoMoreThreadBlocksThanTheirNumbersCount) {
  const Files files;
  EXPECT_NO_THROW(files.load({"gpu.framework.tb_id_bits=7"}));  // 127, for 100
  EXPECT_THAT(files.mistakes({"gpu.framework.tb_id_bits=6"}),
              ElementsAre(mistake("kernels.0.num_tbs", "has more thread blocks than framework.tb_id_bits")));
}

TEST(SpecMistakes, SyntaxErrorsHaveTheirPosition) {
  Files files;
  files.replace(kHostFile, "name: desk", "name: [desk");
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(mistakes[0].file, files.path(kHostFile));
  EXPECT_GE(mistakes[0].line, files.position_of(kHostFile, "[desk").first);
  EXPECT_THAT(mistakes[0].problem, HasSubstr("YAML syntax"));
}

TEST(SpecMistakes, OfThreeFilesAndAnOverrideAreReportedTogetherInOrder) {
  Files files;
  files.replace(kExperimentFile, "priority: 3", "priority: 99");
  files.replace(kExperimentFile, "min_runs: 2", "min_run: 2");
  files.replace(kGpuFile, "num_sms: 4", "num_sms: 04");
  files.replace(kGpuFile, "706.5", "fast");
  files.replace(kAppFile, "num_tbs: 100", "num_tbs: 0");
  files.replace(kAppFile, "kernel: second", "kernel: third");
  const auto mistakes = files.mistakes({"seed=-1"});
  EXPECT_THAT(mistakes, UnorderedElementsAre(
                            mistake("workload.processes.0.priority", "out of range"),
                            mistake("stop.min_run", "unknown"), mistake("num_sms", "leading zeros"),
                            mistake("clock_mhz", "not a plain decimal"), mistake("kernels.0.num_tbs", "out of range"),
                            mistake("program.3.launch.kernel", "no such kernel"), mistake("seed", "is negative")));
  EXPECT_TRUE(std::is_sorted(mistakes.begin(), mistakes.end()));
}

TEST(SpecMistakes, ASyntaxErrorInOneFileDoesNotHideTheOthers) {
  Files files;
  files.replace(kGpuFile, "[16384, 49152]", "[16384");
  files.replace(kHostFile, "1.25", "x");
  files.replace(kAppFile, "count: 50", "count: 0");
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 3U);
  EXPECT_THAT(mistakes, UnorderedElementsAre(mistake("program.2.loop.count", "out of range"),
                                             mistake("", "YAML syntax"), mistake("launch_us", "not a plain decimal")));
}

TEST(SpecMistakes, UnknownKeyNamesTheNearestKnownOne) {
  Files files;
  files.replace(kGpuFile, "name: tiny", "name: tiny\nnum_dma_engine: 1");
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(mistakes[0].allowed, "nearest known key: num_dma_engines");
}

TEST(SpecMistakes, ValueAndRangeStandInTheMessage) {
  Files files;
  files.replace(kGpuFile, "num_sms: 4", "num_sms: 257");
  ASSERT_EQ(files.mistakes().size(), 1U);
  EXPECT_EQ(to_string(files.mistakes()[0]), files.path(kGpuFile) + ":4:10: num_sms: is out of range (257; 1 .. 256)");
}

TEST(SpecMistakes, TimePerTbNeedsTheTimeOfEveryKernelThatEnds) {
  const Files files;
  const auto mistakes = files.mistakes({"workload.time_base=time_per_tb"});
  EXPECT_THAT(mistakes, ElementsAre(mistake("kernels.0.tb_time_us", "is missing")));  // 1 has one, 2 is persistent
}

// ---- policies, techniques and the cores that have them ---------------------------------------------------------

std::vector<Diagnostic> mistakes_on(const Files& files, const std::vector<std::string>& overrides, Cores cores) {
  try {
    load_experiment(files.path(kExperimentFile), overrides, cores);
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(SpecMistakes, EveryPolicyExistsInTheModelsThatItsRowNames) {
  Files files;
  files.replace(kExperimentFile, "priority: 3", "deadline_us: 5");
  for (const PolicyInfo& policy : kPolicies) {
    if (policy.order == PolicyOrder::kPartition) continue;  // needs keys of its own: test_partitions.cpp
    for (const std::string key : {"scheduler", "baseline"}) {
      for (const Cores cores : {Cores::kTlm, Cores::kClocked, Cores::kBoth}) {
        const auto mistakes = mistakes_on(files, {key + ".policy=" + std::string(policy.name)}, cores);
        EXPECT_EQ(mistakes.empty(), includes(policy.cores, cores)) << policy.name;
      }
    }
  }
}

TEST(SpecMistakes, APolicyByDeadlinesNeedsAProcessThatHasOne) {
  const Files files;
  for (const std::string key : {"scheduler", "baseline"}) {
    EXPECT_THAT(files.mistakes({key + ".policy=edf"}), ElementsAre(mistake(key + ".policy", "no process has one")));
    EXPECT_THAT(files.mistakes({key + ".policy=edf", "workload.processes.1.deadline_us=5"}), ElementsAre());
  }
  EXPECT_THAT(files.mistakes({"workload.processes.1.deadline_us=5"}), ElementsAre()) << "other policies let it be";
  EXPECT_THAT(files.mistakes({"workload.processes.1.deadline_us=0"}),
              ElementsAre(mistake("workload.processes.1.deadline_us", "out of range")));
}

// Who never has a token never runs where debt is refused; where nobody holds an SM `gap` gives one.
TEST(SpecMistakes, WithoutDebtEveryProcessNeedsABudget) {
  const Files files;
  const std::string no_tokens = "workload.processes.0.tokens=0";
  for (const std::string key : {"scheduler", "baseline"}) {
    for (const std::string debt : {"lone", "never"}) {
      const std::vector<std::string> rule = {key + ".policy=dss", key + ".debt=" + debt};
      EXPECT_THAT(files.mistakes(rule), ElementsAre());
      EXPECT_THAT(files.mistakes({rule[0], rule[1], no_tokens}),
                  ElementsAre(mistake(key + ".debt", "has a budget of 0 SMs")));
      EXPECT_THAT(files.mistakes({rule[0], rule[1], "gpu.num_sms=1", "scheduler.search_width=1"}),
                  ElementsAre(mistake(key + ".debt", "has a budget of 0 SMs")))
          << "fewer SMs than processes";
      EXPECT_THAT(files.mistakes({"baseline.policy=ppq", "baseline.debt=" + debt, no_tokens}), ElementsAre())
          << "no matter there";
    }
    EXPECT_THAT(files.mistakes({key + ".policy=dss", key + ".debt=gap", no_tokens}), ElementsAre());
  }
  EXPECT_THAT(files.mistakes({"scheduler.debt=sometimes"}), ElementsAre(mistake("scheduler.debt", "unknown")));
}

TEST(SpecMistakes, KeysOfFlushingGoWithIt) {
  const Files files;
  const std::string flush = "scheduler.technique=flush";
  EXPECT_THAT(files.mistakes({flush, "scheduler.flush_fallback=drain", "scheduler.max_flushes_per_tb=15"}),
              ElementsAre());
  for (const std::string key : {"flush_fallback=drain", "max_flushes_per_tb=3"}) {
    EXPECT_THAT(files.mistakes({"scheduler." + key}),
                ElementsAre(mistake("scheduler." + key.substr(0, key.find('=')), "only valid with technique: flush")));
  }
  for (const std::string number : {"0", "16"}) {
    EXPECT_THAT(files.mistakes({flush, "scheduler.max_flushes_per_tb=" + number}),
                ElementsAre(mistake("scheduler.max_flushes_per_tb", "out of range")));
  }
  EXPECT_THAT(files.mistakes({flush, "scheduler.flush_fallback=flush"}),
              ElementsAre(mistake("scheduler.flush_fallback", "unknown")));
}

TEST(SpecMistakes, LoopsNestEightDeepAndNoDeeper) {
  const auto nested = [](int levels) {
    std::string program = "[{synchronise: {}}]";
    for (int i = 0; i < levels; ++i) program = "[{loop: {count: 1, body: " + program + "}}]";
    return "workload.processes.0.application.program=" + program;
  };
  const std::string other_name = "workload.processes.0.application.name=nested";
  const Files files;
  EXPECT_THAT(files.mistakes({nested(kMaxLoopNesting), other_name}), ElementsAre());
  const auto mistakes = files.mistakes({nested(kMaxLoopNesting + 1), other_name});
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(mistakes[0].problem, HasSubstr("nested too deeply"));
}

TEST(SpecMistakes, TwoDifferentApplicationsOfOneNameAreRefused) {
  const auto mistakes = Files().mistakes({"workload.processes.1.application.kernels.0.num_tbs=5"});
  EXPECT_THAT(mistakes, ElementsAre(mistake("name", "the same name")));
}

// A part that could not be read must not be taken for an empty one.
TEST(SpecMistakes, WhatStandsBehindAnAliasIsNotComplainedAboutAgain) {
  Files files;
  files.replace(kGpuFile, "num_sms: 4", "num_sms: &n 4");
  files.replace(kGpuFile, "registers_per_sm: 65536", "registers_per_sm: *n");
  files.replace(kAppFile, "{kernel: second}", "{kernel: &k second}");
  files.replace(kAppFile, "  - synchronise: {}", "  - launch: {kernel: *k}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("", "alias"), mistake("", "alias")));
}

TEST(SpecMistakes, UnreadableExperimentIsAnInputErrorToo) {
  EXPECT_THROW(load_experiment("/nonexistent/experiment.yaml"), InputError);
  EXPECT_THROW(load_experiment(std::filesystem::temp_directory_path()), InputError);
}

TEST(SpecMistakes, AFileOfAnotherKindIsOneMistakeAndNotOnePerKey) {
  const Files files;
  try {
    load_experiment(files.path(kGpuFile));
    FAIL() << "a GPU file is no experiment";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics(), ElementsAre(mistake("", "is a GPU file")));
  }
}

TEST(SpecMistakes, EmptyFilesAreReported) {
  for (const char* file : {kExperimentFile, kGpuFile, kHostFile, kAppFile}) {
    for (const char* text : {"", "# nothing\n", "---\n", "~\n", "5\n", "[1]\n"}) {
      Files files;
      files.write(file, text);
      const auto mistakes = files.mistakes();
      ASSERT_EQ(mistakes.size(), 1U) << file << " <" << text << ">";
      EXPECT_EQ(mistakes[0].file, files.path(file));
      EXPECT_THAT(mistakes[0].problem, HasSubstr("must be a mapping"));
    }
  }
}

struct BadOverride {
  const char* text;
  int column;
  const char* key;
  const char* problem;
};

TEST(SpecOverrideMistakes, HaveTheirColumnInTheTextAndTheFullKey) {
  const Files files;
  const std::vector<BadOverride> cases = {
      {"seed", 1, "", "is not an override"},
      {"=5", 1, "", "empty key"},
      {"gpu..num_sms=5", 5, "gpu..num_sms", "empty key"},
      {"gpu.num_sms=0", 13, "gpu.num_sms", "out of range"},
      {"gpu.num_sm=4", 5, "gpu.num_sm", "unknown key"},
      {"schedular.policy=dss", 1, "schedular", "unknown key"},
      {"seed.x=1", 6, "seed.x", "plain value"},
      {"gpu.num_sms.x=1", 13, "gpu.num_sms.x", "plain value"},
      {"workload.processes.2.priority=1", 20, "workload.processes.2", "no such entry"},
      {"workload.processes.front.priority=1", 20, "workload.processes.front", "no such entry"},
      {"gpu=parts/none.yaml", 5, "gpu", "cannot be read"},
      {"gpu=", 5, "gpu", "must be a mapping"},
      {"stop.min_runs=[", 15, "", "YAML syntax"},
      {"stop={min_runs: 1, max_time_us: -1}", 33, "stop.max_time_us", "is negative"},
      {"host.launch_us='1'", 16, "host.launch_us", "is quoted"},
      {"workload.processes.0.application.kernels.0.threads_per_tb=4096", 59,
       "workload.processes.0.application.kernels.0.threads_per_tb", "limited by threads"},
  };
  for (const BadOverride& bad : cases) {
    const auto all = files.mistakes({bad.text});
    ASSERT_THAT(all, ElementsAre(mistake(bad.key, bad.problem))) << bad.text;
    EXPECT_EQ(all[0].file, "--set");
    EXPECT_EQ(all[0].line, 1);
    EXPECT_EQ(all[0].column, bad.column) << bad.text;
  }
}

TEST(SpecMistakes, MoreProcessesThanHardwareQueuesAreReported) {
  Files files;
  files.replace(kGpuFile, "num_sms: 4", "num_sms: 4\nnum_hardware_queues: 1");
  EXPECT_THAT(validate_file(files.path(kExperimentFile)),
              ElementsAre(mistake("workload.processes", "too many processes")));
}

TEST(SpecMistakes, AThreadBlockHasRegisters) {
  Files files;
  files.replace(kAppFile, "regs_per_tb: 32,", "regs_per_tb: 0,");
  EXPECT_THAT(validate_file(files.path(kAppFile)), ElementsAre(mistake("kernels.2.regs_per_tb", "out of range")));
}

TEST(SpecMistakes, SettingAnSmUpTakesACycleAtLeast) {
  Files files;
  files.replace(kGpuFile, "sm_setup_cycles: 9", "sm_setup_cycles: 0");
  EXPECT_THAT(validate_file(files.path(kGpuFile)), ElementsAre(mistake("framework.sm_setup_cycles", "out of range")));
}

TEST(SpecValidate, RecognisesEveryKindOfFile) {
  const Files files;
  for (const char* file : {kExperimentFile, kGpuFile, kHostFile, kAppFile}) {
    EXPECT_THAT(validate_file(files.path(file)), ElementsAre()) << file;
  }
}

TEST(SpecValidate, ChecksEachKindByItsOwnRules) {
  Files files;
  files.replace(kExperimentFile, "seed: 7", "seed: x");
  files.replace(kGpuFile, "num_sms: 4", "num_sms: x");
  files.replace(kHostFile, "launch_us: 1.25", "launch_us: x");
  files.replace(kAppFile, "count: 50", "count: x");
  EXPECT_THAT(validate_file(files.path(kGpuFile)), ElementsAre(mistake("num_sms", "not an integer")));
  EXPECT_THAT(validate_file(files.path(kHostFile)), ElementsAre(mistake("launch_us", "not a plain")));
  EXPECT_THAT(validate_file(files.path(kAppFile)), ElementsAre(mistake("program.2.loop.count", "not an integer")));
  EXPECT_EQ(validate_file(files.path(kExperimentFile)).size(), 4U);
}

TEST(SpecValidate, SaysSoWhenAFileIsOfNoKind) {
  Files files;
  files.write("other.yaml", "colour: red\n");
  EXPECT_THAT(validate_file(files.path("other.yaml")), ElementsAre(mistake("", "cannot determine")));
  EXPECT_THAT(validate_file(files.path("absent.yaml")), ElementsAre(mistake("", "cannot be read")));
}

}  // namespace
}  // namespace tessera::spec
