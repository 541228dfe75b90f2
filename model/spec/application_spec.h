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
// callbacks and has the host read and write files between them. It can give the GPU up where a callback ends.
enum class LoopMode { kPolling, kBlocking };  // a loop with nothing but I/O to wait for: it looks for it, or it leaves
enum class IoDirection { kRead, kWrite };
enum class IoMedium { kCache, kDisk };

// One step of a loop: a callback, or an I/O operation that the next step waits for.
struct LoopStep {
  Picoseconds callback = 0;  // above 0: it is one
  IoDirection direction = IoDirection::kRead;
  IoMedium medium = IoMedium::kCache;
  std::uint64_t bytes = 0;

  bool is_callback() const { return callback > 0; }
};

struct EventDrivenSpec {
  LoopMode mode = LoopMode::kPolling;
  std::uint32_t slots = 64;                  // for callbacks, of each loop; its control bits count as many
  std::uint64_t state_bytes_per_slot = 512;  // what a callback keeps
  std::uint32_t count = 0;                   // times that each loop goes through its body
  std::vector<LoopStep> body;

  bool has_io() const;
};

struct KernelSpec {
  std::string name;
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;        // 32-bit registers
  std::uint32_t smem_bytes_per_tb = 0;  // as allocated: with the system's share
  std::uint32_t threads_per_tb = 0;
  std::optional<Picoseconds> kernel_time;    // alone on the machine, overheads included
  std::optional<Picoseconds> tb_time;        // residency of one TB, taken literally
  std::uint32_t tb_time_spread_ppm = 0;      // TB durations are uniform in mean * (1 +- spread)
  std::uint32_t kernel_time_spread_ppm = 0;  // launches take mean * (1 +- spread), evenly spread over a run
  std::uint32_t idempotent_until_ppm = 0;    // of a TB's instructions: before, it may start again from nothing
  std::uint32_t work_share_ppm =
      0;  // of what TBs' times differ, so much is instructions (docs/concepts/readings.md, Progress)
  std::uint32_t segment_cpi_spread_ppm = 0;       // of the eighths of a TB
  std::uint32_t neighbour_cpi_spread_ppm = 0;     // of TBs with close numbers, alike
  bool is_persistent = false;                     // its TBs never end by themselves
  std::optional<EventDrivenSpec> event_driven{};  // its callbacks say how long it takes
  std::optional<KernelKind> kind{};               // whom it contends with; none: nobody
  std::uint32_t smem_reserve_bytes = 0;           // the system's share (GpuSpec::shared_memory_reserve_bytes)
  std::uint32_t max_tbs_per_sm = 0;               // a quota of its own; 0: as many as fit
  std::int32_t occupancy_speedup_ppm = 0;         // how its TBs' speed changes with the number on their SM
};

// What stream 0 is: an ordinary stream, as CUDA's per-thread default stream, or the NULL stream. What is put into the
// latter waits for all that was put into the application's other streams before; what is put into those waits for it.
enum class DefaultStream { kPerThread, kLegacy };
inline constexpr std::string_view kDefaultStreamName = "default";  // among named streams

struct StreamSpec {
  std::string name;
  std::optional<std::uint32_t> priority;  // among its process's launches, 0 (lowest) .. 15; none: 0
  bool is_non_blocking = false;           // has nothing to do with the NULL stream
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
  Picoseconds start = 0;                      // since the run's: the process calls no earlier
  std::uint32_t time_factor_ppm = 1'000'000;  // its TBs take so many times those of the kernel
  bool notifies = false;                      // it raises an interrupt of the program's own when it is done ([K11] 4.2)
};
struct RecordEvent {
  std::uint32_t event = 0;
  std::uint32_t stream = 0;
};
// What follows in the stream waits for what the event's last record stood behind; without one, for nothing.
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
// those are done from which edges lead to it. Nodes are launches, copies, and loops of these, which are numbered
// counted out.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;  // a later node
};
struct Graph {
  std::vector<HostStep> nodes;
  std::uint32_t stream = 0;
  std::optional<std::vector<GraphEdge>> edges{};  // none: a chain, each node behind the one before it
};

struct ApplicationSpec {
  std::string name;
  std::vector<KernelSpec> kernels;
  std::vector<HostStep> program;
  DefaultStream default_stream = DefaultStream::kPerThread;
  std::vector<StreamSpec> streams{};  // 1, 2, ..; empty: streams are numbers, and all alike
  std::vector<std::string> events{};
  bool has_event_driven_kernels() const;
  bool has_io() const;                                                   // one of them has
  std::uint32_t num_streams() const;                                     // highest stream used + 1
  std::optional<std::uint32_t> priority_of(std::uint32_t stream) const;  // as the file has it
  bool is_blocking(std::uint32_t stream) const;                          // it and the NULL stream wait for each other
};

inline constexpr std::uint64_t kMaxGroupCommands = 512;  // loops counted out: half of a ring

// Of a group's work, loops counted out; more than a group may have is as good as any such number.
std::uint64_t num_commands(const std::vector<HostStep>& work);

inline constexpr std::uint64_t kMaxGraphNodes = 65'536;
inline constexpr std::size_t kMaxGraphEdges = 1'048'576;

// Of a graph, loops counted out; more than a graph may have is as good as any such number.
std::uint64_t num_nodes(const Graph& graph);
// In their order, loops counted out.
std::vector<const HostStep*> nodes_of(const Graph& graph);
// A chain's written out.
std::vector<GraphEdge> edges_of(const Graph& graph);

// By kernel, loops counted out.
std::vector<std::uint64_t> launches_per_run(const ApplicationSpec& application);

}  // namespace tessera::spec
