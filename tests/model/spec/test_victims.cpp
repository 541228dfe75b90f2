// SPDX-License-Identifier: Apache-2.0
// Keys of the techniques that choose victims: what they are without a word, with whom they go, and that no word about
// them gets lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "model/spec/json_text.h"
#include "model/spec/names.h"
#include "model/spec/policies.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::mistake;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

// On the engine that has them.
class IdealFiles : public test::Files {
 public:
  IdealFiles() { replace("parts/gpu.yaml", "  sm_setup_cycles: 9", "  sm_setup_cycles: 9\n  engine: ideal"); }
};

const std::string kTechnique = "scheduler.technique=";
const std::vector<std::string> kVictimKeys = {"latency_limit_us=3", "estimator=oracle", "switch_pricing=per_tb",
                                              "enable_escalation=true", "candidate_sets=launch"};

std::string name_of_override(const std::string& override) { return override.substr(0, override.find('=')); }

// ---- what they are -------------------------------------------------------------------------------------------------

TEST(SpecVictims, EachTechniqueHasTheEstimatorOfItsPaperUnlessAnotherIsNamed) {
  const IdealFiles files;
  EXPECT_EQ(files.load({kTechnique + "chimera"}).scheduler.estimator, Estimator::kFinishedMean);
  EXPECT_EQ(files.load({kTechnique + "dual_kernel"}).scheduler.estimator, Estimator::kLeastSpread);
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    for (const auto& name : kNames<Estimator>) {
      const Spec spec = files.load({kTechnique + technique, "scheduler.estimator=" + std::string(name.text)});
      EXPECT_EQ(spec.scheduler.estimator, name.value) << technique;
    }
  }
}

TEST(SpecVictims, WithoutAWordTheLimitIs5UsAndTheChannelIsPriced) {
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    const SchedulerSpec scheduler = IdealFiles().load({kTechnique + technique}).scheduler;
    EXPECT_EQ(scheduler.latency_limit, 5'000'000U);
    EXPECT_EQ(scheduler.chimera_mix, ChimeraMix::kTb);
    EXPECT_EQ(scheduler.switch_pricing, SwitchPricing::kChannel);
    EXPECT_FALSE(scheduler.enable_escalation);
    EXPECT_EQ(scheduler.max_flushes_per_tb, 4U);
  }
}

// docs/guide/yaml_reference.md: what a baseline leaves out is as in `scheduler`.
TEST(SpecVictims, ABaselineOfTheSameTechniqueHasTheEstimatorOfTheScheduler) {
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    for (const auto& name : kNames<Estimator>) {
      const Spec spec = IdealFiles().load({kTechnique + technique, "scheduler.estimator=" + std::string(name.text)});
      EXPECT_EQ(spec.baseline->technique, spec.scheduler.technique);
      EXPECT_EQ(spec.baseline->estimator, name.value) << technique;
    }
  }
}

TEST(SpecVictims, ABaselineOfTheOtherTechniqueHasTheEstimatorOfItsOwnPaper) {
  const IdealFiles files;
  const auto baseline = [&](const std::string& scheduler, const std::string& other) {
    return files.load({kTechnique + scheduler, "baseline.technique=" + other}).baseline->estimator;
  };
  EXPECT_EQ(baseline("dual_kernel", "chimera"), Estimator::kFinishedMean);
  EXPECT_EQ(baseline("chimera", "dual_kernel"), Estimator::kLeastSpread);
  EXPECT_EQ(baseline("drain", "dual_kernel"), Estimator::kLeastSpread);
}

TEST(SpecVictims, LimitsReachFromNothingToAThousandSeconds) {
  const IdealFiles files;
  const std::string limit = "scheduler.latency_limit_us=";
  EXPECT_EQ(files.load({kTechnique + "chimera", limit + "0"}).scheduler.latency_limit, 0U);
  EXPECT_EQ(files.load({kTechnique + "chimera", limit + "0.000001"}).scheduler.latency_limit, 1U);
  EXPECT_THAT(files.mistakes({kTechnique + "chimera", limit + "1000000000"}), IsEmpty());
  EXPECT_THAT(files.mistakes({kTechnique + "chimera", limit + "1000000000.000001"}),
              ElementsAre(mistake("scheduler.latency_limit_us", "out of range")));
  EXPECT_THAT(files.mistakes({kTechnique + "chimera", limit + "-1"}),
              ElementsAre(mistake("scheduler.latency_limit_us", "is negative")));
}

// ---- with whom they go ---------------------------------------------------------------------------------------------

