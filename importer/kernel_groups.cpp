// SPDX-License-Identifier: Apache-2.0
// Shapes, times and what stands in for memsets and copies on the GPU.
#include "importer/kernel_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "importer/kernel_names.h"
#include "importer/overlap.h"
#include "importer/time_modes.h"

namespace tessera::importer {
namespace {

constexpr std::size_t kMaxKernels = 4096;  // of an application file
constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kRegisterUnit = 256;  // of a warp's allocation, NVIDIA, since compute capability 3.0
constexpr std::uint32_t kAssumedRegisters = 32;
constexpr std::uint32_t kAssumedThreads = 256;
constexpr std::uint64_t kBytesPerStandInTb = 16384;  // 256 threads, 64 bytes each
constexpr std::uint32_t kStandInRegisters = 16;
constexpr double kIssuingShare = 0.8;
constexpr double kLeastShare = 0.1;  // of its mean time: what the shortest of a kernel's launches takes at least
constexpr std::uint32_t kMaxStandInTbs = 65535;

std::uint32_t at_most_32_bits(std::uint64_t value, std::uint32_t max) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, max));
}

std::uint32_t log2_up(std::uint64_t value) {
  std::uint32_t bits = 0;
  while (bits < 63 && (std::uint64_t{1} << bits) < value) ++bits;
  return bits;
}

// What makes two launches the same kernel. Coarser where there are too many: sizes of grids by powers of two, then
// without names.
using Key = std::tuple<int, std::uint32_t, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>, std::uint32_t,
                       std::uint32_t>;

Key key_of(const GpuActivity& activity, int coarseness) {
  if (activity.work != Work::kKernel) {
    return {static_cast<int>(activity.work), 0, {log2_up(activity.bytes.value_or(0)), 0, 0}, {}, 0, 0};
  }
  std::array<std::uint32_t, 3> grid = activity.grid;
  if (coarseness > 0) grid = {log2_up(product(grid)), 0, 0};
  return {0,
          coarseness > 1 ? 0 : activity.name,
          grid,
          activity.block,
          activity.regs_per_thread.value_or(kAssumedRegisters),
          coarseness > 1 ? log2_up(activity.smem_bytes.value_or(0)) : activity.smem_bytes.value_or(0)};
}

class Grouping {
 public:
  Grouping(const Profile& profile, const Workload& workload, const GroupOptions& options)
      : profile_(profile), workload_(workload), options_(options) {}

  KernelGroups run() {
    int coarseness = 0;
    while (!assign(coarseness) && coarseness < 2) ++coarseness;
    if (coarseness > 0) {
      result_.notes.push_back(
          fmt::format("more than {} kernels of different shape: grids within a factor of two are one kernel{}",
                      kMaxKernels, coarseness > 1 ? ", whatever their name" : ""));
    }
    if (profile_.has_times) part_modes();
    measure();
    for (std::uint32_t group = 0; group < result_.groups.size(); ++group) complete(group);
    tell_what_was_missing();
    return std::move(result_);
  }

 private:
  const GpuActivity& activity(std::size_t operation) const {
    return profile_.activities[workload_.operations[operation].activity];
  }

