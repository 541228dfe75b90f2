// SPDX-License-Identifier: Apache-2.0
// Presets of partitions: which SMs they come to, how they are read back, and each mistake once, where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;

constexpr const char* kPresetFile = "experiment.yaml";

// Two processes, in a and b, on so many SMs.
class PresetFiles : public Files {
 public:
  explicit PresetFiles(const std::string& partitions, int num_sms = 16) {
    replace(kPresetFile, "policy: dss, technique: drain, token_scope: process, search_width: 2",
            "policy: static_partition, partitions: " + partitions);
    replace(kPresetFile, "priority: 3, tokens: 2", "partition: a, deadline_us: 500, priority: 3");
    replace(kPresetFile, "name: back,", "name: back, partition: b,");
    replace("parts/gpu.yaml", "sm_setup_cycles: 9", "num_ksrs: 6\n  engine: ideal");  // which has masks that overlap
    replace("parts/gpu.yaml", "num_sms: 4", "num_sms: " + std::to_string(num_sms));
  }
};

std::vector<std::uint32_t> range(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> sms;
  for (std::uint32_t sm = from; sm < to; ++sm) sms.push_back(sm);
  return sms;
}

// ---- slices ------------------------------------------------------------------------------------------------------

// An A100 lists 14, 28, 42, 56 and 98 SMs.
TEST(MigPreset, AnA100HasSevenSlicesOfFourteenSmsAndLosesTen) {
  const Spec spec =
      PresetFiles("{preset: mig, instances: [{name: a, slices: 4}, {name: b, slices: 2}, {name: c, slices: 1}]}", 108)
          .load();
  ASSERT_EQ(spec.partitions.size(), 3U);
  EXPECT_EQ(spec.partitions[0].sms, range(0, 56));
  EXPECT_EQ(spec.partitions[1].sms, range(56, 84));
  EXPECT_EQ(spec.partitions[2].sms, range(84, 98));
  EXPECT_EQ(sms_of_rounding(spec), 10U);
  EXPECT_FALSE(shared_sms(spec).any());
}

TEST(MigPreset, ASliceIsTheLargestNumberOfPairsThatAllSevenCanHave) {
  EXPECT_EQ(default_slice_sms(108), 14U);
  EXPECT_EQ(default_slice_sms(68), 8U);
  EXPECT_EQ(default_slice_sms(14), 2U);
  EXPECT_EQ(default_slice_sms(13), 0U);
}

TEST(MigPreset, TheSizeOfASliceCanBeGiven) {
  const Spec spec =
      PresetFiles("{preset: mig, slice_sms: 1, instances: [{name: a, slices: 3}, {name: b, slices: 1}]}", 9).load();
  EXPECT_THAT(spec.partitions[0].sms, ElementsAre(0, 1, 2));
  EXPECT_THAT(spec.partitions[1].sms, ElementsAre(3));
  EXPECT_EQ(sms_of_rounding(spec), 2U);
}

// Of a GPU whose file lists its instances.
class ListedFiles : public PresetFiles {
 public:
  ListedFiles(const std::string& partitions, int num_sms, const std::string& mig) : PresetFiles(partitions, num_sms) {
    replace("parts/gpu.yaml", "num_sms: " + std::to_string(num_sms),
            "num_sms: " + std::to_string(num_sms) + "\nmig: " + mig);
  }
};
// As nvidia-smi mig -lgip has them for an H100 of 80 GB: no multiples of one size.
constexpr const char* kH100 =
    "{slices: 7, memory_slices: 8, instances: [{slices: 1, memory_slices: 1, sms: 16}, {slices: 2, memory_slices: 2, "
    "sms: "
    "32}, {slices: 3, memory_slices: 4, sms: 60}, {slices: 4, memory_slices: 4, sms: 64}, {slices: 7, memory_slices: "
    "8, "
    "sms: 132}]}";

TEST(MigPreset, AGpusOwnInstancesAreThoseOfItsFile) {
  const Spec spec =
      ListedFiles("{preset: mig, instances: [{name: a, slices: 3}, {name: b, slices: 2}]}", 132, kH100).load();
  EXPECT_EQ(spec.partitions[0].sms, range(0, 60));
  EXPECT_EQ(spec.partitions[1].sms, range(60, 92));
  EXPECT_FALSE(spec.preset->is_hypothetical);
  EXPECT_EQ(sms_of_rounding(spec), 0U) << "the largest instance has all";
  EXPECT_FALSE(to_json(spec)["scheduler"]["partitions"].contains("slice_sms"));
}

