// SPDX-License-Identifier: Apache-2.0
// `contention` of an experiment and `kind` of a kernel: what they say, and each mistake once, where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/document.h"
#include "model/spec/file_kind.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::IsEmpty;

// A kernel that computes, one that moves bytes and one of no kind.
class ContentionFiles : public Files {
 public:
  ContentionFiles() {
    replace("parts/app.yaml", "name: first,", "name: first, kind: compute,");
    replace("parts/app.yaml", "- name: second", "- name: second\n    kind: memory");
    replace("experiment.yaml", "stop:", "contention: {model: co_running}\nstop:");
  }

  std::vector<Diagnostic> mistakes_on(Cores cores) const {
    try {
      load_experiment(path("experiment.yaml"), {}, cores);
    } catch (const InputError& error) {
      return error.diagnostics();
    }
    return {};
  }
};

TEST(SpecContention, IsThatOfThePaperInAPartitionUnlessGiven) {
  const Spec spec = ContentionFiles().load();
  EXPECT_TRUE(spec.contention.is_on());
  EXPECT_EQ(spec.contention.domain, ContentionDomain::kPartition);
  EXPECT_EQ(spec.contention.factor_ppm_of(KernelKind::kCompute), 1'200'000U);
  EXPECT_EQ(spec.contention.factor_ppm_of(KernelKind::kMemory), 2'300'000U);
  const std::vector<KernelSpec>& kernels = spec.applications.at(0).kernels;
  EXPECT_EQ(kernels[0].kind, KernelKind::kCompute);
  EXPECT_EQ(kernels[1].kind, KernelKind::kMemory);
  EXPECT_EQ(kernels[2].kind, std::nullopt);
}

TEST(SpecContention, ThereIsNoneUnlessAskedFor) {
  EXPECT_FALSE(Files().load().contention.is_on());
  EXPECT_FALSE(ContentionFiles().load({"contention.model=none"}).contention.is_on());
  EXPECT_FALSE(to_json(Files().load()).contains("contention"));
  EXPECT_FALSE(to_json(Files().load().applications.at(0)).at("kernels").at(0).contains("kind"));
}

TEST(SpecContention, IsReadBackFromResultsAsItWas) {
  const Spec spec = ContentionFiles().load({"contention.domain=gpu", "contention.memory=1.000001"});
  const auto json = to_json(spec);
  EXPECT_EQ(json.at("contention").dump(), R"({"model":"co_running","domain":"gpu","compute":1.2,"memory":1.000001})");
  EXPECT_EQ(json.at("applications").at(0).at("kernels").at(1).at("kind"), "memory");
}

// A task set has `contention`, too.
TEST(SpecContention, AnExperimentThatLacksItsWorkloadIsStillOne) {
  Report report;
  const Node root = parse_document("gpu: a.yaml\nscheduler: {policy: edf}\ncontention: {model: co_running}\n",
                                   {"cut.yaml", 1, 1}, report);
  EXPECT_THAT(likely_kinds(root), ElementsAre(FileKind::kExperiment));
}

TEST(SpecContention, AFactorIsOneOrMore) {
  EXPECT_THAT(ContentionFiles().mistakes({"contention.compute=1", "contention.memory=1000"}), IsEmpty());
  EXPECT_THAT(ContentionFiles().mistakes({"contention.compute=0.999999"}),
              ElementsAre(mistake("contention.compute", "out of range")));
  EXPECT_THAT(ContentionFiles().mistakes({"contention.memory=0.5"}),
              ElementsAre(mistake("contention.memory", "out of range")));
}

TEST(SpecContention, WordsAndKeysAreKnownOnes) {
  EXPECT_THAT(ContentionFiles().mistakes({"contention.model=static"}),
              ElementsAre(mistake("contention.model", "is unknown")));
  EXPECT_THAT(ContentionFiles().mistakes({"contention.domain=sm"}),
              ElementsAre(mistake("contention.domain", "is unknown")));
  EXPECT_THAT(ContentionFiles().mistakes({"contention.io=2"}), ElementsAre(mistake("contention.io", "unknown key")));
  ContentionFiles files;
  files.replace("parts/app.yaml", "kind: memory", "kind: storage");
  EXPECT_THAT(files.mistakes(),
              testing::AllOf(testing::Not(IsEmpty()), testing::Each(mistake("kernels.1.kind", "is unknown"))));
}

TEST(SpecContention, NeedsAKernelThatHasAKind) {
  ContentionFiles files;
  files.replace("parts/app.yaml", "kind: compute,", "");
  EXPECT_THAT(files.mistakes(), IsEmpty());
  files.replace("parts/app.yaml", "kind: memory", "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("contention.model", "no kernel has a kind")));
  EXPECT_THAT(files.mistakes({"contention.model=none"}), IsEmpty());
}

TEST(SpecContention, TechniquesThatLookAtTimesOfThreadBlocksDoNotKnowIt) {
  for (const char* technique : {"flush", "chimera", "dual_kernel"}) {
    const std::string word = technique;
    const std::string engine = "gpu.framework.engine=ideal";
    EXPECT_THAT(ContentionFiles().mistakes({"scheduler.technique=" + word, engine}),
                ElementsAre(mistake("scheduler.technique", "does not support contention")));
    EXPECT_THAT(ContentionFiles().mistakes({"baseline.technique=" + word, engine}),
                ElementsAre(mistake("baseline.technique", "does not support contention")));
    EXPECT_THAT(Files().mistakes({"scheduler.technique=" + word, engine}), IsEmpty());
  }
  EXPECT_THAT(ContentionFiles().mistakes({"scheduler.technique=context_switch"}), IsEmpty());
}

TEST(SpecContention, ClockedModelsDoNotHaveIt) {
  EXPECT_THAT(ContentionFiles().mistakes_on(Cores::kTlm), IsEmpty());
  for (const Cores cores : {Cores::kClocked, Cores::kBoth}) {
    EXPECT_THAT(ContentionFiles().mistakes_on(cores), ElementsAre(mistake("contention.model", "this abstraction")));
  }
}

TEST(SpecContention, EventDrivenKernelsDoNotHaveIt) {
  ContentionFiles files;
  files.replace("parts/app.yaml", "persistent: true", "event_driven: {loop: {count: 1, body: [{callback_us: 5}]}}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("contention.model", "event-driven")));
  EXPECT_THAT(files.mistakes({"contention.model=none"}), IsEmpty());
}

}  // namespace
}  // namespace tessera::spec