  // False: too many, at this coarseness.
  bool assign(int coarseness) {
    std::map<Key, std::uint32_t> index;
    result_.of_operation.assign(workload_.operations.size(), kNoGroup);
    first_.clear();
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      if (activity(i).is_copy_with_host()) continue;
      const auto [entry, is_new] =
          index.emplace(key_of(activity(i), coarseness), static_cast<std::uint32_t>(index.size()));
      if (is_new) first_.push_back(i);
      result_.of_operation[i] = entry->second;
    }
    result_.groups.resize(first_.size());
    return first_.size() <= kMaxKernels;
  }

  // Launches of one kernel whose times are far apart are launches of several. Not of collective kernels that all take
  // their shortest time, nor of what is no kernel, nor where there would be too many.
  void part_modes() {
    std::vector<double> times(workload_.operations.size(), 0);
    for (std::uint32_t i = 0; i < times.size(); ++i) {
      const bool is_parted = activity(i).work == Work::kKernel && !takes_shortest(activity(i));
      if (is_parted) times[i] = static_cast<double>(activity(i).duration.value_or(0));
    }
    PartedGroups parted = part_groups(result_.of_operation, kNoGroup, times);
    if (parted.num_parted == 0 || parted.first.size() > kMaxKernels) return;
    result_.of_operation = std::move(parted.of_operation);
    first_ = std::move(parted.first);
    result_.groups.resize(first_.size());
    result_.notes.push_back(
        fmt::format("{} kernels of one name and shape whose times lie in groups a factor above {} apart: each group is "
                    "a kernel of its own",
                    parted.num_parted, kModesApart));
  }

  void measure() {
    const std::vector<bool> is_overlapped = kernels_beside_others(profile_, workload_, result_.of_operation);
    std::vector<double> shortest(result_.groups.size(), std::numeric_limits<double>::max());
    result_.time_ns.assign(workload_.operations.size(), 0);
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      const std::uint32_t group = result_.of_operation[i];
      if (group == kNoGroup) continue;
      result_.time_ns[i] = static_cast<double>(activity(i).duration.value_or(0));
      shortest[group] = std::min(shortest[group], result_.time_ns[i]);
    }
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      const std::uint32_t group = result_.of_operation[i];
      if (group == kNoGroup) continue;
      KernelGroup& all = result_.groups[group];
      if (takes_shortest(activity(i))) result_.time_ns[i] = shortest[group];
      ++all.num_launches;
      all.num_zero += result_.time_ns[i] == 0 ? 1 : 0;
      all.num_overlapped += is_overlapped[i] ? 1 : 0;
      // Welford's: stable for many launches of nearly the same time.
      const double before = all.recorded_mean_ns;
      all.recorded_mean_ns += (result_.time_ns[i] - before) / static_cast<double>(all.num_launches);
      all.recorded_cv += (result_.time_ns[i] - before) * (result_.time_ns[i] - all.recorded_mean_ns);
      num_tbs_.resize(result_.groups.size());
      num_tbs_[group] += static_cast<double>(product(activity(i).grid));
    }
    for (KernelGroup& group : result_.groups) {
      const double deviation = std::sqrt(std::max(0.0, group.recorded_cv) / static_cast<double>(group.num_launches));
      group.recorded_cv = group.recorded_mean_ns > 0 ? deviation / group.recorded_mean_ns : 0;
    }
  }

  bool takes_shortest(const GpuActivity& one) const {
    return options_.collectives == Collectives::kShortest && is_collective_kernel(one);
  }

  bool is_collective_kernel(const GpuActivity& one) const {
    return one.work == Work::kKernel && is_collective(profile_.names[one.name]);
  }

  void complete(std::uint32_t index) {
    KernelGroup& group = result_.groups[index];
    const GpuActivity& one = activity(first_[index]);
    group.is_collective = is_collective_kernel(one);
    group.is_stand_in = one.work != Work::kKernel;
    group.recorded_occupancy_percent = one.occupancy_percent;
    if (group.is_stand_in) {
      set_stand_in(one, group);
    } else {
      set_shape(one, index, group);
    }
    group.kernel.smem_reserve_bytes = options_.smem_reserve_bytes;
    group.kernel.smem_bytes_per_tb += options_.smem_reserve_bytes;
    set_time(group);
  }

  void set_stand_in(const GpuActivity& one, KernelGroup& group) {
    const std::uint64_t bytes = std::uint64_t{1} << log2_up(one.bytes.value_or(0));
    const char* const what = one.work == Work::kMemset ? "memset" : "copy_on_gpu";
    const std::uint64_t tbs = (bytes + kBytesPerStandInTb - 1) / kBytesPerStandInTb;
    group.kernel.name = unique_name(fmt::format("{}_{}_bytes", what, bytes), taken_);
    group.kernel.num_tbs = at_most_32_bits(tbs, kMaxStandInTbs);
    group.kernel.threads_per_tb = kAssumedThreads;
    group.kernel.regs_per_tb = kStandInRegisters * kAssumedThreads;
    group.remark = fmt::format("up to {} bytes", bytes);
  }

  void set_shape(const GpuActivity& one, std::uint32_t index, KernelGroup& group) {
    const bool has_grid = one.grid[0] > 0;
    const bool has_block = one.block[0] > 0;
    num_without_shape_ += has_grid && has_block ? 0 : 1;
    num_without_registers_ += one.regs_per_thread ? 0 : 1;
    const double mean_tbs = num_tbs_[index] / static_cast<double>(group.num_launches);
    const std::uint64_t told = has_grid ? static_cast<std::uint64_t>(std::llround(mean_tbs)) : options_.num_sms;
    const std::uint64_t tbs = std::min(told, most_tbs(group));
    num_too_large_ += tbs < told ? 1 : 0;
    const std::uint64_t threads = has_block ? product(one.block) : kAssumedThreads;
    group.kernel.name = unique_name(short_kernel_name(profile_.names[one.name]), taken_);
    group.kernel.num_tbs = at_most_32_bits(std::max<std::uint64_t>(1, tbs), 2'147'483'647);
    group.kernel.threads_per_tb = at_most_32_bits((threads + kWarp - 1) / kWarp * kWarp, 1U << 28);
    group.kernel.regs_per_tb =
        allocated_registers(one.regs_per_thread.value_or(kAssumedRegisters), group.kernel.threads_per_tb);
    group.kernel.smem_bytes_per_tb = at_most_32_bits(one.smem_bytes.value_or(0), 1U << 28);
    const auto text = [](const std::array<std::uint32_t, 3>& of) {
      return of[0] == 0 ? std::string("not told") : fmt::format("{}x{}x{}", of[0], of[1], of[2]);
    };
    group.remark = fmt::format("grid {}, block {}", text(one.grid), text(one.block));
  }

  // A kernel may spend much of its time on being issued. Shorter ones, which take as long as the GPU needs at least,
  // have a thread block an SM at least.
  std::uint64_t most_tbs(const KernelGroup& group) const {
    constexpr double kMost = 2'147'483'647;
    if (!profile_.has_times || options_.tbs_per_us <= 0) return static_cast<std::uint64_t>(kMost);
    const double shortest_ns = group.recorded_mean_ns * std::max(kLeastShare, 1 - spread_of(group));
    const double issued = kIssuingShare * shortest_ns / 1e3 * options_.tbs_per_us;
    return static_cast<std::uint64_t>(std::clamp(issued, std::max(1.0, 1.0 * options_.num_sms), kMost));
  }

  void set_time(KernelGroup& group) const {
    if (!profile_.has_times && group.recorded_mean_ns == 0) {
      group.kernel.tb_time = static_cast<Picoseconds>(std::llround(options_.tb_time_us.value_or(1) * 1e6));
      return;
    }
    group.kernel.kernel_time =
        std::max<Picoseconds>(1, static_cast<Picoseconds>(std::llround(group.recorded_mean_ns * 1e3)));
    group.kernel.kernel_time_spread_ppm = static_cast<std::uint32_t>(std::llround(spread_of(group) * 1e6));
  }

  // n values evenly spaced in 1 -+ s deviate by s sqrt((n^2 - 1) / (3 n^2)).
  static double spread_of(const KernelGroup& group) {
    const auto n = static_cast<double>(group.num_launches);
    if (group.num_launches < 2) return 0;
    return std::min(1.0, group.recorded_cv * std::sqrt(3 * n * n / (n * n - 1)));
  }

  void tell_what_was_missing() {
    std::uint64_t num_zero = 0;
    std::size_t num_wide = 0;
    std::size_t num_collective = 0;
    for (const KernelGroup& group : result_.groups) {
      num_zero += group.num_zero;
      num_wide += group.kernel.kernel_time_spread_ppm == 1'000'000 ? 1 : 0;
      num_collective += group.is_collective ? group.num_launches : 0;
    }
    const auto note = [&](std::uint64_t count, const std::string& text) {
      if (count > 0) result_.notes.push_back(fmt::format("{} {}", count, text));
    };
    note(num_without_shape_,
         fmt::format("kernels without grid or block: taken as a thread block an SM, {} threads each", kAssumedThreads));
    note(num_without_registers_, fmt::format("kernels without registers: taken as {} a thread", kAssumedRegisters));
    note(num_too_large_, "kernels of more thread blocks than the GPU issues in 80 % of their time: taken as so many");
    if (profile_.has_times) {
      note(num_zero, "operations of no duration: taken as the shortest that the GPU can do");
      note(num_wide, "kernels whose times spread by more than 100 %: a spread of 100 % is kept");
    }
    const char* const rules[] = {"they hold their SMs for as long as recorded, waiting for other GPUs included",
                                 "each takes the shortest time recorded of its kernel and shape", ""};
    note(num_collective, fmt::format("collective kernels: {}", rules[static_cast<int>(options_.collectives)]));
  }

  const Profile& profile_;
  const Workload& workload_;
  const GroupOptions& options_;
  KernelGroups result_;
  std::vector<std::uint32_t> first_;  // operation, by group
  std::vector<double> num_tbs_;       // summed, by group
  std::set<std::string> taken_;
  std::uint64_t num_without_shape_ = 0;
  std::uint64_t num_without_registers_ = 0;
  std::uint64_t num_too_large_ = 0;
};

}  // namespace

std::uint64_t product(const std::array<std::uint32_t, 3>& sizes) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 40;
  std::uint64_t all = 1;
  for (const std::uint32_t size : sizes) all = std::min(kLimit, all * std::max<std::uint32_t>(1, size));
  return all;
}

std::uint32_t allocated_registers(std::uint32_t per_thread, std::uint32_t threads) {
  const std::uint64_t warps = (std::uint64_t{threads} + kWarp - 1) / kWarp;
  const std::uint64_t per_warp = (std::uint64_t{std::max<std::uint32_t>(1, per_thread)} * kWarp + kRegisterUnit - 1) /
                                 kRegisterUnit * kRegisterUnit;
  return at_most_32_bits(warps * per_warp, 1U << 28);
}

KernelGroups group_kernels(const Profile& profile, const Workload& workload, const GroupOptions& options) {
  return Grouping(profile, workload, options).run();
}

}  // namespace tessera::importer
