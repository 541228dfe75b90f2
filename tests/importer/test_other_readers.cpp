// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' SQLite and CSV, Accel-Sim's traces.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "importer/readers/readers.h"
#include "model/spec/diagnostics.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

// As the export of version 2023.2, but for columns that nobody reads.
const std::string kStrings = R"sql(CREATE TABLE StringIds (id INTEGER, value TEXT);
  INSERT INTO StringIds VALUES (1, 'void f<int>(int)'), (2, 'f'), (3, 'cudaLaunchKernel_v7000'), (4, 'cudaMalloc'),
  (5, 'cudaDeviceSynchronize_v3020');)sql";
const std::string kKernels = R"(CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  registersPerThread INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 6000, 0, 1, 7, 42, 16777216000, 1, 2, 10, 2, 1, 256, 1, 1, 40, 128,
  1024);)";
const std::string kCalls = R"(CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 500, 16777216005, 42, 3), (600, 700, 16777216005, 43, 4),
  (700, 6500, 16777216005, 44, 5);)";

class Database {
 public:
  explicit Database(const std::string& sql) : file_("export.sqlite", "") {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file_.path().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  TemporaryFile file_;
};

template <typename Read>
std::string message_of(const Read& read) {
  try {
    read();
  } catch (const spec::InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

TEST(NsysSqlite, JoinsTablesByTheirIds) {
  const Profile profile = read_nsys_sqlite(Database(kStrings + kKernels + kCalls).path());
  ASSERT_EQ(profile.activities.size(), 1U);
  const GpuActivity& kernel = profile.activities[0];
  EXPECT_EQ(profile.names.at(kernel.name), "void f<int>(int)");
  EXPECT_EQ(kernel.start, 1000);
  EXPECT_EQ(kernel.duration, 5000);
  EXPECT_EQ(kernel.grid[1], 2U);
  EXPECT_EQ(kernel.smem_bytes, 128U + 1024U);
  EXPECT_EQ(kernel.regs_per_thread, 40U);
  // The launch and the synchronisation; not the allocation. One process has called and run.
  ASSERT_EQ(profile.calls.size(), 2U);
  EXPECT_EQ(profile.calls[0].correlation, kernel.correlation);
  EXPECT_EQ(profile.calls[0].process, kernel.process);
  EXPECT_EQ(profile.calls[1].kind, CallKind::kSynchroniseDevice);
}

TEST(NsysSqlite, TablesAndColumnsMayBeMissing) {
  const Profile bare = read_nsys_sqlite(
      Database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 9);")
          .path());
  ASSERT_EQ(bare.activities.size(), 1U);
  EXPECT_EQ(bare.activities[0].grid[0], 0U);
  EXPECT_FALSE(bare.activities[0].regs_per_thread);
  EXPECT_TRUE(bare.calls.empty());
  EXPECT_EQ(bare.notes.size(), 1U);
}

TEST(NsysSqlite, NamesMayBeTextOrAnyOfThreeIds) {
  const Profile text = read_nsys_sqlite(
      Database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, demangledName TEXT);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 'f'), (3, 4, 'g');")
          .path());
  EXPECT_EQ(text.names, (std::vector<std::string>{"f", "g"}));
  const Profile mangled = read_nsys_sqlite(
      Database(kStrings + "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, mangledName INTEGER);"
                          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 2);")
          .path());
  EXPECT_EQ(mangled.names, std::vector<std::string>{"f"});
  const Profile ids = read_nsys_sqlite(Database(kKernels).path());  // no StringIds
  EXPECT_EQ(ids.names, std::vector<std::string>{"kernel_1"});
}

TEST(NsysSqlite, GraphsTracedAsAWholeAreKernels) {
  const Profile profile = read_nsys_sqlite(
      Database(R"(CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER,
    contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1000, 6000, 0, 1, 7, 42, 16777216000, 109, 110);)")
          .path());
  ASSERT_EQ(profile.activities.size(), 1U);
  EXPECT_EQ(profile.names.at(profile.activities[0].name), "graph_109");
  EXPECT_EQ(profile.activities[0].duration, 5000);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("1 launches of graphs were traced as a whole")));
}

