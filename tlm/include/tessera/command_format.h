// SPDX-License-Identifier: Apache-2.0
// Structures that the host writes, little-endian (docs/hardware/register_map.md): commands in a ring (64 bytes each),
// the kernel descriptor that a launch points to (88 bytes), and the graph that a graph command points to.
#pragma once

#include <cstdint>
#include <type_traits>

namespace tessera::tlm_model {

enum class Opcode : std::uint32_t { kLaunch = 1, kCopy = 2, kFence = 3, kWait = 4, kGraph = 5 };

inline constexpr std::uint32_t kInterruptWhenDone = 1;  // Command::flags
inline constexpr std::uint32_t kTimingOnly = 2;         // a copy that takes its time but moves no bytes
inline constexpr std::uint32_t kOwnPriority = 4;        // a launch with its descriptor's priority instead of its
                                                        // context's

struct Command {
  Opcode opcode = Opcode::kFence;
  std::uint32_t flags = 0;
  std::uint64_t context = 0;
  std::uint64_t source = 0;         // kLaunch: address of the kernel descriptor; kCopy: address on the source side;
                                    // kWait: another hardware queue; kGraph: address of the graph
  std::uint64_t destination = 0;    // kCopy
  std::uint64_t bytes = 0;          // kCopy; kWait: how many commands of that queue must be done
  std::uint64_t direction = 0;      // kCopy: 0 system memory to device memory, 1 back
  std::uint64_t fence_address = 0;  // in system memory, 0: none; written when the command is done
  std::uint64_t fence_value = 0;
};
static_assert(sizeof(Command) == 64 && std::is_trivially_copyable_v<Command>);

inline constexpr std::uint64_t kNeverEnds = ~std::uint64_t{0};  // KernelDescriptor::mean_tb_cycles

inline constexpr std::uint32_t kMaxPpm = 1'000'000;

// Instructions are not simulated: the last fields stand for what the code would do.
struct KernelDescriptor {
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;  // 32-bit registers
  std::uint32_t smem_bytes_per_tb = 0;
  std::uint32_t threads_per_tb = 0;
  std::uint64_t mean_tb_cycles = 0;  // durations are uniform in mean +- half spread
  std::uint64_t half_spread_cycles = 0;
  std::uint64_t duration_key = 0;  // seeds the draw of each TB's duration
  std::uint32_t process = 0;       // process, kernel, run: who launched which kernel in which run, for the record log
  std::uint32_t kernel = 0;
  std::uint32_t run = 0;
  std::uint16_t priority = 0;          // only with kOwnPriority
  std::uint16_t max_tbs_per_sm = 0;    // 0: as many as fit
  std::uint32_t idempotent_until = 0;  // ppm of a TB's instructions: before this point it may be flushed
  std::uint32_t work_share = 0;        // ppm; docs/concepts/readings.md, Progress
  std::uint32_t segment_cpi_spread = 0;
  std::uint32_t neighbour_cpi_spread = 0;
  std::uint64_t loop_program = 0;    // address of the loops' program; 0: an ordinary kernel
  std::uint32_t num_relaunches = 0;  // event-driven kernels: above 0, the loops resume where they stopped
  std::uint32_t launch_number = 0;   // among the context's launches of event-driven kernels
};
static_assert(sizeof(KernelDescriptor) == 88 && std::is_trivially_copyable_v<KernelDescriptor>);

// A graph: this header, followed by its nodes, then its edges. A node is a launch or a copy; it has no fence of its
// own.
struct GraphHeader {
  std::uint32_t num_nodes = 0;  // 1 .. kMaxGraphNodes
  std::uint32_t num_edges = 0;
};
struct GraphNode {
  Command command;          // a launch's `source` is ignored:
  KernelDescriptor kernel;  // its descriptor is here
};
struct GraphEdgeWords {
  std::uint32_t from = 0;
  std::uint32_t to = 0;  // a later node, which begins when `from` is done
};
inline constexpr std::uint32_t kMaxGraphNodes = 65'536;
inline constexpr std::uint32_t kMaxGraphEdges = 1'048'576;
static_assert(sizeof(GraphHeader) == 8 && sizeof(GraphNode) == 152 && sizeof(GraphEdgeWords) == 8);
static_assert(std::is_trivially_copyable_v<GraphNode>);

// The program of an event-driven kernel: this header, followed by its steps ([G16] 3.1).
struct LoopProgramHeader {
  std::uint64_t count = 0;                 // rounds
  std::uint64_t state_bytes_per_slot = 0;  // state that a callback keeps
  std::uint32_t slots = 0;
  std::uint32_t num_steps = 0;    // per round
  std::uint32_t is_blocking = 0;  // 1: a loop that only waits for I/O leaves the GPU
  std::uint32_t spread = 0;       // ppm: callbacks of a thread block take 1 +- this of their cycles
};
struct LoopStepWords {
  std::uint64_t cycles = 0;    // of a callback; 0: the step is an I/O operation
  std::uint64_t bytes = 0;     // of the I/O operation
  std::uint32_t is_write = 0;  // 1: writes the file
  std::uint32_t is_on_disk = 0;
};
inline constexpr std::uint32_t kMaxLoopSteps = 64;
static_assert(sizeof(LoopProgramHeader) == 32 && sizeof(LoopStepWords) == 24);

}  // namespace tessera::tlm_model
