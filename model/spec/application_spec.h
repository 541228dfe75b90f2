// SPDX-License-Identifier: Apache-2.0
// An application: its kernels, its streams, and the host program that copies, launches and waits
// (docs/concepts/streams.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/base/time.h"
#include "model/spec/contention_spec.h"

namespace tessera::spec {

enum class TimeBase { kKernelTime, kTimePerTb };  // docs/concepts/readings.md, Time of a TB

// An event-driven kernel ([G16] 3.1; docs/concepts/gloop.md): each of its thread blocks is a loop that executes
// callbacks and lets the host read and write files between them. It can give up the GPU at the end of a callback.
enum class LoopMode { kPolling, kBlocking };  // what a loop does that only waits for I/O: poll, or leave the GPU
enum class IoDirection { kRead, kWrite };
enum class IoMedium { kCache, kDisk };

// One step of a loop: a callback, or an I/O operation that the next step waits for.
struct LoopStep {
  Picoseconds callback = 0;  // above 0: this step is a callback
  IoDirection direction = IoDirection::kRead;
  IoMedium medium = IoMedium::kCache;
  std::uint64_t bytes = 0;

  bool is_callback() const { return callback > 0; }
};

struct EventDrivenSpec {
  LoopMode mode = LoopMode::kPolling;
  std::uint32_t slots = 64;                  // callback slots of each loop; also the number of its control bits
  std::uint64_t state_bytes_per_slot = 512;  // state that a callback keeps
  std::uint32_t count = 0;                   // iterations of each loop's body
  std::vector<LoopStep> body;

  bool has_io() const;
};

struct KernelSpec {
  std::string name;
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;        // 32-bit registers
  std::uint32_t smem_bytes_per_tb = 0;  // as allocated, including the system's share
  std::uint32_t threads_per_tb = 0;
  std::optional<Picoseconds> kernel_time;    // alone on the machine, overheads included
  std::optional<Picoseconds> tb_time;        // residency of one TB, taken literally
  std::uint32_t tb_time_spread_ppm = 0;      // TB durations are uniform in mean * (1 +- spread)
  std::uint32_t kernel_time_spread_ppm = 0;  // launches take mean * (1 +- spread), evenly spread over a run
  std::uint32_t idempotent_until_ppm = 0;    // of a TB's instructions: before this point it may be restarted
  std::uint32_t work_share_ppm =
      0;  // share of the differences in TB times due to instruction counts (docs/concepts/readings.md, Progress)
  std::uint32_t segment_cpi_spread_ppm = 0;       // between the eighths of a TB
  std::uint32_t neighbour_cpi_spread_ppm = 0;     // common to TBs with close numbers
  bool is_persistent = false;                     // its TBs never end by themselves
  std::optional<EventDrivenSpec> event_driven{};  // its callbacks determine its time
  std::optional<KernelKind> kind{};               // which kernels it contends with; empty: none
  std::uint32_t smem_reserve_bytes = 0;           // the system's share (GpuSpec::shared_memory_reserve_bytes)
  std::uint32_t max_tbs_per_sm = 0;               // the kernel's own limit; 0: as many as fit
  std::int32_t occupancy_speedup_ppm = 0;         // how its TBs' speed changes with the number on their SM
  std::uint64_t dram_bytes_per_tb = 0;            // under loaded_latency: that a TB moves to or from memory
  std::uint32_t bytes_in_flight_per_tb = 0;       // of these, on their way at once; 0: as the GPU says of its threads
  bool loads_all_along = false;                   // as many on their way as long as it works (recorded_traffic.h)
};

// Stream 0 is either an ordinary stream, like CUDA's per-thread default stream, or the NULL stream. Work in the NULL
// stream waits for all work submitted earlier to the application's other streams, and later work in those waits for it.
enum class DefaultStream { kPerThread, kLegacy };
inline constexpr std::string_view kDefaultStreamName = "default";  // among named streams

struct StreamSpec {
  std::string name;
  std::optional<std::uint32_t> priority;  // among its process's launches, 0 (lowest) .. 15; empty: 0
  bool is_non_blocking = false;           // does not synchronise with the NULL stream
};

// One step of a host program. `stream` numbers are the application's own, from 0, the default stream; `event` is an
// index into ApplicationSpec::events.
struct CpuPhase {
  Picoseconds time = 0;
};
enum class CopyDirection { kToGpu, kToHost };
struct Copy {
  CopyDirection direction = CopyDirection::kToGpu;
  std::uint64_t bytes = 0;
  std::uint32_t stream = 0;
  bool is_async = false;  // a synchronous copy blocks the process until it is done
};
struct Launch {
  std::uint32_t kernel = 0;  // index into ApplicationSpec::kernels
  std::uint32_t stream = 0;
  Picoseconds start = 0;                      // earliest time of the call, from the start of the run
  std::uint32_t time_factor_ppm = 1'000'000;  // multiplies the kernel's TB times
  bool notifies = false;                      // raises an interrupt of the program's own when it is done ([K11] 4.2)
};
struct RecordEvent {
  std::uint32_t event = 0;
  std::uint32_t stream = 0;
};
// Later work in the stream waits for the work before the event's last record; without a record it does not wait.
struct WaitForEvent {
  std::uint32_t event = 0;
  std::uint32_t stream = 0;
};
struct Synchronise {
  std::optional<std::uint32_t> stream;
  std::optional<std::uint32_t> event{};
};  // neither: the whole device
struct Loop;
struct Group;
struct Graph;
using HostStep = std::variant<CpuPhase, Copy, Launch, Synchronise, Loop, RecordEvent, WaitForEvent, Group, Graph>;
struct Loop {
  std::uint32_t count = 0;
  std::vector<HostStep> body;
};
// Commands that a driver treats as one ([K11] 2: a command group): launches, copies that do not wait, and loops of
// these, all in one stream.
struct Group {
  std::vector<HostStep> work;
  std::uint32_t stream = 0;
};

// A graph of kernels and copies that one call launches (CUDA graphs; docs/concepts/streams.md): a node begins when all
// of its predecessors are done. Nodes are launches, copies, and loops of these, which are unrolled for numbering.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;  // a later node
};
struct Graph {
  std::vector<HostStep> nodes;
  std::uint32_t stream = 0;
  std::optional<std::vector<GraphEdge>> edges{};  // empty: a chain in the order of the nodes
};