TEST(NsysSqlite, CallsWithoutAProcessAreJoinedAllTheSame) {
  const Profile profile = read_nsys_sqlite(
      Database(kStrings + kKernels +
               "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, correlationId INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 500, 42);")
          .path());
  EXPECT_EQ(profile.calls.at(0).process, profile.activities.at(0).process);
}

TEST(NsysSqlite, DevicesAreKnownByTheirNumberInCuda) {
  const Profile recent = read_nsys_sqlite(
      Database(kKernels + "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, cuDevice INTEGER);"
                          "INSERT INTO TARGET_INFO_GPU VALUES (3, 'NVIDIA A100', 108, 0);")
          .path());
  EXPECT_EQ(recent.devices.at(0).num_sms, 108U);
  const Profile old = read_nsys_sqlite(
      Database(kKernels + "CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId INTEGER, name TEXT, numMultiprocessors INTEGER,"
                          "numThreadsPerWarp INTEGER, maxWarpsPerMultiprocessor INTEGER);"
                          "INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'Tesla V100', 80, 32, 64);")
          .path());
  EXPECT_EQ(old.devices.at(0).num_sms, 80U);
  EXPECT_EQ(old.devices.at(0).max_threads_per_sm, 2048U);
}

TEST(NsysSqlite, EventsWithoutATimeAreLeftOutAndTold) {
  const Profile profile =
      read_profile(Database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER);"
                            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (NULL, 2), (5, 0), (7, 9);")
                       .path(),
                   {});
  ASSERT_EQ(profile.activities.size(), 2U);
  EXPECT_EQ(profile.activities[0].duration, 2);  // the other's: its own end is before its start
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("1 GPU events without a time")));
}

TEST(NsysSqlite, TakesWhatCallsWaitedFor) {
  // Event 3 is recorded twice; the second record, number 2, is the one that is waited for. Of event 4 no record is
  // numbered.
  const Profile profile = read_nsys_sqlite(
      Database("CREATE TABLE StringIds (id INTEGER, value TEXT);"
               "INSERT INTO StringIds VALUES (1, 'cudaStreamWaitEvent'), (2, 'cudaEventSynchronize'), "
               "(3, 'cudaStreamSynchronize');"
               "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200);"
               "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, correlationId INTEGER, nameId "
               "INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 11, 24, 1), (12, 13, 25, 2), (14, 15, 26, 3);"
               "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (streamId INTEGER, correlationId INTEGER, eventId INTEGER, "
               "eventSyncId INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (7, 20, 3, 1), (8, 21, 3, 2), (9, 22, 4, NULL), "
               "(9, 23, 4, NULL), (9, 30, 4, NULL);"
               "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (streamId INTEGER, correlationId INTEGER, "
               "syncType INTEGER, eventId INTEGER, eventSyncId INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (20, 24, 2, 3, 2), (NULL, 25, 1, 4, NULL), "
               "(8, 26, 3, NULL, NULL);")
          .path());
  ASSERT_EQ(profile.calls.size(), 3U);
  EXPECT_TRUE(profile.tells_waits);
  const auto wait = [&](std::size_t i) { return profile.calls[i].wait.value(); };
  EXPECT_EQ(wait(0).stream, 20U);
  EXPECT_EQ(wait(0).awaited, 8U);
  EXPECT_EQ(wait(0).record, 21U);
  EXPECT_EQ(wait(1).record, 23U);  // the last one before the wait was called
  EXPECT_EQ(wait(2).stream, 8U);
  EXPECT_FALSE(wait(2).awaited);
}

TEST(NsysSqlite, ADatabaseWithoutKernelsIsNoProfile) {
  const Database database("CREATE TABLE a (b INTEGER);");
  EXPECT_THAT(message_of([&] { read_nsys_sqlite(database.path()); }),
              HasSubstr("has no table CUPTI_ACTIVITY_KIND_KERNEL"));
  const TemporaryFile damaged("export.sqlite", std::string("SQLite format 3\0", 16) + std::string(4000, 'x'));
  EXPECT_THAT(message_of([&] { read_nsys_sqlite(damaged.path()); }), HasSubstr("cannot be read as a database"));
}

