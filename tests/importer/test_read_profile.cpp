// SPDX-License-Identifier: Apache-2.0
// Files are told apart, those of other kinds named; times that are none are left out.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "tests/importer/database.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

TEST(ReadProfile, TellsTheKindByTheFirstBytes) {
  EXPECT_EQ(read_profile(Database(kStrings + kKernels).path(), {}).format, "nsys-sqlite");
  const std::string kernel = R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1})";
  EXPECT_EQ(read_profile(TemporaryFile("a", "\n {\"traceEvents\": [" + kernel + "]}").path(), {}).format, "kineto");
  EXPECT_EQ(read_profile(TemporaryFile("a", "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n").path(), {}).format,
            "nsys-csv");
  const TemporaryFile other("a", "hello\n");
  EXPECT_THAT(problem_of([&] { read_profile(other.path(), {}); }), HasSubstr("is not a profile of a known kind"));
}

// What a file is, by a line or the first bytes of it that are typical of it.
struct ForeignCase {
  const char* text;
  const char* name;
};
class Foreign : public ::testing::TestWithParam<ForeignCase> {};

TEST_P(Foreign, IsNamedAndNotRead) {
  const TemporaryFile file("profile", GetParam().text);
  EXPECT_THAT(problem_of([&] { read_profile(file.path(), {}); }),
              HasSubstr(fmt::format("profile:1:1: is {}, which is not read", GetParam().name)));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Foreign,
    ::testing::Values(
        ForeignCase{
            "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n1,2,cudaMalloc,0,1,7,7,20,a\n",
            "an API trace of nsys (cuda_api_trace, osrt_trace)"},
        ForeignCase{
            "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,"
            "ParentId,RangeStack,NameTree\n",
            "an NVTX trace of nsys (nvtx_pushpop_trace)"},
        ForeignCase{"Processing [r.sqlite] with [cuda_gpu_kern_sum.py]...\n\nTime (%),Total Time (ns),Instances,Avg "
                    "(ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n",
                    "a summary of nsys (.._sum)"},
        ForeignCase{"==7== NVPROF is profiling process 7\n\"Type\",\"Time(%)\",\"Time\",\"Calls\"\n", "text of nvprof"},
        ForeignCase{"\"Start\",\"Duration\",\"Grid X\",\"Block X\",\"Registers Per Thread\",\"Device\",\"Context\","
                    "\"Stream\",\"Name\"\n",
                    "a GPU trace of nvprof"},
        ForeignCase{"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Metric Name\"\n",
                    "a table of Nsight Compute"},
        ForeignCase{"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n",
                    "a kernel trace of rocprofv3"},
        ForeignCase{R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "args": {"BeginNs": "1", "dev-id": "0"}}]})",
                    "a trace of rocprof"},
        ForeignCase{R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "args": {"hlo_op": "k"}}]})",
                    "a trace of XLA (JAX, TensorFlow)"},
        ForeignCase{R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "args": {"run_id": "3"}}]})",
                    "a trace of XLA (JAX, TensorFlow)"},
        ForeignCase{"==PROF== Connected to process 787 (app)\n", "text of Nsight Compute"},
        ForeignCase{"\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n",
                    "a copy trace of rocprofv3"},
        ForeignCase{"\"Domain\",\"Function\",\"Process_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n",
                    "an API trace of rocprofv3"},
        ForeignCase{"\x0A\x04\x08\x01\x10\x02\x12", "a profile of pprof"},
        ForeignCase{"\x0A\x15\x40\x01\x02", "a trace in protobuf (Perfetto, XLA)"},
        ForeignCase{R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}}]})", "an output of rocprofv3"}));

// Their bytes do not tell.
TEST(ReadProfile, ReportsAreKnownByTheEndOfTheirNames) {
  const std::pair<const char*, const char*> cases[] = {
      {"app.nsys-rep", "is a report of Nsight Systems (.nsys-rep), which is not read (nsys export --type sqlite)"},
      {"app.qdrep", "is a report of Nsight Systems (.qdrep), which is not read (nsys export --type sqlite)"},
      {"vm.xplane.pb", "is a profile of XLA (XSpace), which is not read"}};
  for (const auto& [name, message] : cases) {
    const TemporaryFile file(name, std::string("\x93\x01\0\x02 text", 10));
    EXPECT_THAT(problem_of([&] { read_profile(file.path(), {}); }), HasSubstr(message)) << name;
  }
}

TEST(ReadProfile, AKernelWithoutATimeAmongOthersIsLeftOutAndTold) {
  const TemporaryFile file("trace.json", R"({"traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 1615207264505000, "dur": 5},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 0, "dur": 0},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 1615207264505010, "dur": 5},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 1615207264505020, "dur": 9000000000000}]})");
  const Profile profile = read_profile(file.path(), {});
  ASSERT_EQ(profile.activities.size(), 3U);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("1 GPU events without a time were left out")));
  EXPECT_EQ(profile.activities[2].duration, 5'000);  // the mean of the others: its own is none
}

TEST(ReadProfile, AFewTimesFarFromAllOthersAreWrong) {
  std::string events;
  for (int i = 0; i < 20; ++i)
    events +=
        fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "ts": {}, "dur": 5}},)", 1615207264505000 + 10 * i);
  for (const char* const time : {"1", "9615207264505000"}) {
    const TemporaryFile file("trace.json", "{\"traceEvents\": [" + events +
                                               R"({"ph": "X", "cat": "kernel", "name": "k", "dur": 5, "ts": )" + time +
                                               "}]}");
    const Profile profile = read_profile(file.path(), {});
    EXPECT_EQ(profile.activities.size(), 20U) << time;
    EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("their times are wrong"))) << time;
  }
}

// Two ages of work, and nobody can tell which of them is wrong.
TEST(ReadProfile, ManyTimesFarFromTheOthersAreRefused) {
  std::string events;
  for (int i = 0; i < 20; ++i)
    events += fmt::format(R"({}{{"ph": "X", "cat": "kernel", "name": "k", "ts": {}, "dur": 5}})", i == 0 ? "" : ",",
                          i < 17 ? 5'000'000'000 + 10 * i : 10 * i + 1);
  const TemporaryFile file("trace.json", "{\"traceEvents\": [" + events + "]}");
  EXPECT_THAT(problem_of([&] { read_profile(file.path(), {}); }), HasSubstr("has GPU work too far apart"));
}

TEST(ReadProfile, SaysThatWhatIsNoProfileIsPacked) {
  const TemporaryFile file("trace.json.gz", packed("hello\n"));
  EXPECT_THAT(problem_of([&] { read_profile(file.path(), {}); }),
              HasSubstr("is gzip of something that is not a profile of a known kind"));
}

}  // namespace
}  // namespace tessera::importer::test