TEST(MigPreset, SlicesOfAnotherSizeAreAHypotheticalGpus) {
  const Spec spec =
      ListedFiles("{preset: mig, slice_sms: 18, instances: [{name: a, slices: 3}, {name: b, slices: 2}]}", 132, kH100)
          .load();
  EXPECT_EQ(spec.partitions[0].sms, range(0, 54));
  EXPECT_TRUE(spec.preset->is_hypothetical);
  EXPECT_EQ(sms_of_rounding(spec), 132U - 7 * 18);
}

TEST(MigPreset, InstancesThatTheCardDoesNotListAreRefused) {
  const char* const a30 =
      "{slices: 4, memory_slices: 4, instances: [{slices: 1, memory_slices: 1, sms: 14}, {slices: 2, memory_slices: 2, "
      "sms: "
      "28}, {slices: 4, memory_slices: 4, sms: 56}]}";
  EXPECT_THAT(ListedFiles("{preset: mig, instances: [{name: a, slices: 3}, {name: b, slices: 1}]}", 56, a30).mistakes(),
              ElementsAre(mistake("scheduler.partitions.instances.0.slices", "no instance has so many slices")));
  EXPECT_THAT(ListedFiles("{preset: mig, instances: [{name: a, slices: 4}, {name: b, slices: 1}]}", 56, a30).mistakes(),
              ElementsAre(mistake("scheduler.partitions.instances.1.slices", "more slices")));
  EXPECT_THAT(ListedFiles("{preset: mig, instances: [{name: a, slices: 2}, {name: b, slices: 1}]}", 40, a30).mistakes(),
              ElementsAre(mistake("scheduler.partitions.preset", "fewer SMs than its largest instance")));
}

TEST(MigPreset, ATableOfInstancesIsInOrderAndWithinTheCard) {
  const auto mistakes_of = [](const std::string& instances) {
    return ListedFiles("{preset: mps, clients: [{name: a, percent: 9}, {name: b, percent: 9}]}", 56,
                       "{slices: 4, memory_slices: 4, instances: [" + instances + "]}")
        .mistakes();
  };
  EXPECT_THAT(mistakes_of("{slices: 5, memory_slices: 1, sms: 9}"),
              ElementsAre(mistake("mig.instances.0.slices", "is more than the card has")));
  EXPECT_THAT(mistakes_of("{slices: 2, memory_slices: 1, sms: 9}, {slices: 1, memory_slices: 1, sms: 9}"),
              ElementsAre(mistake("mig.instances.1", "has no more slices than the one before it")));
}

// What the placements of an A100 allow, and no more: an instance of three slices has four of the eight of memory.
TEST(MigPreset, InstancesHaveComputeSlicesAndMemorySlices) {
  const auto mistakes_of = [](const std::vector<int>& sizes) {
    std::string instances;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      instances += (i > 0 ? ", {name: " : "{name: ") + std::string(1, static_cast<char>('a' + i)) +
                   ", slices: " + std::to_string(sizes[i]) + "}";
    }
    return PresetFiles("{preset: mig, instances: [" + instances + "]}").mistakes();
  };
  for (const std::vector<int>& sizes :
       {std::vector{3, 3}, {4, 3}, {3, 2, 2}, {3, 1, 1, 1, 1}, {2, 2, 2, 1}, {4, 2, 1}, {1, 1, 1, 1, 1, 1, 1}}) {
    EXPECT_THAT(mistakes_of(sizes), ElementsAre()) << sizes.front();
  }
  EXPECT_THAT(mistakes_of({4, 4}), ElementsAre(mistake("scheduler.partitions.instances.1.slices", "more slices")));
  EXPECT_THAT(mistakes_of({7, 1}), ElementsAre(mistake("scheduler.partitions.instances.1.slices", "more slices")));
  EXPECT_THAT(mistakes_of({3, 3, 1}),
              ElementsAre(mistake("scheduler.partitions.instances.2.slices", "takes more memory slices")));
  EXPECT_THAT(mistakes_of({1, 1, 1, 1, 1, 1, 2}),
              ElementsAre(mistake("scheduler.partitions.instances.6.slices", "more slices")));
}

// ---- masks -------------------------------------------------------------------------------------------------------

TEST(MpsPreset, MasksAreSharesInPairsOneAfterTheOther) {
  // 30 % of 16 SMs are 4.8: 5, which are three pairs; 12.5 % are two SMs.
  const Spec spec = PresetFiles("{preset: mps, clients: [{name: a, percent: 30}, {name: b, percent: 12.5}]}").load();
  EXPECT_EQ(spec.partitions[0].sms, range(0, 6));
  EXPECT_THAT(spec.partitions[1].sms, ElementsAre(6, 7));
  EXPECT_EQ(sms_of_rounding(spec), 1U);
  EXPECT_FALSE(shared_sms(spec).any());
  EXPECT_EQ(partition_of_sms(spec).back(), 2U) << "in none";
}

