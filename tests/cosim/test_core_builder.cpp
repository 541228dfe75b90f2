// SPDX-License-Identifier: Apache-2.0
// Claims about building and loading Verilog cores.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cosim/core_library.h"
#include "cosim/text_file.h"
#include "tests/rtl_model/machine.h"

namespace tessera::cosim {
namespace {

namespace fs = std::filesystem;

using rtl_model::Params;
using rtl_model::test::machine;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

BuildRequest request_for(const Params& params, Variant variant = {}) {
  return BuildRequest(Elaboration(params), variant);
}

std::string failure_of(const BuildRequest& request) {
  try {
    build_core(request);
  } catch (const BuildError& error) {
    return error.what();
  }
  return {};
}

fs::path source_file(const std::string& name, const std::string& text) {
  const fs::path folder = fs::path(std::getenv("TESSERA_CORE_CACHE")) / "sources";
  fs::create_directories(folder);
  write_text(folder / name, text);
  return folder / name;
}

// A scheduler that does nothing, which is soon built.
BuildRequest idle_core(Variant variant = {}) {
  const std::string source = read_text(TESSERA_SOURCE_DIR "/rtl/tsr_scheduler.v");
  BuildRequest request = request_for(Params(machine(2)), variant);
  request.is_netlist = true;
  request.verilog_files = {source_file("idle.v", source.substr(0, source.find("\n);\n")) + "\n);\nendmodule\n")};
  return request;
}

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name), before_(std::getenv(name)) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { ::setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "tessera test XXXXXX").string()) { ::mkdtemp(path_.data()); }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const std::string& name) const { return fs::path(path_) / name; }

 private:
  std::string path_;
};

// A cache of the test's own, with a blank in its name and nothing in it.
class CoreBuilder : public testing::Test {
 protected:
  std::vector<std::string> files_in_cache() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache")) {
      if (!entry.is_directory()) files.push_back(entry.path().filename().string());
    }
    return files;
  }

  TemporaryFolder folder_;
  Environment cache_{"TESSERA_CORE_CACHE", folder_ / "cache"};
};

TEST_F(CoreBuilder, BuildsOnceAndRemovesWhatAnInterruptedBuildLeft) {
  const BuildRequest request = idle_core();
  const fs::path library = build_core(request);
  const auto time = fs::last_write_time(library);
  EXPECT_EQ(build_core(request), library);
  EXPECT_EQ(fs::last_write_time(library), time);

  fs::remove(library);
  fs::create_directory(library.parent_path() / "work");
  write_text(library.parent_path() / "work/tsr_core.v", "half a");
  EXPECT_EQ(build_core(request), library);
  EXPECT_THAT(files_in_cache(), testing::UnorderedElementsAre("idle.v", "tsr_core.so", "runtime.o"));
}

TEST_F(CoreBuilder, NamesThePackageOfAMissingToolInOneLine) {
  const Environment no_tools("PATH", folder_ / "no tools");
  EXPECT_EQ(failure_of(request_for(Params(machine(2)))),
            "verilator was not found: the Verilog core needs Debian's package verilator");
}

TEST_F(CoreBuilder, ShowsWhatVerilatorSaysAboutWrongSourcesAndKeepsNothing) {
  BuildRequest request = request_for(Params(machine(2)));
  request.verilog_files = {source_file("wrong.v", "module tsr_scheduler;\n  nonsense here\nendmodule\n")};
  EXPECT_THAT(failure_of(request),
              AllOf(HasSubstr("wrong.v:3"), HasSubstr("syntax error"), Not(HasSubstr("tsr_core.v"))));
  EXPECT_THAT(files_in_cache(), testing::ElementsAre("wrong.v"));
}

TEST_F(CoreBuilder, SaysWhichCacheFolderCannotBeUsed) {
  const std::string in_the_way = folder_ / "cache";
  write_text(in_the_way, "a file");
  EXPECT_EQ(failure_of(request_for(Params(machine(2)))), "TESSERA_CORE_CACHE: cannot write to " + in_the_way);
}

rtl_model::SchedulerInputs a_command() {
  rtl_model::SchedulerInputs inputs;
  inputs.command = {true, 1, 2, 9, 100, 3, 0xABCDEF0123};
  return inputs;
}

// After reset a core is idle once it has worked out what its registers mean.
void come_to_rest(IVerilatedCore& core) {
  core.cycle({});
  core.cycle({});
}

