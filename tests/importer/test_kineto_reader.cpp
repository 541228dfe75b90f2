// SPDX-License-Identifier: Apache-2.0
// The PyTorch profiler's JSON: what is taken, in which units, and what is wrong with damaged files.
#include <gmock/gmock.h>

#include "importer/readers/readers.h"
#include "model/spec/diagnostics.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::HasSubstr;

const std::string kTrace = R"json({"schemaVersion": 1,
"deviceProperties": [{"id": 2, "name": "NVIDIA A100", "numSms": 108, "regsPerMultiprocessor": 65536,
  "sharedMemPerMultiprocessor": 167936, "maxThreadsPerMultiprocessor": 2048, "computeMajor": 8}],
"hostname": "secret-host", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "secret-user"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 9, "ts": 1712195495505543.2, "dur": 4.25,
 "args": {"correlation": 11}},
{"ph": "X", "cat": "kernel", "name": "void f<int>(int*)", "pid": 2, "tid": 7, "ts": 1712195495505583.125, "dur": 10,
 "args": {"device": 2, "context": 1, "stream": 7, "correlation": 11, "grid": [4, 106, 1], "block": [128, 2, 1],
 "registers per thread": 30, "shared memory": 512, "est. achieved occupancy %": 33}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 2, "tid": 7, "ts": 1712195495505600,
 "dur": 1.5, "args": {"device": 2, "context": 1, "stream": 7, "correlation": 12, "bytes": 4096}},
{"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 2, "tid": 7, "ts": 1712195495505610, "dur": 1,
 "args": {"device": 2, "context": 1, "stream": 7, "correlation": 13, "bytes": 64}}
]})json";

Profile read(const std::string& text) { return read_kineto(TemporaryFile("trace.json", text).path()); }

std::string message_of(const std::string& text) {
  return problem_of([&] { read(text); });
}

TEST(KinetoReader, TakesShapeAndPlaceOfAKernel) {
  const Profile profile = read(kTrace);
  ASSERT_EQ(profile.activities.size(), 3U);
  const GpuActivity& kernel = profile.activities[0];
  EXPECT_EQ(profile.names.at(kernel.name), "void f<int>(int*)");
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 106, 1}));
  EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(kernel.regs_per_thread, 30U);
  EXPECT_EQ(kernel.smem_bytes, 512U);
  EXPECT_EQ(kernel.device, 2U);
  EXPECT_EQ(kernel.context, 1U);
  EXPECT_EQ(kernel.stream, 7U);
  EXPECT_EQ(kernel.correlation, 11U);
  EXPECT_EQ(kernel.occupancy_percent, 33);
  EXPECT_EQ(profile.devices.at(2).num_sms, 108U);
}

