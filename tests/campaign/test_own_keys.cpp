// SPDX-License-Identifier: Apache-2.0
// What the user sets is kept, or refused: no figure sets a key that it does not say is its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "campaign/campaign.h"
#include "campaign/own_keys.h"
#include "campaign/papers.h"
#include "model/spec/diagnostics.h"

namespace tessera::campaign {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::string& target, const std::vector<std::string>& overrides) {
  try {
    refuse_own_keys(paper_of(target), target, overrides);
  } catch (const spec::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnKeys, OfAFigureAreRefusedAndNoOthers) {
  EXPECT_EQ(refusal_of("g16-preemption", {"driver.switch_us=100"}),
            "--set:1:1: driver.switch_us: is set by this figure itself (driver.switch_us=100; another key)");
  EXPECT_EQ(refusal_of("g16-fig4", {"driver.switch_us=100"}), "");
  EXPECT_EQ(refusal_of("g16-preemption", {"seed=7", "host.launch_us=3"}), "");
}

TEST(OwnKeys, AreRefusedInAMappingAndInEntriesOfAList) {
  EXPECT_THAT(refusal_of("g16-preemption", {"driver={kind: gloop}"}), HasSubstr("driver: is set by"));
  EXPECT_THAT(refusal_of("g16-preemption", {"workload.processes.0.runs=2"}), HasSubstr("is set by"));
  EXPECT_THAT(refusal_of("t14-fig5", {"workload.processes.3.priority=2"}), HasSubstr("is set by"));
  EXPECT_EQ(refusal_of("t14-fig5", {"workload.processes.3.runs=2"}), "");
}

// Another GPU takes the place of the file; what the user sets of a GPU is set in that.
TEST(OwnKeys, OfAFileAreNotThoseInIt) {
  EXPECT_THAT(refusal_of("g16-preemption", {"gpu=../gpus/v100.yaml"}), HasSubstr("gpu: is set by"));
  EXPECT_EQ(refusal_of("g16-preemption", {"gpu.num_sms=9"}), "");
}

TEST(OwnKeys, OfAllFiguresOfAPaperAreThoseOfEach) {
  EXPECT_THAT(refusal_of("k11", {"driver.invocation=tick"}), HasSubstr("driver.invocation"));
  EXPECT_EQ(refusal_of("k11-fig7", {"driver.invocation=tick"}), "");
}

// Nothing that would be set in vain is taken.
TEST(OwnKeys, OfAnExperimentThatAFigureDoesNotLookAtAreRefused) {
  EXPECT_THAT(refusal_of("s16-fig3_8", {"seed=9"}), HasSubstr("seed: is not looked at by this figure"));
  EXPECT_THAT(refusal_of("s16-fig4_5", {"host.launch_us=9"}), HasSubstr("host.launch_us: is not looked at"));
  EXPECT_THAT(refusal_of("z21-fig5", {"scheduler.search_width=2"}), HasSubstr("is not looked at"));
  EXPECT_EQ(refusal_of("z21-fig5", {"gpu.num_sms=40", "seed=3"}), "");
  EXPECT_EQ(refusal_of("s16-fig4_5", {"scheduler.fill=breadth_first", "gpu.num_sms=8"}), "");
  EXPECT_EQ(refusal_of("s16", {"workload.processes.12.application.kernels.0.num_tbs=60"}), "");
  EXPECT_EQ(refusal_of("t14", {"host.launch_us=9"}), "");
  EXPECT_EQ(refusal_of("t14-fig5", {"host.launch_us=9"}), "");
}

// A target that is new says what it sets, or stands here: these simulate nothing of the experiment. What silicon's set
// is in their files, and every key is refused.
TEST(OwnKeys, AreSaidOfEveryTarget) {
  const std::set<std::string> none{
      "t14-sram",      "s16-table3_1",   "s16-fig3_8",      "s16-table4_2",     "k11-fig5",          "k11-fig6",
      "z21-fig5",      "z21-fig6",       "z21-fig7",        "z21-fig8",         "z21-fig9",          "z21",
      "silicon-alone", "silicon-two",    "silicon-single",  "silicon-arrival",  "silicon-slices",    "silicon-gv100",
      "silicon-mix",   "silicon-memory", "silicon-network", "silicon-dispatch", "silicon-placement", "silicon-priority",
      "silicon-mps",   "silicon-h100",   "silicon-xsched",  "silicon-suspend",  "silicon-xavier",    "silicon"};
  for (const Paper& paper : papers()) {
    for (const Target& target : paper.targets) {
      EXPECT_EQ(own_keys(paper, target.name).empty(), none.count(target.name) > 0) << target.name;
    }
  }
}

// These stand beside a row that keeps what the user sets.
std::set<std::string> moved_by(const std::string& target) {
  if (target == "t14-sensitivity") {
    return {"workload.time_base",
            "gpu.framework.dispatch_cycles",
            "host.launch_us",
            "gpu.framework.pipeline_drain_cycles",
            "gpu.framework.trap_entry_cycles",
            "gpu.framework.sm_setup_cycles",
            "scheduler.search_width",
            "memory_channel.sharing",
            "scheduler.exclusive_scope",
            "scheduler.token_scope",
            "scheduler.fill",
            "gpu.pcie.num_lanes",
            "gpu.pcie.transfers",
            "gpu.num_dma_engines",
            "scheduler.debt",
            "scheduler.remainder"};
  }
  return target.rfind("t14", 0) == 0 ? std::set<std::string>{"workload.time_base"} : std::set<std::string>{};
}

// No simulation is waited for: what a target loads is loaded before the first.
TEST(OwnKeys, AreAllThatATargetLoadsWithAndDoesNotMerelyMove) {
  for (const Paper& paper : papers()) {
    for (const Target& target : paper.targets) {
      const std::string name = target.name;
      if (name == "t14" || name == "t14-table1" || name == "t14-fig2") continue;  // one load, as it stands
      Request request;
      request.target = name;
      request.config = std::string(TESSERA_SOURCE_DIR "/configs/") + paper.config;
      request.num_workloads = 1;
      std::set<std::string> keys;
      request.load = [&](const std::vector<std::string>& more) {
        for (const std::string& text : more) keys.insert(text.substr(0, text.find('=')));
        return load_paper(request.config, more);
      };
      request.options.is_interrupted = [] { return true; };
      request.options.num_workers = 1;
      try {
        paper.reproduce(request);
      } catch (const Interrupted&) {
      }
      const std::set<std::string> moved = moved_by(name);
      for (const std::string& key : keys) {
        EXPECT_TRUE(moved.count(key) > 0 || !refusal_of(name, {key + "=x"}).empty()) << name << ": " << key;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::campaign