TEST(MpsPreset, MasksGoRoundTheGpuAndOverlapOnlyWhereItIsTooSmall) {
  const Spec spec = PresetFiles("{preset: mps, clients: [{name: a, percent: 50}, {name: b, percent: 75}]}").load();
  EXPECT_EQ(spec.partitions[0].sms, range(0, 8));
  EXPECT_THAT(spec.partitions[1].sms, ElementsAre(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3));
  EXPECT_EQ(shared_sms(spec).size(), 4U);
  EXPECT_TRUE(shared_sms(spec).has(3) && !shared_sms(spec).has(4));
  EXPECT_EQ(partition_of_sms(spec)[0], 0U) << "of several the first";
}

TEST(MpsPreset, MasksThatOverlapNeedTheIdealEngine) {
  const auto mistakes_of = [](const std::string& percent) {
    return PresetFiles("{preset: mps, clients: [{name: a, percent: 50}, {name: b, percent: " + percent + "}]}")
        .mistakes({"gpu.framework.engine=serialised"});
  };
  EXPECT_THAT(mistakes_of("50"), ElementsAre());
  const auto mistakes = mistakes_of("75");
  EXPECT_THAT(mistakes, ElementsAre(mistake("scheduler.partitions", "masks overlap")));
  EXPECT_THAT(mistakes.at(0).allowed, testing::HasSubstr("framework.engine: ideal"));
}

TEST(MpsPreset, NoMaskIsLargerThanTheGpu) {
  const Spec spec =
      PresetFiles("{preset: mps, clients: [{name: a, percent: 100}, {name: b, percent: 0.01}]}", 13).load();
  EXPECT_EQ(spec.partitions[0].sms, range(0, 13));
  EXPECT_THAT(spec.partitions[1].sms, ElementsAre(0, 1));
}

TEST(Presets, AreReadBackFromResultsAsTheyWere) {
  for (const std::string preset :
       {R"({"preset":"mig","slice_sms":2,"instances":[{"name":"a","slices":4},{"name":"b","slices":3}]})",
        R"({"preset":"mps","clients":[{"name":"a","percent":12.5},{"name":"b","percent":100}]})"}) {
    const Spec spec = PresetFiles(preset).load();
    EXPECT_EQ(to_json(spec).at("scheduler").at("partitions").dump(), preset);
  }
}

// ---- mistakes ------------------------------------------------------------------------------------------------------

struct PresetMistake {
  const char* name;
  const char* partitions;
  const char* key;
  const char* problem;
};
void PrintTo(const PresetMistake& damage, std::ostream* out) { *out << damage.name; }

class SpecPresetMistake : public testing::TestWithParam<PresetMistake> {};

TEST_P(SpecPresetMistake, IsReportedOnce) {
  EXPECT_THAT(PresetFiles(GetParam().partitions).mistakes(), ElementsAre(mistake(GetParam().key, GetParam().problem)));
}

