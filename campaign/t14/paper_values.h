// SPDX-License-Identifier: Apache-2.0
// What [T14] prints, number by number. Figures 5 to 8 show bars; only these values stand in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::campaign::t14 {

// Ranges in the text run from the fewest to the most processes: their ends are at 2 and at 8.
std::optional<double> printed(std::string_view figure, std::string_view panel, std::string_view series,
                              std::uint32_t num_processes);

// A row of Table 1; times and percentages in the digits of the print.
struct Table1Row {
  std::string_view application;
  std::string_view kernel;
  std::uint32_t launches;
  std::string_view kernel_time_us;
  std::uint32_t num_tbs;
  std::string_view tb_time_us;
  std::uint32_t smem_bytes_per_tb;
  std::uint32_t regs_per_tb;
  std::uint32_t tbs_per_sm;
  std::string_view resource_percent;
  std::string_view save_time_us;
};

inline constexpr Table1Row kTable1[] = {
    {"lbm", "StreamCollide", 100, "2905.81", 18000, "2.42", 0, 4320, 15, "83.26", "16.20"},
    {"histo", "final", 20, "70.24", 42, "5.02", 0, 19456, 3, "75.00", "14.59"},
    {"histo", "prescan", 20, "20.87", 64, "1.30", 4096, 9216, 4, "52.63", "10.24"},
    {"histo", "intermediates", 20, "77.88", 65, "4.79", 0, 8964, 4, "46.07", "8.96"},
    {"histo", "main", 20, "372.58", 84, "4.44", 24576, 16896, 1, "29.61", "5.76"},
    {"tpacf", "genhists", 1, "14615.33", 201, "72.71", 13312, 7680, 1, "14.14", "2.75"},
    {"spmv", "spmvjds", 50, "42.38", 374, "1.81", 0, 928, 16, "19.08", "3.71"},
    {"mri-q", "ComputeQ", 2, "3389.71", 1024, "26.48", 0, 5376, 8, "55.26", "10.75"},
    {"mri-q", "ComputePhiMag", 1, "4.70", 4, "4.70", 0, 6144, 4, "31.58", "6.14"},
    {"sad", "largersadcalc8", 1, "8174.21", 8040, "16.27", 0, 3328, 16, "68.42", "13.31"},
    {"sad", "largersadcalc16", 1, "1529.38", 8040, "3.04", 0, 832, 16, "17.11", "3.33"},
    {"sad", "mbsadcalc", 1, "15446.02", 128640, "0.84", 2224, 2135, 7, "24.20", "4.71"},
    {"sgemm", "mysgemmNT", 1, "3717.18", 528, "98.56", 512, 4480, 14, "82.89", "16.13"},
    {"stencil", "block2Dregtiling", 100, "2227.30", 256, "8.70", 0, 41984, 1, "53.95", "10.50"},
    {"cutcp", "lattice6overlap", 11, "1520.11", 121, "37.69", 4116, 3328, 3, "16.80", "3.27"},
    {"mri-gridding", "binning", 1, "2021.41", 5188, "1.56", 0, 4096, 4, "21.05", "4.10"},
    {"mri-gridding", "scaninter1", 9, "7.59", 29, "4.14", 665, 1173, 16, "27.54", "5.36"},
    {"mri-gridding", "scanL1", 8, "826.12", 2084, "1.19", 4368, 9216, 3, "39.74", "7.73"},
    {"mri-gridding", "uniformAdd", 8, "127.30", 2084, "0.24", 16, 4096, 4, "21.07", "4.10"},
    {"mri-gridding", "reorder", 1, "2535.30", 5188, "1.95", 0, 8192, 4, "42.11", "8.19"},
    {"mri-gridding", "splitSort", 7, "3838.84", 2594, "4.44", 4484, 10240, 3, "43.79", "8.52"},
    {"mri-gridding", "griddingGPU", 1, "208398.47", 65536, "31.80", 1536, 3648, 10, "51.81", "10.08"},
    {"mri-gridding", "splitRearrange", 7, "1622.93", 2594, "1.88", 4160, 5888, 3, "26.71", "5.20"},
    {"mri-gridding", "scaninter2", 9, "8.81", 29, "4.80", 665, 1173, 16, "27.54", "5.36"},
};

// Section 3.3 and 3.4.
inline constexpr double kPtbqBytes = 21632;
inline constexpr double kOtherStructuresBytesBelow = 512;  // command buffers, active queue, KSRT and SMST together
inline constexpr double kSearchCycles = 13;
inline constexpr double kFullContextUs = 44;  // section 1, "up to"

}  // namespace tessera::campaign::t14
