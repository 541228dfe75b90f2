// SPDX-License-Identifier: Apache-2.0
// Launches of the same name and shape are one kernel, with their mean time and their spread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "importer/workload.h"
#include "model/spec/spec.h"

namespace tessera::importer {

struct KernelGroup {
  spec::KernelSpec kernel;  // as the YAML will have it; the fit to overlaps may change its time
  std::string remark;       // grid and block, for a comment
  bool is_collective = false;
  bool is_stand_in = false;  // for memsets and copies on the GPU
  std::uint64_t num_launches = 0;
  double recorded_mean_ns = 0;       // of its launches, 0 where the profile has no times
  double recorded_cv = 0;            // standard deviation over mean
  std::uint64_t num_zero = 0;        // launches of no recorded duration
  std::uint64_t num_overlapped = 0;  // launches during which another kernel ran
  std::optional<double> recorded_occupancy_percent;
};

struct KernelGroups {
  std::vector<KernelGroup> groups;
  std::vector<std::uint32_t> of_operation;  // kNoGroup: a copy between host and GPU
  std::vector<double> time_ns;              // by operation: what it is to take
  std::vector<std::string> notes;
};
inline constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

struct GroupOptions {
  Collectives collectives = Collectives::kKeep;
  std::optional<double> tb_time_us;      // for profiles without times
  std::uint32_t smem_reserve_bytes = 0;  // that the GPU adds to each thread block
  std::uint32_t num_sms = 0;
  double tbs_per_us = 0;  // that the GPU's engine can issue; 0: as many as one likes
};

// Of a grid or a block; what is not told counts as 1. At most 2^40.
std::uint64_t product(const std::array<std::uint32_t, 3>& sizes);
// Registers of a thread block as the hardware allocates them: for whole warps, 256 at a time.
std::uint32_t allocated_registers(std::uint32_t per_thread, std::uint32_t threads);

KernelGroups group_kernels(const Profile& profile, const Workload& workload, const GroupOptions& options);

}  // namespace tessera::importer
