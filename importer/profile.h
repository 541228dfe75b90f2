// SPDX-License-Identifier: Apache-2.0
// What every kind of profile is read into: GPU work, the host's calls, devices. Neither users nor hosts have a place
// here, so nothing of them can get any further.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tessera::importer {

using Nanoseconds = std::int64_t;  // since some moment that the whole profile shares
// Some 126 years either way: what is later is no time, and the sum of two must not overflow.
inline constexpr Nanoseconds kMaxMoment = 4'000'000'000'000'000'000;

enum class Work : std::uint8_t { kKernel, kCopyToGpu, kCopyToHost, kCopyOnGpu, kMemset };

struct GpuActivity {
  Work work = Work::kKernel;
  std::uint32_t name = 0;  // of a kernel: index into Profile::names
  Nanoseconds start = 0;
  std::optional<Nanoseconds> duration;  // none: the profile does not tell
  std::optional<std::uint64_t> correlation;
  std::uint64_t process = 0;
  std::uint64_t device = 0;
  std::optional<std::uint64_t> context;
  std::uint64_t stream = 0;
  std::array<std::uint32_t, 3> grid{};   // of a kernel; 0: not told
  std::array<std::uint32_t, 3> block{};  // threads; 0: not told
  std::optional<std::uint32_t> regs_per_thread;
  std::optional<std::uint32_t> smem_bytes;   // of a thread block, static and dynamic
  std::optional<std::uint64_t> bytes;        // of a copy or memset
  std::optional<double> occupancy_percent;   // of the SM's warps, as the profile prints it
  std::optional<double> tbs_per_sm_of_grid;  // the grid over the number of SMs

  // Of a copy, as the format has it; of use where no call of the copy is recorded. The host waits for its end (pageable
  // memory; cudaMemcpy). It begins when all work before it has ended, in whatever stream (cudaMemcpy).
  bool holds_host = false;
  bool follows_all = false;

  Nanoseconds end() const { return start + duration.value_or(0); }
  bool is_copy_with_host() const { return work == Work::kCopyToGpu || work == Work::kCopyToHost; }
};

enum class CallKind : std::uint8_t { kWork, kSynchroniseDevice, kSynchronise, kWaitEvent, kRecordEvent };

// Whom a call that waits holds up, and for what, as far as the profile says so.
struct KnownWait {
  std::optional<std::uint64_t> stream;   // that is held up, or waited for by the host
  std::optional<std::uint64_t> awaited;  // stream in which the event was recorded
  std::optional<std::uint64_t> record;   // correlation of the call that recorded it
};

struct HostCall {
  CallKind kind = CallKind::kWork;  // kWork: launches, copies, memsets; joined with them by correlation
  std::uint64_t process = 0;
  std::uint64_t thread = 0;
  Nanoseconds start = 0;
  Nanoseconds duration = 0;
  std::optional<std::uint64_t> correlation;
  bool launches_graph = false;    // its work is the nodes of a graph
  std::optional<KnownWait> wait;  // none: the profile does not tell

  Nanoseconds end() const { return start + duration; }
};

// What a call does by its name in the CUDA runtime or driver API; none: nothing that an application replays.
std::optional<CallKind> call_kind_of(const std::string& api_name);
// cudaGraphLaunch and its likes: all of its work is one launch.
bool is_graph_launch(const std::string& api_name);

// What a profile says of a stream, beside its number.
struct StreamProperties {
  enum class Kind : std::uint8_t { kNotTold, kBlocking, kNonBlocking, kNull };
  Kind kind = Kind::kNotTold;
  std::uint32_t priority = 0;  // 0, the lowest: as streams have it unless they are made otherwise
};
struct StreamKey {
  std::uint64_t process = 0;
  std::uint64_t context = 0;
  std::uint64_t stream = 0;

  bool operator<(const StreamKey& other) const {
    return std::tie(process, context, stream) < std::tie(other.process, other.context, other.stream);
  }
};

struct DeviceProperties {
  std::string name;           // of the product
  std::uint32_t num_sms = 0;  // 0, here and below: not told
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t smem_bytes_per_sm = 0;
  std::uint32_t most_registers_per_tb = 0;
  std::uint32_t most_smem_bytes_per_tb = 0;
  std::uint32_t compute_major = 0;
  std::uint64_t clock_hz = 0;
  std::uint64_t memory_bandwidth_bytes_per_s = 0;
};

struct Profile {
  std::string format;  // "kineto", "nsys-sqlite", ...
  std::vector<std::string> names;
  std::vector<GpuActivity> activities;
  std::vector<HostCall> calls;
  std::unordered_map<std::uint64_t, DeviceProperties> devices;  // by id
  std::map<StreamKey, StreamProperties> streams;                // as far as the profile tells
  std::vector<std::string> notes;                               // what the reader had to assume
  bool has_times = true;
  bool has_recorded_starts = true;   // else starts say no more than an order
  std::size_t num_without_time = 0;  // GPU work that was left out for want of a start

  std::uint32_t name_index(const std::string& name);
  // Puts each wait to the calls of its process and correlation; a profile may tell them before or after the calls.
  void set_waits(const std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait>& waits);
  bool tells_waits = false;  // of streams: what is not among them is none

 private:
  std::unordered_map<std::string, std::uint32_t> index_of_name_;
};

}  // namespace tessera::importer
