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
#include "model/base/printable.h"

namespace tessera::importer {
namespace {

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

// A whole word of the device's name: an A100 is no A1000, and an H200 no H20.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

const spec::GpuSpec* by_name(const std::vector<spec::GpuSpec>& known, const std::string& device) {
  const auto named = std::find_if(known.begin(), known.end(),
                                  [&](const spec::GpuSpec& gpu) { return has_word(lower(device), lower(gpu.name)); });
  return named == known.end() ? nullptr : &*named;
}

const spec::GpuSpec* by_sms(const std::vector<spec::GpuSpec>& known, std::uint32_t num_sms) {
  for (const spec::GpuSpec& gpu : known) {
    if (gpu.num_sms == num_sms) return &gpu;
  }
  return nullptr;
}

// Work may number devices otherwise than the profile lists them: where it lists one kind only, it is that.
DeviceProperties device_of(const Profile& profile, const Workload& workload) {
  const auto listed = profile.devices.find(workload.device);
  if (listed != profile.devices.end()) return listed->second;
  if (profile.devices.empty()) return {};
  const DeviceProperties& first = profile.devices.begin()->second;
  const bool is_one_kind = std::all_of(profile.devices.begin(), profile.devices.end(),
                                       [&](const auto& other) { return other.second.name == first.name; });
  return is_one_kind ? first : DeviceProperties{};
}

// As the name of a GPU file.
std::string file_name_of(const std::string& device) {
  std::string name;
  for (const char c : lower(device)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_plain) name.push_back(c);
    if (!is_plain && !name.empty() && name.back() != '_') name.push_back('_');
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.substr(0, 60);
}

void take(GpuChoice& choice, std::uint32_t recorded, std::uint32_t& size, const char* what) {
  if (recorded == 0 || recorded == size) return;
  choice.notes.push_back(
      fmt::format("{} of the GPU: {} as recorded, {} in {}.yaml", what, recorded, size, choice.gpu.name));
  size = recorded;
}

// What the profile says of the device goes before what the file says.
void take_sizes(const DeviceProperties& device, GpuChoice& choice) {
  spec::GpuSpec& gpu = choice.gpu;
  if (device.num_sms > spec::kMaxSms) {
    choice.notes.push_back(fmt::format("the profile's GPU has {} SMs, and a model at most {}: it has so many",
                                       device.num_sms, spec::kMaxSms));
  }
  const std::uint32_t num_sms = std::min<std::uint32_t>(device.num_sms, spec::kMaxSms);
  const bool has_a_ksr_per_sm = gpu.framework.num_ksrs == gpu.num_sms;
  if (num_sms == device.num_sms) {
    take(choice, num_sms, gpu.num_sms, "SMs");
  } else {
    gpu.num_sms = num_sms;
  }
  if (has_a_ksr_per_sm) gpu.framework.num_ksrs = gpu.num_sms;
  take(choice, std::min(device.max_threads_per_sm, 65536U), gpu.max_threads_per_sm, "threads per SM");
  take(choice, std::min(device.registers_per_sm, 1U << 28), gpu.registers_per_sm, "registers per SM");
  std::uint32_t largest = gpu.shared_memory_bytes.back();
  take(choice, std::min(device.smem_bytes_per_sm, 1U << 30), largest, "shared memory per SM");
  std::vector<std::uint32_t>& sizes = gpu.shared_memory_bytes;
  sizes.erase(std::lower_bound(sizes.begin(), sizes.end(), largest), sizes.end());
  sizes.push_back(largest);
}

// Cards of one name may differ in these: what was taken is said.
void take_rates(const DeviceProperties& device, GpuChoice& choice) {
  spec::GpuSpec& gpu = choice.gpu;
  const auto differs = [](std::uint64_t recorded, std::uint64_t known) {
    return recorded > 0 && std::abs(static_cast<double>(recorded) / static_cast<double>(known) - 1) > kSameRate;
  };
  if (differs(device.memory_bandwidth_bytes_per_s, gpu.memory_bandwidth_bytes_per_s)) {
    gpu.memory_bandwidth_bytes_per_s = device.memory_bandwidth_bytes_per_s;
  }
  if (differs(device.clock_hz, gpu.clock_hz)) gpu.clock_hz = device.clock_hz;
  choice.notes.push_back(fmt::format("{} is taken as {}.yaml: {} MHz, memory {} GB/s", printable(device.name), gpu.name,
                                     gpu.clock_hz / 1'000'000, gpu.memory_bandwidth_bytes_per_s / 1'000'000'000));
}

// A GPU that no file describes, made of what the profile says and, for the rest, of one that is close.
void make_unknown(DeviceProperties& device, GpuChoice& choice) {
  spec::GpuSpec& gpu = choice.gpu;
  const std::string base = gpu.name;
  gpu.name = file_name_of(device.name);
  std::vector<std::string> borrowed;
  if (device.clock_hz > 0) {
    gpu.clock_hz = device.clock_hz;
  } else {
    borrowed.push_back(fmt::format("clock {} MHz", gpu.clock_hz / 1'000'000));
  }
  if (device.memory_bandwidth_bytes_per_s > 0) {
    gpu.memory_bandwidth_bytes_per_s = device.memory_bandwidth_bytes_per_s;
  } else {
    borrowed.push_back(fmt::format("memory {} GB/s", gpu.memory_bandwidth_bytes_per_s / 1'000'000'000));
  }
  borrowed.emplace_back("link");
  if (!has_word(lower(device.name), "nvidia")) {
    // What NVIDIA's driver and registers do is not known of others.
    gpu.shared_memory_reserve_bytes = 0;
    gpu.register_allocation_warps = 1;
    // A thread block may have all of its SM.
    if (device.registers_per_sm == 0) device.registers_per_sm = device.most_registers_per_tb;
    if (device.smem_bytes_per_sm == 0) device.smem_bytes_per_sm = device.most_smem_bytes_per_tb;
  }
  choice.notes.push_back(
      fmt::format("no file describes the profile's GPU, {}: its sizes are the profile's; {} are those "
                  "of {}.yaml (--gpu says another)",
                  printable(device.name), fmt::join(borrowed, ", "), base));
  gpu.shared_memory_bytes = {device.smem_bytes_per_sm > 0 ? device.smem_bytes_per_sm : gpu.shared_memory_bytes.back()};
}

// The machine of the profile gives out thread blocks faster than a core without a refill lane can. So do a lane and the
// ideal engine.
void give_out_tbs_fast(GpuChoice& choice) {
  if (choice.gpu.framework.refill_lane) return;
  if (choice.gpu.framework.link_cycles.any()) {
    choice.notes.emplace_back("the GPU's link_cycles are left out: the ideal engine has none");
  }
  choice.gpu.framework.link_cycles = {};
  choice.gpu.framework.setup_tag_bits = 0;
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
  DeviceProperties device = device_of(profile, workload);
  if (device.num_sms == 0) device.num_sms = sms_by_blocks_per_sm(profile, workload);
  // 1. What the user wants.
  if (wanted) {
    choice.gpu = *wanted;
    if (device.num_sms > 0 && device.num_sms != wanted->num_sms) {
      choice.notes.push_back(
          fmt::format("the profile was taken on {} SMs, the GPU asked for has {}: its kernels take "
                      "their recorded time all the same",
                      device.num_sms, wanted->num_sms));
    }
    return choice;
  }
  // 2. The one that is named; without a name, one of as many SMs; without either, an assumption.
  const spec::GpuSpec* found = device.name.empty() ? by_sms(known, device.num_sms) : by_name(known, device.name);
  const bool is_described = found != nullptr;
  if (found == nullptr) found = by_sms(known, device.num_sms);
  if (found == nullptr) found = by_name(known, kAssumed);
  if (found == nullptr) throw std::runtime_error("no GPU file is at hand");
  choice.gpu = *found;
  if (device.name.empty()) {
    choice.notes.push_back(
        device.num_sms == 0
            ? fmt::format("the profile does not name its GPU: {} is assumed (--gpu says another)", found->name)
            : fmt::format("the profile does not name its GPU: {} SMs, as its blocks per SM tell: {}", device.num_sms,
                          found->name));
  } else if (!is_described) {
    make_unknown(device, choice);
  } else {
    take_rates(device, choice);
  }
  // 3. Sizes and pace as recorded.
  take_sizes(device, choice);
  give_out_tbs_fast(choice);
  take_pace(profile, workload, choice);
  return choice;
}

}  // namespace tessera::importer
