// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' SQLite: tables joined by their ids, of all versions.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "tests/importer/database.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

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

TEST(NsysSqlite, TakesPrioritiesOfStreamsAndWhichIsTheNullStream) {
  // Process 1000 of the tables of kernels. CUDA's -5 is its most urgent level.
  const Profile profile = read_nsys_sqlite(
      Database(
          kStrings + kKernels + kCalls +
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start, end, deviceId, contextId, 13, correlationId, "
          "globalPid, demangledName, shortName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
          "staticSharedMemory, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL;"
          "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (processId INTEGER, contextId INTEGER, nullStreamId INTEGER);"
          "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (1000, 1, 7), (1001, 1, 13);"
          "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, "
          "priority INTEGER, flag INTEGER);"
          "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 1000, 1, 0, 1), (13, 1000, 1, -5, 2), (13, 1001, 1, 0, 1);")
          .path());
  using Kind = StreamProperties::Kind;
  ASSERT_EQ(profile.streams.size(), 2U);
  const StreamProperties& null = profile.streams.at({1000, 1, 7});
  const StreamProperties& urgent = profile.streams.at({1000, 1, 13});
  EXPECT_EQ(null.kind, Kind::kNull);
  EXPECT_EQ(null.priority, 0U);
  EXPECT_EQ(urgent.kind, Kind::kNonBlocking);
  EXPECT_EQ(urgent.priority, 5U);
}

TEST(NsysSqlite, ADatabaseWithoutKernelsIsNoProfile) {
  const Database database("CREATE TABLE a (b INTEGER);");
  EXPECT_THAT(problem_of([&] { read_nsys_sqlite(database.path()); }),
              HasSubstr("has no table CUPTI_ACTIVITY_KIND_KERNEL"));
  const TemporaryFile damaged("export.sqlite", std::string("SQLite format 3\0", 16) + std::string(4000, 'x'));
  EXPECT_THAT(problem_of([&] { read_nsys_sqlite(damaged.path()); }), HasSubstr("cannot be read as a database"));
}

TEST(NsysSqlite, DatabasesOfOtherProfilersAreNamed) {
  const Database nvprof(
      "CREATE TABLE StringTable (_id_ INTEGER, value TEXT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (_id_ INTEGER, start INT, end INT, name INT);");
  EXPECT_THAT(problem_of([&] { read_profile(nvprof.path(), {}); }),
              HasSubstr("is a database of nvprof, which is not read"));
}

}  // namespace
}  // namespace tessera::importer::test