TEST(KinetoReader, WholeAndFractionalMicrosecondsAreExactNanoseconds) {
  const Profile profile = read(kTrace);
  EXPECT_EQ(profile.activities[0].start, 1712195495505583125);  // a double would be off by up to 125 ns here
  EXPECT_EQ(profile.activities[0].duration, 10'000);
  EXPECT_EQ(profile.activities[1].duration, 1'500);
  ASSERT_EQ(profile.calls.size(), 1U);
  EXPECT_EQ(profile.calls[0].start, 1712195495505543200);
  EXPECT_EQ(profile.calls[0].duration, 4'250);
}

TEST(KinetoReader, TellsCopiesByTheirDirection) {
  const Profile profile = read(kTrace);
  EXPECT_EQ(profile.activities[1].work, Work::kCopyToGpu);
  EXPECT_EQ(profile.activities[1].bytes, 4096U);
  EXPECT_EQ(profile.activities[2].work, Work::kMemset);
}

TEST(KinetoReader, ReadsGzipAsItReadsPlainText) {
  EXPECT_EQ(read(packed(kTrace)).activities.size(), read(kTrace).activities.size());
}

TEST(KinetoReader, TakesOldCategoriesABareArrayAndMissingFields) {
  const Profile profile = read(R"([{"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":5,
    "args":{"stream":"7"}}, {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","ts":1,"dur":1,"args":{}}])");
  ASSERT_EQ(profile.activities.size(), 1U);
  EXPECT_EQ(profile.activities[0].stream, 7U);
  EXPECT_FALSE(profile.activities[0].duration);
  EXPECT_FALSE(profile.activities[0].context);
  EXPECT_EQ(profile.activities[0].grid[0], 0U);
  EXPECT_FALSE(profile.activities[0].correlation);
  EXPECT_FALSE(profile.activities[0].regs_per_thread);
  EXPECT_EQ(profile.calls.size(), 1U);
}

TEST(KinetoReader, NumbersThatAreNoneAreLeftOut) {
  // What Kineto wrote of copies of no duration (its issue 105), and what Python makes of it.
  for (const char* none : {"inf", "-inf", "nan", "NaN", "Infinity", "-Infinity", "-nan"}) {
    const Profile profile =
        read(R"json({"traceEvents":[{"ph":"X","cat":"gpu_memcpy","name":"Memcpy inf nan","ts":3,"dur":0,
      "args":{"bytes":200,"memory bandwidth (GB/s)":)json" +
             std::string(none) + R"json(,"stream":7,"is \"inf\" nan":-1.5}}]})json");
    ASSERT_EQ(profile.activities.size(), 1U) << none;
    EXPECT_EQ(profile.activities[0].duration, 0);
    EXPECT_EQ(profile.activities[0].stream, 7U);
  }
  EXPECT_THAT(message_of("{\"traceEvents\": [infinite]}"), HasSubstr("is malformed JSON"));
}

TEST(KinetoReader, LessThanNoDurationIsNone) {
  const Profile profile = read(R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":5,"dur":-3}]})");
  EXPECT_FALSE(profile.activities.at(0).duration);
}

TEST(KinetoReader, AStreamMayStandInTheThreadsName) {
  const Profile profile =
      read(R"({"traceEvents":[{"ph":"X","cat":"Kernel","name":"k","tid":"stream 7","ts":"1712195495505543","dur":"2"},
    {"ph":"X","cat":"Kernel","name":"k","tid":"stream 20","ts":5,"dur":2,"args":{"grid":["nan","inf","7"]}}]})");
  EXPECT_EQ(profile.activities[0].stream, 7U);
  EXPECT_EQ(profile.activities[0].start, 1712195495505543000);
  EXPECT_EQ(profile.activities[1].stream, 20U);
}

TEST(KinetoReader, NumbersBeyondAllTimeDoNotOverflow) {
  const Profile profile =
      read(R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1e300,"dur":18446744073709551615,
    "args":{"grid":[99999999999,1,1],"block":[-5,1,1]}}]})");
  ASSERT_EQ(profile.activities.size(), 1U);
  EXPECT_GT(profile.activities[0].start, 0);
  EXPECT_EQ(profile.activities[0].grid[0], 4294967295U);
  EXPECT_EQ(profile.activities[0].block[0], 0U);
}