TEST(VerilatedCore, CoresOfTwoElaborationsLiveInOneProcess) {
  const Params small_params(machine(2)), large_params(machine(3));
  const auto small = make_core(request_for(small_params));
  const auto large = make_core(request_for(large_params));
  small->reset(straps_of(small_params));
  large->reset(straps_of(large_params));
  small->cycle(a_command());
  large->cycle({});

  rtl_model::CoreSnapshot snapshot;
  small->read(snapshot);
  EXPECT_THAT(snapshot.smst, SizeIs(2));
  const rtl_model::CommandSnapshot& command = snapshot.command_buffers[1];
  EXPECT_TRUE(command.valid);
  EXPECT_EQ(command.context, 2U);
  EXPECT_EQ(command.priority, 9U);
  EXPECT_EQ(command.num_tbs, 100U);
  EXPECT_EQ(command.tbs_per_sm, 3U);
  EXPECT_EQ(command.descriptor, 0xABCDEF0123U);
  EXPECT_THAT(snapshot.command_ages, testing::ElementsAre(1U));
  EXPECT_FALSE(small->outputs().buffer_free.has(1));
  EXPECT_FALSE(small->outputs().idle);

  large->read(snapshot);
  EXPECT_THAT(snapshot.smst, SizeIs(3));
  EXPECT_FALSE(snapshot.command_buffers[1].valid);
  EXPECT_EQ(snapshot.smst[2].ksr, rtl_model::kNone);
  come_to_rest(*large);
  EXPECT_TRUE(large->outputs().idle);
}

TEST(VerilatedCore, ResetTakesItBackToWhatTheStrapsSay) {
  const Params params(machine(2, 3, spec::PolicyKind::kDss));
  const auto core = make_core(request_for(params));
  core->reset(straps_of(params));
  for (int i = 0; i < 5; ++i) core->cycle(i == 0 ? a_command() : rtl_model::SchedulerInputs{});
  core->reset(straps_of(params));
  come_to_rest(*core);
  rtl_model::CoreSnapshot snapshot;
  core->read(snapshot);
  EXPECT_EQ(snapshot.policy, straps_of(params).policy);
  EXPECT_EQ(snapshot.pool, params.token_pool());
  EXPECT_THAT(snapshot.active_queue, IsEmpty());
  EXPECT_TRUE(snapshot.is_policy_at_rest);
  EXPECT_TRUE(core->outputs().idle);
  EXPECT_TRUE(core->outputs().sm_event_ready);
}

// Of a core whose contexts keep their turns: who waits and who is listed are levels, told when they change.
TEST(VerilatedCore, ResetTakesTheListsOffItsPins) {
  spec::Spec spec = machine(2, 2, spec::PolicyKind::kTimeSlice);
  spec.scheduler.turn = spec::Turn::kKept;
  const Params params(spec);
  const auto core = make_core(request_for(params));
  core->reset(straps_of(params));
  rtl_model::SchedulerInputs inputs;
  inputs.set_lists(rtl_model::SmSet::of(0), rtl_model::SmSet::of(0));
  core->cycle(inputs);
  core->reset(straps_of(params));
  for (int i = 0; i < 10; ++i) {
    core->cycle({});
    EXPECT_FALSE(core->outputs().slice_timer_enable) << "nobody waits, so nobody gets the turn";
  }
}