TEST(SpecVictims, KeysOfVictimsGoWithTechniquesThatChooseThem) {
  const IdealFiles files;
  for (const TechniqueInfo& technique : kTechniques) {
    for (const std::string& key : kVictimKeys) {
      const auto mistakes = files.mistakes({kTechnique + std::string(technique.name), "scheduler." + key});
      if (technique.chooses_victims) {
        EXPECT_THAT(mistakes, IsEmpty()) << technique.name << ' ' << key;
      } else {
        EXPECT_THAT(mistakes, ElementsAre(mistake("scheduler." + name_of_override(key), "chimera or dual_kernel")));
      }
    }
  }
}

TEST(SpecVictims, OnlyChimeraHasAMix) {
  const IdealFiles files;
  for (const TechniqueInfo& technique : kTechniques) {
    const auto mistakes = files.mistakes({kTechnique + std::string(technique.name), "scheduler.chimera_mix=sm"});
    if (technique.kind == TechniqueKind::kChimera) {
      EXPECT_THAT(mistakes, IsEmpty());
    } else {
      EXPECT_THAT(mistakes, ElementsAre(mistake("scheduler.chimera_mix", "only valid with technique: chimera")));
    }
  }
}

TEST(SpecVictims, TheyFlushButHaveNoFallback) {
  const IdealFiles files;
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    EXPECT_THAT(files.mistakes({kTechnique + technique, "scheduler.max_flushes_per_tb=15"}), IsEmpty());
    EXPECT_THAT(files.mistakes({kTechnique + technique, "scheduler.flush_fallback=drain"}),
                ElementsAre(mistake("scheduler.flush_fallback", "only valid with technique: flush")));
  }
}

TEST(SpecVictims, TheyFillInEitherOrderAndTakeWhatIsNeededOrAll) {
  const IdealFiles files;
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    for (const std::string key : {"fill=breadth_first", "fill=depth_first"})
      EXPECT_THAT(files.mistakes({kTechnique + technique, "scheduler." + key}), IsEmpty());
    EXPECT_THAT(files.mistakes({kTechnique + technique, "scheduler.exclusive_scope=all", "scheduler.policy=ppq"}),
                IsEmpty());
  }
}

std::vector<std::string> with_speedup(std::vector<std::string> overrides, const std::string& value) {
  for (const char* process : {"0", "1"}) {
    overrides.push_back(std::string("workload.processes.") + process +
                        ".application.kernels.0.occupancy_speedup=" + value);
  }
  return overrides;
}