TEST(KinetoReader, SaysWhereJsonIsMalformed) {
  EXPECT_THAT(message_of("{\"traceEvents\":\n [{\"ph\" \"X\"}]}"), HasSubstr("trace.json:2:"));
  EXPECT_THAT(message_of("{\"traceEvents\":\n [{\"ph\" \"X\"}]}"), HasSubstr("is malformed JSON"));
  EXPECT_THAT(message_of(kTrace.substr(0, 700)), HasSubstr("ends before its JSON does"));
  EXPECT_THAT(message_of("[{\"ph\": 1},]"), HasSubstr("is malformed JSON"));
  EXPECT_THAT(message_of("{\"a\": 1}"), HasSubstr("traceEvents: is missing"));
  EXPECT_THAT(message_of(std::string(100'000, '[')), HasSubstr("ends before its JSON does"));
}

TEST(KinetoReader, TakesWhatCallsWaitedFor) {
  const Profile profile = read(R"json({"traceEvents": [
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "ts": 5, "dur": 0, "args": {"stream": 20, "correlation": 14,
 "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 12, "wait_on_cuda_event_id": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "ts": 2, "dur": 1, "args": {"correlation": 12}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "ts": 4, "dur": 1, "args": {"correlation": 14}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventSynchronize", "ts": 6, "dur": 1, "args": {"correlation": 15}},
{"ph": "X", "cat": "cuda_sync", "name": "Event Sync", "ts": 6, "dur": 1, "args": {"stream": -1, "correlation": 15,
 "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": -1}},
{"ph": "X", "cat": "kernel", "name": "k", "ts": 7, "dur": 1, "args": {"correlation": 16}}]})json");
  ASSERT_EQ(profile.calls.size(), 3U);
  EXPECT_TRUE(profile.tells_waits);
  EXPECT_EQ(profile.calls[0].kind, CallKind::kRecordEvent);
  ASSERT_TRUE(profile.calls[1].wait);
  EXPECT_EQ(profile.calls[1].wait->stream, 20U);
  EXPECT_EQ(profile.calls[1].wait->awaited, 7U);
  EXPECT_EQ(profile.calls[1].wait->record, 12U);
  ASSERT_TRUE(profile.calls[2].wait);
  EXPECT_FALSE(profile.calls[2].wait->stream);  // less than nothing: not known
  EXPECT_FALSE(profile.calls[2].wait->record);
}

TEST(KinetoReader, CountsWaitsForEventsThatAreWithoutTheirCalls) {
  const Profile profile = read(R"json({"traceEvents": [
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "ts": 5, "dur": 0, "args": {"stream": 20, "correlation": 14,
 "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 12}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "ts": 6, "dur": 0, "args": {"stream": 20, "correlation": 15,
 "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 12}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "ts": 4, "dur": 1, "args": {"correlation": 14}},
{"ph": "X", "cat": "cuda_driver", "name": "cuStreamWaitEvent", "ts": 4, "dur": 1, "args": {"correlation": 14}},
{"ph": "X", "cat": "kernel", "name": "k", "ts": 7, "dur": 1, "args": {"correlation": 16}}]})json");
  EXPECT_THAT(profile.notes, ::testing::ElementsAre(HasSubstr("1 waits for events are without their calls")));
}

// Names of Python functions come from files and locales of all kinds, and nobody here looks at them.
TEST(KinetoReader, DamageInStringsIsReplacedAndCounted) {
  const auto trace = [](const std::string& name) {
    return R"({"traceEvents": [{"ph": "X", "cat": "python_function", "name": ")" + name +
           R"(", "ts": 1, "dur": 5}, {"ph": "X", "cat": "kernel", "name": "k", "ts": 2, "dur": 5}]})";
  };
  const std::pair<std::string, int> cases[] = {{"plain \\\" \\u00e9 \xC3\xA9 \\ud83d\\ude00", 0},
                                               {"\xFF\xFE\x91", 2},
                                               {"cut \xE2\x82", 1},
                                               {"a \n b \t c \x01", 3},
                                               {"mod\\sub\\x.py", 2},
                                               {"\\u12 \\uZ", 2},
                                               {"\\udc80 \\ud800 \\ud800\\n", 3}};
  for (const auto& [name, num_replaced] : cases) {
    const Profile profile = read(trace(name));
    ASSERT_EQ(profile.activities.size(), 1U) << name;
    EXPECT_EQ(profile.names.at(0), "k");
    if (num_replaced == 0) {
      EXPECT_THAT(profile.notes, ::testing::IsEmpty()) << name;
    } else {
      EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr(fmt::format("{} places in strings", num_replaced))))
          << name;
    }
  }
}

TEST(KinetoReader, SaysThatGzipIsCutOff) {
  const std::string whole = packed(kTrace);
  EXPECT_THAT(message_of(whole.substr(0, whole.size() / 2)), HasSubstr("ends in the middle of its gzip data"));
}

TEST(KinetoReader, AFolderIsNoFile) {
  EXPECT_THROW(read_kineto(std::filesystem::temp_directory_path()), spec::InputError);
  EXPECT_THROW(read_kineto("/no/such/file"), spec::InputError);
}

}  // namespace
}  // namespace tessera::importer::test
