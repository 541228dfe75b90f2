// SPDX-License-Identifier: Apache-2.0
// `memory_latency` of a GPU, bytes of kernels, and `sharing: loaded_latency`: what they say, and each mistake once,
// where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kLatency =
    "memory_latency:\n"
    "  unloaded_ns: 450.5\n"
    "  sm_gbps: 64.6\n"
    "  curve: [{gbps: 100, latency: 1.25}, {gbps: 200, latency: 2}]\n";

// A GPU with a curve, and a kernel with bytes.
class LoadedFiles : public Files {
 public:
  LoadedFiles() {
    write("parts/gpu.yaml", text("parts/gpu.yaml") + kLatency);
    replace("parts/app.yaml", "name: first,", "name: first, dram_bytes_per_tb: 5000, bytes_in_flight_per_tb: 300,");
    replace("experiment.yaml", "sharing: fair", "sharing: loaded_latency");
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

TEST(SpecMemoryLatency, IsWhatTheFileSays) {
  const Spec spec = LoadedFiles().load();
  EXPECT_EQ(spec.channel_sharing, ChannelSharing::kLoadedLatency);
  ASSERT_TRUE(spec.gpu.memory_latency.has_value());
  const MemoryLatencySpec& memory = *spec.gpu.memory_latency;
  EXPECT_EQ(memory.unloaded, 450'500U);
  EXPECT_EQ(memory.bytes_per_thread, 64U);
  EXPECT_EQ(memory.sm_bytes_per_s, 64'600'000'000U);
  ASSERT_EQ(memory.curve.size(), 2U);
  EXPECT_EQ(memory.curve[0].bytes_per_s, 100'000'000'000U);
  EXPECT_EQ(memory.curve[0].factor_ppm, 1'250'000U);
  const std::vector<KernelSpec>& kernels = spec.applications.at(0).kernels;
  EXPECT_EQ(kernels[0].dram_bytes_per_tb, 5000U);
  EXPECT_EQ(kernels[0].bytes_in_flight_per_tb, 300U);
  EXPECT_EQ(kernels[1].dram_bytes_per_tb, 0U);
}

TEST(SpecMemoryLatency, IsReadBackFromResultsAsItWas) {
  const auto json = to_json(LoadedFiles().load());
  EXPECT_EQ(json.at("gpu").at("memory_latency").dump(),
            R"({"unloaded_ns":450.5,"bytes_per_thread":64,"sm_gbps":64.6,)"
            R"("curve":[{"gbps":100,"latency":1.25},{"gbps":200,"latency":2}]})");
  const auto& kernels = json.at("applications").at(0).at("kernels");
  EXPECT_EQ(kernels.at(0).at("dram_bytes_per_tb"), 5000);
  EXPECT_EQ(kernels.at(0).at("bytes_in_flight_per_tb"), 300);
  EXPECT_FALSE(kernels.at(1).contains("dram_bytes_per_tb"));
}

// Results of experiments that do not use it keep their bytes, and their names, when a card's file learns its curve.
TEST(SpecMemoryLatency, OfAGpuIsNotInResultsOfOtherSharings) {
  Files without;
  Files with;
  with.write("parts/gpu.yaml", with.text("parts/gpu.yaml") + kLatency);
  EXPECT_EQ(content_hash(with.load()), content_hash(without.load()));
}

TEST(SpecMemoryLatency, LoadedLatencyNeedsOne) {
  LoadedFiles files;
  files.replace("parts/gpu.yaml", kLatency, "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("memory_channel.sharing", "GPU 'tiny' has no memory_latency")));
  EXPECT_THAT(to_string(files.mistakes().at(0)), HasSubstr("experiment.yaml:10:27: "));
}

TEST(SpecMemoryLatency, BytesNeedLoadedLatency) {
  LoadedFiles files;
  const std::string problem = "knows nothing of dram_bytes_per_tb, which kernel 'first' has";
  for (const char* sharing : {"static", "fair"}) {
    EXPECT_THAT(files.mistakes({std::string("memory_channel.sharing=") + sharing}),
                ElementsAre(mistake("memory_channel.sharing", problem)));
  }
  files.replace("experiment.yaml", "memory_channel: {sharing: loaded_latency}\n", "");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("memory_channel", problem)));
}

// An application that says how much its kernels have on their way, and no bytes.
class ShareFiles : public LoadedFiles {
 public:
  ShareFiles() {
    replace("parts/app.yaml", " dram_bytes_per_tb: 5000, bytes_in_flight_per_tb: 300,", "");
    replace("parts/app.yaml", "kernels:", "in_flight_share: 0.6\nkernels:");
  }
};

TEST(SpecMemoryLatency, AShareOfWhatAnSmHasOnItsWayIsOfAllKernelsOfAnApplication) {
  ShareFiles files;
  EXPECT_THAT(files.mistakes(),
              ElementsAre(mistake("in_flight_share", "does not go with kernel 'server', which is persistent")));
  files.replace("parts/app.yaml", "persistent: true", "kernel_time_us: 5");
  EXPECT_EQ(files.load().applications.at(0).in_flight_share_ppm, 600'000U);
  EXPECT_EQ(to_json(files.load()).at("applications").at(0).at("in_flight_share"), 0.6);
  EXPECT_THAT(files.mistakes({"memory_channel.sharing=fair"}),
              ElementsAre(mistake("memory_channel.sharing", "in_flight_share, which application 'app' has")));
  files.replace("parts/app.yaml", "name: second", "name: second\n    dram_bytes_per_tb: 7");
  EXPECT_THAT(files.mistakes(),
              ElementsAre(mistake("in_flight_share", "does not go with kernel 'second', which has dram_bytes_per_tb")));
}

TEST(SpecMemoryLatency, EachMistakeIsReportedWhereItStands) {
  const auto mistakes = [](const std::string& from, const std::string& to) {
    LoadedFiles files;
    files.replace("parts/gpu.yaml", from, to);
    return files.mistakes();
  };
  EXPECT_THAT(mistakes("  unloaded_ns: 450.5\n", ""), ElementsAre(mistake("memory_latency.unloaded_ns", "is missing")));
  EXPECT_THAT(mistakes("450.5", "0.9"), ElementsAre(mistake("memory_latency.unloaded_ns", "is out of range")));
  EXPECT_THAT(mistakes("450.5", "450.0001"), ElementsAre(mistake("memory_latency.unloaded_ns", "3 digits")));
  EXPECT_THAT(mistakes("  sm_gbps: 64.6\n", ""), ElementsAre(mistake("memory_latency.sm_gbps", "is missing")));
  EXPECT_THAT(mistakes("[{gbps: 100, latency: 1.25}, {gbps: 200, latency: 2}]", "[]"),
              ElementsAre(mistake("memory_latency.curve", "is empty")));
  EXPECT_THAT(mistakes("latency: 1.25", "latency: 0.99"),
              ElementsAre(mistake("memory_latency.curve.0.latency", "is out of range")));
  EXPECT_THAT(mistakes("gbps: 200", "gbps: 100"),
              ElementsAre(mistake("memory_latency.curve.1.gbps", "is no more than that of the point before")));
  EXPECT_THAT(mistakes("latency: 2", "latency: 1.2"),
              ElementsAre(mistake("memory_latency.curve.1.latency", "is less than that of the point before")));
  EXPECT_THAT(mistakes("latency: 2", "latency: 1.25"), IsEmpty());  // a flat part
  EXPECT_THAT(mistakes("latency: 2", "factor: 2"),
              ElementsAre(mistake("memory_latency.curve.1.latency", "is missing"),
                          mistake("memory_latency.curve.1.factor", "unknown key")));
  EXPECT_THAT(mistakes("sm_gbps", "bytes_per_thread: 0\n  sm_gbps"),
              ElementsAre(mistake("memory_latency.bytes_per_thread", "is out of range")));
  // Four SMs, and a roof of 200 GB/s.
  EXPECT_THAT(mistakes("64.6", "3200"), IsEmpty());
  EXPECT_THAT(mistakes("64.6", "3200.1"), ElementsAre(mistake("memory_latency.sm_gbps", "64 times")));
}

TEST(SpecMemoryLatency, KernelsSayBytesOnlyWhereTheyMeanSomething) {
  const auto mistakes = [](const std::string& from, const std::string& to) {
    LoadedFiles files;
    files.replace("parts/app.yaml", from, to);
    std::vector<Diagnostic> of_one = files.mistakes();
    if (of_one.size() > 1) of_one.resize(of_one.size() / 2);  // two processes read the file
    return of_one;
  };
  EXPECT_THAT(mistakes("dram_bytes_per_tb: 5000, ", ""),
              ElementsAre(mistake("kernels.0.bytes_in_flight_per_tb", "only valid with dram_bytes_per_tb")));
  EXPECT_THAT(mistakes("bytes_in_flight_per_tb: 300", "bytes_in_flight_per_tb: -1"),
              ElementsAre(mistake("kernels.0.bytes_in_flight_per_tb", "is negative")));
  EXPECT_THAT(mistakes("dram_bytes_per_tb: 5000", "dram_bytes_per_tb: 1099511627777"),
              ElementsAre(mistake("kernels.0.dram_bytes_per_tb", "is out of range")));
  EXPECT_THAT(mistakes("persistent: true", "persistent: true, dram_bytes_per_tb: 1"),
              ElementsAre(mistake("kernels.2.dram_bytes_per_tb", "not valid for a persistent kernel")));
  EXPECT_THAT(mistakes("bytes_in_flight_per_tb: 300", "occupancy_speedup: 0.5"),
              testing::Contains(mistake("kernels.0.dram_bytes_per_tb", "does not go with occupancy_speedup")));
}

TEST(SpecMemoryLatency, TechniquesThatLookAtTimesOfThreadBlocksDoNotKnowIt) {
  const std::string engine = "gpu.framework.engine=ideal";
  for (const std::string technique : {"flush", "chimera", "dual_kernel"}) {
    EXPECT_THAT(LoadedFiles().mistakes({"scheduler.technique=" + technique, engine}),
                ElementsAre(mistake("scheduler.technique", "does not support memory_channel.sharing: loaded_latency")));
    EXPECT_THAT(LoadedFiles().mistakes({"baseline.technique=" + technique, engine}),
                ElementsAre(mistake("baseline.technique", "does not support memory_channel.sharing: loaded_latency")));
  }
  EXPECT_THAT(LoadedFiles().mistakes({"scheduler.technique=context_switch"}), IsEmpty());
}

TEST(SpecMemoryLatency, ClockedModelsDoNotHaveIt) {
  EXPECT_THAT(LoadedFiles().mistakes_on(Cores::kTlm), IsEmpty());
  for (const Cores cores : {Cores::kClocked, Cores::kBoth}) {
    EXPECT_THAT(LoadedFiles().mistakes_on(cores), ElementsAre(mistake("memory_channel.sharing", "this abstraction")));
  }
}

TEST(SpecMemoryLatency, EventDrivenKernelsDoNotHaveIt) {
  LoadedFiles files;
  files.replace("parts/app.yaml", "persistent: true", "event_driven: {loop: {count: 1, body: [{callback_us: 5}]}}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("memory_channel.sharing", "event-driven")));
}

}  // namespace
}  // namespace tessera::spec
