// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' CSV: a GPU trace, alone or among other reports.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

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
  EXPECT_THAT(problem_of([&] { read_nsys_csv(file.path()); }), HasSubstr("is not a line of a GPU trace"));
  const TemporaryFile unit("report.csv", "Start (min),Duration (ms),GrdX,Device,Strm,Name\n1,2,1,d,7,k\n");
  EXPECT_THAT(problem_of([&] { read_nsys_csv(unit.path()); }), HasSubstr("has a unit that is not known (Start (min))"));
}

TEST(NsysCsv, SaysWhichLineIsNone) {
  const TemporaryFile file("report.csv", "Start (ns),Duration (ns),GrdX,Device,Strm,Name\n1,2,1,d,7,k\nTotal,of,all\n");
  EXPECT_THAT(problem_of([&] { read_nsys_csv(file.path()); }),
              HasSubstr("report.csv:3:1: is not a line of a GPU trace (Total)"));
  const TemporaryFile headless("other.csv", "Start (ns),Name\n");
  EXPECT_THAT(problem_of([&] { read_nsys_csv(headless.path()); }), HasSubstr("has no column Duration"));
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

}  // namespace
}  // namespace tessera::importer::test