TEST(NsysCsv, FindsColumnsByNameAndScalesTheirUnits) {
  const TemporaryFile file("report.csv", R"csv(Processing [report.sqlite] with [cuda_gpu_trace.py]...
Start (us),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (KB),DymSMem (MB),Bytes (MB),SrcMemKd,Device,Ctx,Strm,Name
"1,000.5",2500,1,8,1,1,64,1,1,32,1.000,0.002,,,NVIDIA A100-SXM4-40GB (3),1,7,"void g<1, 2>(int)"
1010,1000,2,,,,,,,,,,0.5,Pageable,NVIDIA A100-SXM4-40GB (3),1,7,[CUDA memcpy Host-to-Device]
)csv");
  const Profile profile = read_nsys_csv(file.path());
  ASSERT_EQ(profile.activities.size(), 2U);
  EXPECT_EQ(profile.activities[0].start, 1'000'500);
  EXPECT_EQ(profile.activities[0].duration, 2'500);
  EXPECT_EQ(profile.activities[0].smem_bytes, 3000U);
  EXPECT_EQ(profile.names.at(profile.activities[0].name), "void g<1, 2>(int)");
  EXPECT_EQ(profile.activities[1].work, Work::kCopyToGpu);
  EXPECT_EQ(profile.activities[1].bytes, 500'000U);
  EXPECT_EQ(profile.devices.at(3).name, "NVIDIA A100-SXM4-40GB");
}

TEST(NsysCsv, OldHeadersBlankFieldsAndReportsBehindAreTaken) {
  const TemporaryFile file(
      "report.csv",
      "NOTICE: Existing SQLite export found\r\n\r\n"
      "\"Start(nsec)\",\"Duration(nsec)\",\"CorrId\",\"GrdX\",\"Device\",\"Ctx\",\"Strm\",\"Name\"\r\n"
      "10,,1,,,,0,kernel_a\r\n20,5,2,3,,1,0,kernel_b\r\n\r\n"
      "Processing [report.sqlite] with [cuda_api_sum.py]...\r\nTime (%),Name\r\n1,f\r\n");
  const Profile profile = read_profile(file.path(), {});
  ASSERT_EQ(profile.activities.size(), 2U);
  EXPECT_EQ(profile.activities[0].start, 10);
  EXPECT_FALSE(profile.activities[0].context);
  EXPECT_EQ(profile.activities[1].grid[0], 3U);
}

// nsys stats prints one table behind the other, with a blank line between them.
TEST(NsysCsv, EndsWhereAnotherTableBegins) {
  const std::string trace = "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n1,2,1,d,7,k\n5,2,1,d,7,k\n\n";
  for (const char* const next : {"Some,Table,Of,Its,Own,Kind\nx,1,2,3,4,5\n", "Time (%),Total Time (ns),Name\n1,2,f\n",
                                 "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n1,2,1,e,9,other\n"}) {
    const Profile profile = read_nsys_csv(TemporaryFile("report.csv", trace + next).path());
    EXPECT_EQ(profile.activities.size(), 2U) << next;
    EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("another report stands behind the GPU trace"))) << next;
  }
}

TEST(NsysCsv, ADecimalCommaIsNoThousand) {
  const TemporaryFile file("report.csv", "Start (ms),Duration (ms),GrdX,Device,Strm,Name\n\"1,5\",\"2,25\",1,d,7,k\n");
  EXPECT_THAT(message_of([&] { read_nsys_csv(file.path()); }), HasSubstr("is no line of a GPU trace"));
  const TemporaryFile unit("report.csv", "Start (min),Duration (ms),GrdX,Device,Strm,Name\n1,2,1,d,7,k\n");
  EXPECT_THAT(message_of([&] { read_nsys_csv(unit.path()); }), HasSubstr("has a unit that is not known (Start (min))"));
}

TEST(NsysCsv, SaysWhichLineIsNone) {
  const TemporaryFile file("report.csv", "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n1,2,1,d,7,k\nTotal,of,all\n");
  EXPECT_THAT(message_of([&] { read_nsys_csv(file.path()); }),
              HasSubstr("report.csv:3:1: is no line of a GPU trace (Total)"));
  const TemporaryFile headless("other.csv", "Start (ns),Name\n");
  EXPECT_THAT(message_of([&] { read_nsys_csv(headless.path()); }), HasSubstr("has no column Duration"));
}

