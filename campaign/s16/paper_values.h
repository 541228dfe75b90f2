// SPDX-License-Identifier: Apache-2.0
// What [S16] prints, number by number. Figures 4.1 to 4.5 show bars; of those only these values stand in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::campaign::s16 {

// In the units of the print: per cent, and a ratio in Figure 4.4. Panels are "average" or a benchmark, series a scheme
// ("chimera", "dual_kernel", "oracle") or what is said of dual_kernel against Chimera ("reduction", "increase",
// "ratio").
std::optional<double> printed(std::string_view figure, std::string_view panel, std::string_view series,
                              std::uint32_t constraint_us = 2);

// A row of Table 4.2. The kernels are named as the sources name them: the print swaps dwt2d's, writes Fdwt53Kernel,
// dynproc, Kernel_compute_cost and leaves "CUDA" in small letters or out.
struct Table42Row {
  std::string_view application;
  std::string_view kernel;
  std::uint32_t regs_per_tb;
  std::uint32_t smem_bytes_per_tb;
  std::uint32_t threads_per_tb;
  std::uint32_t tbs_per_sm;
  bool is_idempotent;
  std::string_view misprint = {};  // a column that the sources contradict, and how
};

inline constexpr Table42Row kTable42[] = {
    {"pathfinder", "dynproc_kernel", 4096, 2048, 256, 6, true},
    {"hotspot", "calculate_temp", 9216, 3072, 256, 3, true},
    {"streamcluster", "kernel_compute_cost", 6144, 0, 512, 3, true},
    {"dwt2d", "fdwt53Kernel", 3584, 3096, 64, 8, true},
    {"dwt2d", "c_CopySrcToComponents", 3072, 768, 256, 6, true},
    {"kmeans", "invert_mapping", 3072, 3072, 256, 6, true, "shared memory repeats the registers; the source has none"},
    {"kmeans", "kmeansPoint", 3072, 3072, 256, 6, true, "shared memory repeats the registers; the source has none"},
    {"stencil", "block2D_hybrid_coarsen_x", 3584, 0, 128, 8, true},
    {"srad", "srad_cuda_1", 5120, 6144, 256, 6, true},
    {"srad", "srad_cuda_2", 5120, 5120, 256, 6, false},
    {"b+tree", "findRangeK", 5120, 0, 256, 6, false},
    {"b+tree", "findK", 4096, 0, 256, 6, false},
    {"nw", "needle_cuda_shared_1", 1536, 2180, 32, 8, false},
    {"nw", "needle_cuda_shared_2", 1536, 2180, 32, 8, false},
    {"bfs", "Kernel", 8192, 0, 512, 3, false},
    {"bfs", "Kernel2", 6144, 0, 512, 3, false},
    {"backprop", "bpnn_layerforward_CUDA", 3072, 1088, 256, 6, false},
    {"backprop", "bpnn_adjust_weights_cuda", 6144, 0, 256, 5, false},
    {"heartwall", "kernel", 8192, 11872, 256, 4, false},
};

// A row of Table 3.1: bits, how many, and the bytes where they are printed; 15 and 5 bits stand as bits.
struct Table31Row {
  std::string_view contents;
  std::uint32_t bits;
  std::uint32_t count;
  std::uint32_t printed_bytes;  // 0: not printed as bytes
};

inline constexpr Table31Row kTable31[] = {
    {"TB-to-SM Mapping", 4, 16 * 15, 120},
    {"Process ID", 15, 1, 0},
    {"Kernel ID", 5, 1, 0},
    {"Register", 16, 64, 128},
    {"Shared Memory", 16, 64, 128},
    {"Thread Block ID", 4, 16 * 16, 128},
    {"Instructions", 32, 16, 64},
    {"Issue Cycle", 32, 16, 64},
    {"Flush Bit", 1, 16, 2},
};
inline constexpr double kAboutKilobytesPerSm = 0.5;  // the table's total
inline constexpr double kSharedKilobytes = 0.12;     // likewise
inline constexpr double kPercentOfAnSmBelow = 0.2;   // 3.4.5
inline constexpr double kConstraintsUs[] = {2, 5};   // the shortest and the longest of 4.4

}  // namespace tessera::campaign::s16
