// SPDX-License-Identifier: Apache-2.0
// The work of one GPU context in the order in which the host asked for it, and what waited for what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "importer/profile.h"
#include "model/spec/application_spec.h"

namespace tessera::importer {

// How recorded times are read.
inline constexpr Nanoseconds kTolerance = 2'000;       // between a host's and a GPU's stamp of one moment
inline constexpr Nanoseconds kLaunchLatency = 10'000;  // from a call to the start of work on a GPU that waits for it
inline constexpr Nanoseconds kUsualLatency = 6'000;    // the same, taken for a call that is not recorded
inline constexpr Nanoseconds kHandOver = 5'000;        // from the end of work to the start of what waits for its event
inline constexpr Nanoseconds kNoticeable = 20'000;     // what is shorter needs no reason
// What no call takes that only submits work: it loads, compiles, or waits for room in a full queue.
inline constexpr Nanoseconds kLongCall = 100'000;

inline constexpr std::uint32_t kMaxStreams = 64;  // of an application

// How collective kernels are taken over: their recorded time is mostly waiting for other GPUs.
enum class Collectives {
  kKeep,      // they hold their SMs as long as recorded
  kShortest,  // as long as the shortest of the same kernel and shape: the least that waited
  kDrop       // left out
};

struct Operation {
  std::uint32_t activity = 0;  // index into Profile::activities
  std::uint32_t stream = 0;    // of the application, from 0 in the order of their first use
  Nanoseconds call_start = 0;  // on the GPU's clock
  Nanoseconds call_end = 0;
  Nanoseconds recorded_call = 0;  // its start, on the GPU's clock too: `call_start` may have had to be later
  // Of the call, what had passed when it submitted the work: lazy loading, compilation. `call_start` is later by it.
  Nanoseconds before_submission = 0;
  std::uint64_t thread = 0;
  std::uint32_t call = 0;    // index into Profile::calls; the nodes of a graph share theirs
  bool has_call = false;     // else the times above are assumed, and `call` is none
  bool blocks_host = false;  // the call ended no earlier than the work

  bool is_deferred() const { return call_start > recorded_call; }
};

// A call that waits for all work before it, or for one operation.
struct HostWait {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::uint32_t before = 0;  // it stands before this operation
  bool is_for_device = false;
  std::uint32_t awaited = 0;  // operation, where it is for one
};

// The stream of `later` waits for `earlier` of another stream.
struct Dependency {
  std::uint32_t earlier = 0;
  std::uint32_t later = 0;
};

// The GPU was idle before an operation that was launched, and nothing in the profile says why.
struct UnexplainedGap {
  std::uint32_t activity = 0;  // index into Profile::activities
  Nanoseconds length = 0;
};

struct Workload {
  std::uint64_t process = 0;
  std::uint64_t device = 0;
  std::vector<Operation> operations;
  std::vector<HostWait> waits;
  std::vector<Dependency> dependencies;
  std::vector<UnexplainedGap> gaps;
  std::map<std::uint64_t, Nanoseconds>
      clock_leads;                 // by host thread: how far its clock is ahead of the GPU's; less than 0: behind
  std::vector<std::string> notes;  // what was assumed, a sentence each
  // Of streams 1, 2, .., where the profile tells priorities, or work of the NULL stream, which is stream 0 then; else
  // none, and streams are numbers.
  std::vector<spec::StreamSpec> streams;
  spec::DefaultStream default_stream = spec::DefaultStream::kPerThread;

  Nanoseconds begin = 0;  // of the first operation
  Nanoseconds end = 0;    // of the last

  bool has_priorities() const;  // of streams
  bool is_blocking(std::uint32_t stream) const { return stream > 0 && !streams[stream - 1].is_non_blocking; }
  // What is called later in one of two streams waits for what was called before in the other: one is the NULL stream.
  bool is_ordered_by_null_stream(std::uint32_t a, std::uint32_t b) const {
    if (default_stream != spec::DefaultStream::kLegacy) return false;
    return a == 0 ? is_blocking(b) : b == 0 && is_blocking(a);
  }
};

// Of one launch of a graph?
inline bool are_of_one_graph(const Profile& profile, const Operation& a, const Operation& b) {
  return a.has_call && b.has_call && a.call == b.call && profile.calls[a.call].launches_graph;
}

// An entry for each context of each device that ran kernels; in the order of their first operation.
std::vector<Workload> workloads_of(const Profile& profile, Collectives collectives);

bool is_collective(const std::string& kernel_name);

// The parts of workloads_of(), one file each.
// What overlaps in a stream into lanes beside it; Operation::stream are lanes until streams are numbered.
void find_lanes(const Profile& profile, Workload& workload);
// Lanes become the application's streams, with what the profile says of them. Operations are in the order of calls.
void number_streams(const Profile& profile, Workload& workload);
// Calls onto the GPU's clock, operations in the order of calls.
void join_calls(const Profile& profile, Workload& workload);
// What formats without calls say of their copies.
void order_copies_without_calls(const Profile& profile, Workload& workload);
// Where in a long call its work was submitted.
void find_submissions(const Profile& profile, Workload& workload);
// Which streams and calls waited, as far as recorded times tell.
void find_waits(const Profile& profile, Workload& workload);

}  // namespace tessera::importer