TEST(NsysCsv, ManagedMemoryMovesAsCopiesAndUnknownRowsAreNoKernels) {
  const TemporaryFile file("report.csv",
                           "Start (ns),Duration (ns),GrdX,Bytes (MB),Device,Ctx,Strm,Name\n"
                           "1000,100,,2.5,d (0),1,,[CUDA Unified Memory memcpy HtoD]\n"
                           "1200,100,,0.5,d (0),1,,[CUDA Unified Memory memcpy DtoH]\n"
                           "1400,100,8,,d (0),1,7,k\n"
                           "1600,100,,,d (0),1,7,[CUDA memory decompress]\n"
                           "1800,100,,,d (0),1,7,[CUDA memset]\n");
  const Profile profile = read_nsys_csv(file.path());
  ASSERT_EQ(profile.activities.size(), 4U);
  EXPECT_EQ(profile.activities[0].work, Work::kCopyToGpu);
  EXPECT_EQ(profile.activities[0].bytes, 2'500'000U);
  EXPECT_EQ(profile.activities[1].work, Work::kCopyToHost);
  EXPECT_EQ(profile.activities[2].work, Work::kKernel);
  EXPECT_EQ(profile.activities[3].work, Work::kMemset);
  EXPECT_EQ(profile.names, std::vector<std::string>{"k"});
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("1 rows of operations that are not known are left out, the "
                                                           "first of them [CUDA memory decompress]")));
}

TEST(NsysCsv, IsFoundBehindAnyNumberOfLinesOfOtherReports) {
  std::string text = "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("{},5,cudaLaunchKernel,0,{},7,7,20,app\n", 10 * i, i);
  text +=
      "\nStart (ns),Duration (ns),GrdX,Device,Strm,Name\n5,6,1,d (0),7,k\n\n"
      "RangeId,RangeStack,NameTree\n1,2,3\n";
  const Profile profile = read_profile(TemporaryFile("both.csv", text).path(), {});
  ASSERT_EQ(profile.activities.size(), 1U);
  EXPECT_EQ(profile.activities[0].start, 5);
}

const std::string kHeader = R"(-kernel name = _Z9vectorAddPKfS0_Pfi
-kernel id = 1
-grid dim = (196,1,1)
-block dim = (256,2,1)
-shmem = 2048
-nregs = 18
-cuda stream id = 3

#traces format = ...
)";