struct ApplicationSpec {
  std::string name;
  std::vector<KernelSpec> kernels;
  std::vector<HostStep> program;
  DefaultStream default_stream = DefaultStream::kPerThread;
  std::vector<StreamSpec> streams{};  // 1, 2, ..; empty: streams are numbers without properties
  std::vector<std::string> events{};
  std::uint32_t in_flight_share_ppm = 0;  // of what an SM can have on its way; 0: kernels say their bytes themselves
  bool has_event_driven_kernels() const;
  bool has_io() const;                                                   // any of them has I/O
  std::uint32_t num_streams() const;                                     // highest stream used + 1
  std::optional<std::uint32_t> priority_of(std::uint32_t stream) const;  // as in the file
  bool is_blocking(std::uint32_t stream) const;                          // it and the NULL stream wait for each other
};

inline constexpr std::uint64_t kMaxGroupCommands = 512;  // loops unrolled: half of a ring

// Number of commands in a group, loops unrolled; exact only up to the maximum of a group.
std::uint64_t num_commands(const std::vector<HostStep>& work);

inline constexpr std::uint64_t kMaxGraphNodes = 65'536;
inline constexpr std::size_t kMaxGraphEdges = 1'048'576;

// Number of nodes of a graph, loops unrolled; exact only up to the maximum of a graph.
std::uint64_t num_nodes(const Graph& graph);
// Nodes in order, loops unrolled.
std::vector<const HostStep*> nodes_of(const Graph& graph);
// Edges; those of a chain are generated.
std::vector<GraphEdge> edges_of(const Graph& graph);

// Launches per run, by kernel, loops unrolled.
std::vector<std::uint64_t> launches_per_run(const ApplicationSpec& application);

}  // namespace tessera::spec