// What a row of each table holds, by the names that the contract has for it.
TEST(VerilatedCore, ItsRegistersAreReadFromWhereTheyLie) {
  Params params(machine(2, 3, spec::PolicyKind::kDss));
  const auto core = make_core(request_for(params));
  core->reset(straps_of(params));
  rtl_model::SchedulerInputs inputs;
  inputs.control = {true, rtl_model::ControlRegister::kTokens, 2, 5};
  core->cycle(inputs);
  core->cycle(a_command());
  rtl_model::CoreSnapshot snapshot;
  core->read(snapshot);
  EXPECT_TRUE(snapshot.contexts[2].has_budget);
  EXPECT_EQ(snapshot.contexts[2].budget, 5U);
  ASSERT_TRUE(snapshot.command_buffers[1].valid);
  EXPECT_EQ(snapshot.command_buffers[1].num_tbs, 100U);
  EXPECT_EQ(snapshot.command_buffers[1].tbs_per_sm, 3U);
  EXPECT_EQ(snapshot.command_buffers[1].descriptor, 0xABCDEF0123U);
  EXPECT_THAT(snapshot.command_ages, testing::ElementsAre(1U));
  EXPECT_THAT(snapshot.tokens, SizeIs(4));  // KSRs are more than contexts
  EXPECT_EQ(snapshot.pool, params.token_pool());

  // Both SMs are set up for the kernel, and none of its thread blocks is out.
  for (int i = 0; i < 200; ++i) core->cycle({});
  EXPECT_TRUE(core->outputs().idle);
  core->read(snapshot);
  EXPECT_THAT(snapshot.command_ages, IsEmpty());
  EXPECT_EQ(snapshot.last_buffer, 1U);
  ASSERT_THAT(snapshot.active_queue, testing::ElementsAre(0U));
  const rtl_model::KsrSnapshot& ksr = snapshot.ksrt[0];
  EXPECT_TRUE(ksr.valid);
  EXPECT_EQ(ksr.context, 2U);
  EXPECT_EQ(ksr.priority, 9U);
  EXPECT_EQ(ksr.descriptor, 0xABCDEF0123U);
  EXPECT_EQ(ksr.remaining, 100U);
  EXPECT_EQ(ksr.owned, 2U);
  EXPECT_EQ(ksr.covered, 6U);
  EXPECT_EQ(snapshot.contexts[2].kernels, 1U);
  EXPECT_EQ(snapshot.tokens[0].left, 3U);  // of five
  EXPECT_EQ(snapshot.smst[1].state, 1U);
  EXPECT_EQ(snapshot.smst[1].ksr, 0U);
  EXPECT_EQ(snapshot.smst[1].next, rtl_model::kNone);
  EXPECT_TRUE(snapshot.is_policy_at_rest);
}

TEST(VerilatedCore, IsBuiltWithoutWavesUnlessAskedTo) {
  const Params params(machine(2));
  EXPECT_FALSE(make_core(request_for(params))->open_wave("unused.fst", {}));
}

TEST(VerilatedCore, WaveHoldsTheSurroundingsToo) {
  const TemporaryFolder folder;
  const auto core = make_core(idle_core({false, false, true}));
  core->reset(straps_of(Params(machine(2))));
  unsigned num_samples = 0;
  const auto value = [&num_samples] { return ++num_samples; };
  ASSERT_TRUE(
      core->open_wave(folder / "wave.fst", {{"u_sm_0", "state", 3, value}, {"u_sm_0.deeper", "busy", 1, value}}));
  for (unsigned i = 0; i < 3; ++i) {
    core->sample(1000 * i);
    core->cycle(a_command());
  }
  core->close_wave();
  EXPECT_EQ(num_samples, 6U);
  EXPECT_GT(fs::file_size(folder / "wave.fst"), 0U);
}

TEST(VerilatedCore, CoverageNamesTheInstancesOfTheCore) {
  const TemporaryFolder folder;
  const auto core = make_core(idle_core({true, false, false}));
  core->reset(straps_of(Params(machine(2))));
  core->cycle(a_command());
  core->write_coverage(folder / "coverage.dat");
  EXPECT_THAT(read_text(folder / "coverage.dat"), HasSubstr("top.tsr_core.u_tsr_scheduler"));
}

TEST(VerilatedCore, AssertionThatFailsTellsItsTextAndTheRunGoesOn) {
  const Params params(machine(2));
  BuildRequest request = request_for(params, {false, true, false});
  std::istringstream list(read_text(TESSERA_SOURCE_DIR "/rtl/rtl.f"));
  for (std::string line; std::getline(list, line);) {
    if (line.rfind("rtl/", 0) == 0) request.verilog_files.emplace_back(fs::path(TESSERA_SOURCE_DIR) / line);
  }
  request.verilog_files.push_back(
      source_file("never.sv",
                  "module never (input clk_i, input command);\n"
                  "  assert property (@(posedge clk_i) !command) else $error(\"a command\");\n"
                  "endmodule\n"
                  "bind tsr_scheduler never u_never (clk_i, command_valid_i);\n"));
  const auto core = make_core(request);
  core->reset(straps_of(params));
  core->cycle({});
  EXPECT_THAT(core->take_assertion_failure(), IsEmpty());
  core->cycle(a_command());
  core->cycle({});
  EXPECT_THAT(core->take_assertion_failure(), AllOf(HasSubstr("never.sv"), HasSubstr("a command")));
  EXPECT_THAT(core->take_assertion_failure(), IsEmpty());
  EXPECT_FALSE(core->outputs().buffer_free.has(1));
}

}  // namespace
}  // namespace tessera::cosim
