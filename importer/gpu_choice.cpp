// SPDX-License-Identifier: Apache-2.0
// By the device's name, else by its number of SMs; without either, an assumption.
#include "importer/gpu_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <stdexcept>

#include "importer/recorded_pace.h"

namespace tessera::importer {
namespace {

// NVIDIA keeps 1 KiB of shared memory in each thread block, since compute capability 8.0; the model knows GPUs by
// their sizes.
constexpr std::uint32_t kReservedBytes = 1024;
constexpr std::uint32_t kLeastSmemOfAmpere = 102'400;
constexpr const char* kAssumed = "a100";
constexpr double kSameRate = 0.02;
constexpr double kMaxRate = 1e5;  // bytes per us

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// A profile without device properties may still print the grid over the number of SMs.
std::uint32_t sms_by_blocks_per_sm(const Profile& profile, const Workload& workload) {
  std::map<std::uint32_t, std::size_t> votes;
  for (const Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    if (!activity.tbs_per_sm_of_grid || !(*activity.tbs_per_sm_of_grid > 0) || activity.grid[0] == 0) continue;
    double tbs = 1;
    for (const std::uint32_t size : activity.grid) tbs *= std::max<std::uint32_t>(1, size);
    const double sms = tbs / *activity.tbs_per_sm_of_grid;
    if (tbs > 64 && sms < spec::kMaxSms + 0.5) ++votes[static_cast<std::uint32_t>(std::lround(sms))];
  }
  const auto most =
      std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == votes.end() ? 0 : most->first;
}

const spec::GpuSpec* by_name(const std::vector<spec::GpuSpec>& known, const std::string& device) {
  for (const spec::GpuSpec& gpu : known) {
    if (lower(device).find(lower(gpu.name)) != std::string::npos) return &gpu;
  }
  return nullptr;
}

const spec::GpuSpec* by_sms(const std::vector<spec::GpuSpec>& known, std::uint32_t num_sms) {
  for (const spec::GpuSpec& gpu : known) {
    if (gpu.num_sms == num_sms) return &gpu;
  }
  return nullptr;
}

// What the profile says of the device goes before what the file says.
void take_sizes(const DeviceProperties& device, GpuChoice& choice) {
  spec::GpuSpec& gpu = choice.gpu;
  const auto take = [&](std::uint32_t recorded, std::uint32_t& size, const char* what, std::uint32_t max) {
    if (recorded == 0 || recorded == size || recorded > max) return;
    choice.notes.push_back(fmt::format("{} of the GPU: {} as recorded, {} in {}.yaml", what, recorded, size, gpu.name));
    size = recorded;
  };
  take(device.num_sms, gpu.num_sms, "SMs", spec::kMaxSms);
  take(device.max_threads_per_sm, gpu.max_threads_per_sm, "threads per SM", 65536);
  take(device.registers_per_sm, gpu.registers_per_sm, "registers per SM", 1U << 28);
  take(device.smem_bytes_per_sm, gpu.shared_memory_bytes.back(), "shared memory per SM", 1U << 30);
}

// CUDA's driver chooses the carve-out that lets most thread blocks be resident; the model's rule, the smallest that
// holds one, is Kepler's.
void take_largest_carve_out(GpuChoice& choice) {
  choice.gpu.shared_memory_bytes = {choice.gpu.shared_memory_bytes.back()};
}

// The machine of the profile gives out thread blocks faster than the core can; so does the ideal engine.
void give_out_tbs_at_once(GpuChoice& choice) {
  choice.gpu.framework.engine = spec::Engine::kIdeal;
  choice.gpu.framework.tb_issue_cycles = spec::kIdealIssueCycles;
}

// Hand-overs within a stream and the link to the host as recorded.
void take_pace(const Profile& profile, const Workload& workload, GpuChoice& choice) {
  spec::GpuSpec& gpu = choice.gpu;
  if (const auto hand_over = recorded_hand_over(profile, workload)) {
    // The dispatcher hands on a cycle after it looked.
    const double cycles = static_cast<double>(*hand_over) * static_cast<double>(gpu.clock_hz) / 1e9 - 1;
    gpu.framework.dispatch_cycles = static_cast<std::uint32_t>(std::max(1.0, std::round(cycles)));
    choice.notes.push_back(fmt::format("from a kernel's end to the next of its stream: {:.2f} us, as recorded",
                                       static_cast<double>(*hand_over) / 1e3));
  }
  const double rate = static_cast<double>(gpu.pcie.bytes_per_second()) / 1e6;
  const double recorded = recorded_copy_rate(profile, workload).value_or(rate);
  if (std::abs(recorded / rate - 1) < kSameRate || recorded > kMaxRate) return;
  const double lanes_each_way = gpu.pcie.num_lanes / 2.0;
  gpu.pcie.clock_hz = static_cast<std::uint64_t>(std::llround(recorded / lanes_each_way * 1e3)) * 1000;
  choice.notes.push_back(fmt::format("the link to the host moves {:.2f} GB/s each way, as recorded; {:.2f} in {}.yaml",
                                     recorded / 1e3, rate / 1e3, gpu.name));
}

}  // namespace

void take_graph_gap(const Profile& profile, const Workload& workload, GpuChoice& choice) {
  const std::optional<Nanoseconds> gap = recorded_graph_gap(profile, workload);
  if (!gap) return;
  spec::FrameworkSpec& framework = choice.gpu.framework;
  const auto us = [&](double cycles) { return cycles * 1e6 / static_cast<double>(choice.gpu.clock_hz); };
  const double cycles = static_cast<double>(*gap) * static_cast<double>(choice.gpu.clock_hz) / 1e9 - 1;
  choice.notes.push_back(fmt::format(
      "from a node of a graph to the next one: {:.2f} us, as recorded by a profiler, which stretches it; {:.2f} in "
      "{}.yaml (--graph-gap gpu)",
      static_cast<double>(*gap) / 1e3, us(framework.graph_dispatch() + 1.0), choice.gpu.name));
  framework.graph_dispatch_cycles = static_cast<std::uint32_t>(std::max(1.0, std::round(cycles)));
}

GpuChoice choose_gpu(const Profile& profile, const Workload& workload, const std::vector<spec::GpuSpec>& known,
                     const std::optional<spec::GpuSpec>& wanted) {
  GpuChoice choice;
  const auto device = profile.devices.find(workload.device);
  const DeviceProperties properties = device == profile.devices.end() ? DeviceProperties{} : device->second;
  const std::uint32_t num_sms = properties.num_sms > 0 ? properties.num_sms : sms_by_blocks_per_sm(profile, workload);
  if (wanted) {
    choice.gpu = *wanted;
    if (num_sms > 0 && num_sms != wanted->num_sms) {
      choice.notes.push_back(
          fmt::format("the profile was taken on {} SMs, the GPU asked for has {}: its kernels take "
                      "their recorded time all the same",
                      num_sms, wanted->num_sms));
    }
  } else {
    const spec::GpuSpec* found = by_name(known, properties.name);
    if (found == nullptr || (num_sms > 0 && found->num_sms != num_sms)) {
      const spec::GpuSpec* const same_size = by_sms(known, num_sms);
      if (same_size != nullptr) found = same_size;
    }
    if (found == nullptr) found = by_name(known, kAssumed);
    if (found == nullptr) throw std::runtime_error("no GPU file is at hand");
    choice.gpu = *found;
    if (num_sms == 0 && properties.name.empty()) {
      choice.notes.push_back(
          fmt::format("the profile does not name its GPU: {} is assumed (--gpu says another)", found->name));
    } else if (properties.name.empty()) {
      choice.notes.push_back(fmt::format("the profile does not name its GPU: {} SMs, as its blocks per SM tell: {}",
                                         num_sms, found->name));
    } else if (found->num_sms != num_sms) {
      choice.notes.push_back(
          fmt::format("no file describes the profile's GPU: clock, memory and link are those of {}", found->name));
    }
    DeviceProperties recorded = properties;
    recorded.num_sms = num_sms;
    take_sizes(recorded, choice);
    take_largest_carve_out(choice);
    give_out_tbs_at_once(choice);
    take_pace(profile, workload, choice);
  }
  const bool is_ampere = properties.compute_major >= 8 || choice.gpu.shared_memory_bytes.back() > kLeastSmemOfAmpere;
  if (is_ampere) choice.smem_reserved_bytes = kReservedBytes;
  return choice;
}

}  // namespace tessera::importer