constexpr PresetMistake kPresetMistakes[] = {
    {"NeitherListNorMapping", "mig", "scheduler.partitions", "must be a list or a mapping"},
    {"NoPreset", "{instances: [{name: a, slices: 1}, {name: b, slices: 1}]}", "scheduler.partitions.preset",
     "is missing"},
    {"UnknownPreset", "{preset: mid, instances: [{name: a, slices: 1}]}", "scheduler.partitions.preset", "is unknown"},
    {"NoInstances", "{preset: mig}", "scheduler.partitions.instances", "is missing"},
    {"EmptyInstances", "{preset: mig, instances: []}", "scheduler.partitions.instances", "is empty"},
    {"NoClients", "{preset: mps}", "scheduler.partitions.clients", "is missing"},
    {"ClientsOfMig", "{preset: mig, instances: [{name: a, slices: 1}, {name: b, slices: 1}], clients: []}",
     "scheduler.partitions.clients", "cannot be combined with preset: mig"},
    {"SlicesOfMps", "{preset: mps, clients: [{name: a, percent: 9}, {name: b, percent: 9}], slice_sms: 2}",
     "scheduler.partitions.slice_sms", "cannot be combined with preset: mps"},
    {"UnknownKey", "{preset: mps, clients: [{name: a, percent: 9}, {name: b, percent: 9}], overlap: true}",
     "scheduler.partitions.overlap", "unknown key"},
    {"FiveSlices", "{preset: mig, instances: [{name: a, slices: 5}, {name: b, slices: 1}]}",
     "scheduler.partitions.instances.0.slices", "no instance has so many slices"},
    {"EightSlices", "{preset: mig, instances: [{name: a, slices: 8}, {name: b, slices: 1}]}",
     "scheduler.partitions.instances.0.slices", "out of range"},
    {"NoSlices", "{preset: mig, instances: [{name: a}, {name: b, slices: 1}]}",
     "scheduler.partitions.instances.0.slices", "is missing"},
    {"SliceTooLarge", "{preset: mig, slice_sms: 3, instances: [{name: a, slices: 1}, {name: b, slices: 1}]}",
     "scheduler.partitions.slice_sms", "out of range"},
    {"InstancesOfOneName", "{preset: mig, instances: [{name: a, slices: 1}, {name: a, slices: 1}]}",
     "scheduler.partitions.instances.1.name", "duplicate name"},
    {"NoShare", "{preset: mps, clients: [{name: a, percent: 0}, {name: b, percent: 9}]}",
     "scheduler.partitions.clients.0.percent", "out of range"},
    {"MoreThanAllOfIt", "{preset: mps, clients: [{name: a, percent: 101}, {name: b, percent: 9}]}",
     "scheduler.partitions.clients.0.percent", "out of range"},
};
INSTANTIATE_TEST_SUITE_P(All, SpecPresetMistake, testing::ValuesIn(kPresetMistakes),
                         [](const testing::TestParamInfo<PresetMistake>& test) { return test.param.name; });

TEST(SpecPresetMistakes, SevenSlicesNeedAsManyPairs) {
  const std::string instances = "instances: [{name: a, slices: 1}, {name: b, slices: 1}]}";
  EXPECT_THAT(PresetFiles("{preset: mig, " + instances, 13).mistakes(),
              ElementsAre(mistake("scheduler.partitions.preset", "too few SMs for seven slices")));
  EXPECT_THAT(PresetFiles("{preset: mig, slice_sms: 1, " + instances, 6).mistakes(),
              ElementsAre(mistake("scheduler.partitions.preset", "too few SMs for seven slices")));
  EXPECT_THAT(PresetFiles("{preset: mig, slice_sms: 1, " + instances, 13).mistakes(), ElementsAre());
}

TEST(SpecPresetMistakes, MpsHasSoManyClients) {
  std::string clients = "{name: a, percent: 1}, {name: b, percent: 1}";
  for (int i = 2; i < 48; ++i) clients += ", {name: c" + std::to_string(i) + ", percent: 1}";
  EXPECT_THAT(PresetFiles("{preset: mps, clients: [" + clients + "]}", 100).mistakes(), ElementsAre());
  EXPECT_THAT(PresetFiles("{preset: mps, clients: [" + clients + ", {name: d, percent: 1}]}", 100).mistakes(),
              ElementsAre(mistake("scheduler.partitions.clients", "too many entries")));
  EXPECT_THAT(PresetFiles("{preset: mps, clients: [" + clients + "]}", 40).mistakes(),
              ElementsAre(mistake("scheduler.partitions.clients", "too many entries")))
      << "no more than SMs";
}

TEST(SpecPresetMistakes, PartitionsThatShareSmsAreNoDomainsOfContention) {
  const std::vector<std::string> contention{"contention.model=co_running",
                                            "workload.processes.0.application.kernels.0.kind=compute",
                                            "workload.processes.1.application.kernels.0.kind=compute"};
  const auto clients = [](const char* percent) {
    return std::string("{preset: mps, clients: [{name: a, percent: 50}, {name: b, percent: ") + percent + "}]}";
  };
  EXPECT_THAT(PresetFiles(clients("50")).mistakes(contention), ElementsAre());
  EXPECT_THAT(PresetFiles(clients("51")).mistakes(contention),
              ElementsAre(mistake("contention.domain", "partitions share SMs")));
}

TEST(SpecPresetMistakes, ABaselineHasThePresetOfTheScheduler) {
  const std::string partitions = "{preset: mps, clients: [{name: a, percent: 9}, {name: b, percent: 9}]}";
  PresetFiles files(partitions);
  EXPECT_THAT(files.mistakes({"baseline.policy=static_partition", "baseline.partitions=" + partitions}),
              ElementsAre(mistake("baseline.partitions", "not valid in a baseline")));
}

}  // namespace
}  // namespace tessera::spec