TEST(AccelSim, ReadsTheListAndTheHeadersBesideIt) {
  const TemporaryFile list("kernelslist.g", "MemcpyHtoD,0x00007f1,400000\nkernel-1.traceg\n");
  list.write("kernel-1.traceg", kHeader);
  list.write("times.csv", "kernel,us\n_Z9vectorAddPKfS0_Pfi,12.5\n");
  const Profile profile = read_accelsim(list.folder(), list.folder() / "times.csv");
  ASSERT_EQ(profile.activities.size(), 2U);
  EXPECT_EQ(profile.activities[0].bytes, 400'000U);
  EXPECT_EQ(profile.activities[1].grid[0], 196U);
  EXPECT_EQ(profile.activities[1].block[1], 2U);
  EXPECT_EQ(profile.activities[1].regs_per_thread, 18U);
  EXPECT_EQ(profile.activities[1].stream, 3U);
  EXPECT_EQ(profile.activities[1].duration, 12'500);
  EXPECT_FALSE(read_accelsim(list.path(), "").has_times);
}

TEST(AccelSim, TracesMayBePackedAndOtherLinesAmongTheHeader) {
  const TemporaryFile list("kernelslist.g", "ncclCommInitAll\n./kernel-1-ctx_0x55.traceg.xz\n");
  const auto read = [&] { return read_accelsim(list.path(), ""); };
  list.write("kernel-1-ctx_0x55.traceg.xz",
             "\xFD"
             "7zXZ");
  EXPECT_THAT(message_of(read), HasSubstr("kernel-1-ctx_0x55.traceg.xz:1:1: is packed"));
  list.write("kernel-1-ctx_0x55.traceg", "-kernel name = f\n\n" + kHeader);
  EXPECT_EQ(read().activities.at(0).grid[0], 196U);
  EXPECT_THAT(read().notes, ::testing::Contains(HasSubstr("1 calls of nccl")));
}

TEST(AccelSim, SaysWhatIsMissing) {
  const TemporaryFile list("kernelslist.g", "kernel-1.traceg\n");
  list.write("kernel-1.traceg", kHeader);
  list.write("times.csv", "other,1\n");
  EXPECT_THAT(message_of([&] { read_accelsim(list.path(), list.folder() / "times.csv"); }),
              HasSubstr("has no time in the table"));
  list.write("kernel-1.traceg", "-kernel name = f\n");
  EXPECT_THAT(message_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("has no header line `-grid dim = ..`"));
  list.write("kernelslist.g", "kernel-2.traceg\n");
  EXPECT_THAT(message_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("cannot be read"));
  list.write("kernelslist.g", "../../etc/passwd\n");
  EXPECT_THAT(message_of([&] { read_accelsim(list.path(), ""); }), HasSubstr("is neither a copy nor a kernel"));
}

TEST(ReadProfile, TellsTheKindByTheFirstBytes) {
  EXPECT_EQ(read_profile(Database(kStrings + kKernels).path(), {}).format, "nsys-sqlite");
  const std::string kernel = R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1})";
  EXPECT_EQ(read_profile(TemporaryFile("a", "\n {\"traceEvents\": [" + kernel + "]}").path(), {}).format, "kineto");
  EXPECT_EQ(read_profile(TemporaryFile("a", "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n").path(), {}).format,
            "nsys-csv");
  const TemporaryFile other("a", "hello\n");
  EXPECT_THAT(message_of([&] { read_profile(other.path(), {}); }), HasSubstr("is no profile of a known kind"));
}

// What a file is, by a line or the first bytes of it that are typical of it.
struct ForeignCase {
  const char* text;
  const char* name;
};
class Foreign : public ::testing::TestWithParam<ForeignCase> {};

TEST_P(Foreign, IsNamedAndNotRead) {
  const TemporaryFile file("profile", GetParam().text);
  EXPECT_THAT(message_of([&] { read_profile(file.path(), {}); }),
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
        ForeignCase{"\x0A\x15\x40\x01\x02", "a trace of Perfetto (protobuf)"},
        ForeignCase{R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}}]})", "an output of rocprofv3"}));

// Their bytes do not tell.
TEST(ReadProfile, ReportsAreKnownByTheEndOfTheirNames) {
  const std::pair<const char*, const char*> cases[] = {
      {"app.nsys-rep", "is a report of Nsight Systems (.nsys-rep), which is not read (nsys export --type sqlite)"},
      {"app.qdrep", "is a report of Nsight Systems (.qdrep), which is not read (nsys export --type sqlite)"},
      {"vm.xplane.pb", "is a profile of XLA (XSpace), which is not read"}};
  for (const auto& [name, message] : cases) {
    const TemporaryFile file(name, std::string("\x93\x01\0\x02 text", 10));
    EXPECT_THAT(message_of([&] { read_profile(file.path(), {}); }), HasSubstr(message)) << name;
  }
}

TEST(NsysSqlite, DatabasesOfOtherProfilersAreNamed) {
  const Database nvprof(
      "CREATE TABLE StringTable (_id_ INTEGER, value TEXT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (_id_ INTEGER, start INT, end INT, name INT);");
  EXPECT_THAT(message_of([&] { read_profile(nvprof.path(), {}); }),
              HasSubstr("is a database of nvprof, which is not read"));
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
    events += fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "ts": {}, "dur": 5}},)", 1615207264505000 + 10 * i);
  for (const char* const time : {"1", "9615207264505000"}) {
    const TemporaryFile file("trace.json", "{\"traceEvents\": [" + events +
                                               R"({"ph": "X", "cat": "kernel", "name": "k", "dur": 5, "ts": )" + time + "}]}");
    const Profile profile = read_profile(file.path(), {});
    EXPECT_EQ(profile.activities.size(), 20U) << time;
    EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("their times are wrong"))) << time;
  }
}

}  // namespace
}  // namespace tessera::importer::test