// The speed of thread blocks hangs on who is beside them: others could not tell when one ends.
TEST(SpecVictims, OnlyTheyKnowKernelsWhoseSpeedChanges) {
  const IdealFiles files;
  const auto unknown_in = [](const char* owner) {
    return mistake(std::string(owner) + ".technique", "does not support occupancy_speedup");
  };
  for (const TechniqueInfo& technique : kTechniques) {
    const auto mistakes = files.mistakes(with_speedup({kTechnique + std::string(technique.name)}, "-0.25"));
    if (technique.chooses_victims) {
      EXPECT_THAT(mistakes, IsEmpty());
    } else {
      EXPECT_THAT(mistakes, ElementsAre(unknown_in("scheduler")));
    }
  }
  const Spec spec = files.load(with_speedup({kTechnique + "chimera"}, "-0.25"));
  EXPECT_EQ(spec.applications[0].kernels[0].occupancy_speedup_ppm, -250'000);
  EXPECT_THAT(files.mistakes(with_speedup({kTechnique + "chimera", "baseline.technique=drain"}, "-0.25")),
              ElementsAre(unknown_in("baseline")));
}

TEST(SpecVictims, ASpeedupLiesBetweenMinusOneAndOne) {
  const auto speed_of = [](const std::string& value) {
    return IdealFiles().mistakes(with_speedup({kTechnique + "chimera"}, value));
  };
  for (const char* good : {"0", "1", "-1", "-0.000001", "0.5"}) EXPECT_THAT(speed_of(good), IsEmpty()) << good;
  for (const char* bad : {"1.1", "-1.000001", "--1", "-", "much"})
    EXPECT_THAT(speed_of(bad), testing::SizeIs(2)) << bad;  // one of each process
}

TEST(SpecVictims, UnknownWordsNameTheNearest) {
  const auto nearest = [](const std::string& key, const std::string& word) {
    const auto mistakes = IdealFiles().mistakes({kTechnique + "chimera", "scheduler." + key + "=" + word});
    return mistakes.size() == 1 && mistakes[0].key == "scheduler." + key ? mistakes[0].problem + mistakes[0].allowed
                                                                         : "other mistakes";
  };
  EXPECT_THAT(nearest("estimator", "orakle"), HasSubstr("nearest is oracle"));
  EXPECT_THAT(nearest("estimator", "finished"), HasSubstr("nearest is finished_mean"));
  EXPECT_THAT(nearest("switch_pricing", "chanel"), HasSubstr("nearest is channel"));
  EXPECT_THAT(nearest("chimera_mix", "tbs"), HasSubstr("nearest is tb"));
}

// One line, also where further keys depend on the technique that could not be read.
TEST(SpecVictims, AMisspeltTechniqueIsOneMistake) {
  for (const std::string key :
       {"latency_limit_us=3", "chimera_mix=sm", "max_flushes_per_tb=2", "flush_fallback=drain"}) {
    EXPECT_THAT(IdealFiles().mistakes({kTechnique + "chimra", "scheduler." + key}),
                ElementsAre(mistake("scheduler.technique", "nearest is chimera")))
        << key;
  }
}

TEST(SpecVictims, CoresWithoutTheTechniqueRefuseItInOneLine) {
  const IdealFiles files;
  const auto refuse = [&](const std::vector<std::string>& overrides, Cores cores) -> std::vector<Diagnostic> {
    try {
      load_experiment(files.path("experiment.yaml"), overrides, cores);
    } catch (const InputError& error) {
      return error.diagnostics();
    }
    return {};
  };
  const std::string engine = "gpu.framework.engine=serialised";
  for (const TechniqueInfo& technique : kTechniques) {
    if (!technique.chooses_victims) continue;
    for (const Cores cores : {Cores::kClocked, Cores::kBoth}) {
      const auto mistakes =
          refuse({kTechnique + std::string(technique.name), "scheduler.latency_limit_us=3", engine}, cores);
      if (includes(technique.cores, cores)) {
        EXPECT_THAT(mistakes, IsEmpty());
      } else {
        EXPECT_THAT(mistakes, ElementsAre(Field("key", &Diagnostic::key, "scheduler.technique"))) << technique.name;
      }
    }
  }
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

auto victims_of(const SchedulerSpec& s) {
  return std::make_tuple(s.technique, s.latency_limit, s.chimera_mix, s.estimator, s.switch_pricing,
                         s.enable_escalation, s.max_flushes_per_tb);
}

// The applications go back into the processes that name them: an experiment file again, since JSON is YAML.
Spec read_back(const Spec& spec) {
  auto json = to_json(spec);
  for (auto& process : json["workload"]["processes"]) {
    for (const auto& application : json["applications"]) {
      if (application["name"] == process["application"]) {
        process["application"] = application;
        break;
      }
    }
  }
  json.erase("applications");
  IdealFiles files;
  files.write("experiment.yaml", json_text(json, 2));
  return files.load();
}

TEST(SpecVictims, JsonReadsBackToTheSameSpec) {
  const std::vector<std::vector<std::string>> cases = {
      {kTechnique + "chimera"},
      {kTechnique + "dual_kernel"},
      {kTechnique + "chimera", "scheduler.chimera_mix=sm", "scheduler.latency_limit_us=2.000001"},
      {kTechnique + "chimera", "scheduler.estimator=least_spread", "scheduler.switch_pricing=per_tb"},
      {kTechnique + "dual_kernel", "scheduler.estimator=oracle", "scheduler.enable_escalation=true"},
      {kTechnique + "dual_kernel", "scheduler.estimator=finished_mean", "scheduler.max_flushes_per_tb=9"},
      {kTechnique + "dual_kernel", "scheduler.estimator=oracle", "baseline.technique=chimera"},
      {kTechnique + "drain", "baseline.technique=dual_kernel", "baseline.latency_limit_us=4"},
  };
  for (const auto& overrides : cases) {
    const Spec first = IdealFiles().load(overrides);
    const Spec second = read_back(first);
    EXPECT_EQ(victims_of(first.scheduler), victims_of(second.scheduler)) << overrides.back();
    EXPECT_EQ(victims_of(*first.baseline), victims_of(*second.baseline)) << overrides.back();
    EXPECT_EQ(content_hash(first), content_hash(second)) << overrides.back();
  }
}

TEST(SpecVictims, EveryKeyOfThemChangesTheHash) {
  std::set<std::string> hashes = {content_hash(IdealFiles().load({kTechnique + "chimera"}))};
  std::vector<std::string> keys = kVictimKeys;
  keys.insert(keys.end(), {"chimera_mix=sm", "max_flushes_per_tb=3"});
  for (const std::string& key : keys) {
    hashes.insert(content_hash(IdealFiles().load({kTechnique + "chimera", "scheduler." + key})));
  }
  EXPECT_EQ(hashes.size(), keys.size() + 1);
}

}  // namespace
}  // namespace tessera::spec
