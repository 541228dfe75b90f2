// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' SQLite export. Its tables are those of CUPTI's activity records; times are nanoseconds.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "importer/readers/readers.h"
#include "importer/readers/sqlite_table.h"

namespace tessera::importer {
namespace {

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kStrings = "StringIds";
constexpr const char* kGpus = "TARGET_INFO_GPU";

// copyKind of CUPTI: between host and device (or array), the rest stays on GPUs.
Work copy_work(std::int64_t kind) {
  switch (kind) {
    case 1:  // HtoD
    case 3:  // HtoA
      return Work::kCopyToGpu;
    case 2:  // DtoH
    case 4:  // AtoH
      return Work::kCopyToHost;
    default:
      return Work::kCopyOnGpu;
  }
}

std::uint32_t clamped_u32(std::optional<std::int64_t> value) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value.value_or(0), 0, 4'294'967'295));
}

// globalPid is vm << 56 | .. | pid << 24; globalTid has the thread in the 24 bits below.
constexpr int kThreadBits = 24;
std::uint64_t process_of(std::optional<std::int64_t> global) {
  return static_cast<std::uint64_t>(global.value_or(0)) >> kThreadBits;
}

class NsysExport {
 public:
  explicit NsysExport(const std::filesystem::path& path) : database_(path) {
    profile_.format = "nsys-sqlite";
    if (!database_.has_table(kKernels)) {
      database_.fail(fmt::format("has no table {}: no CUDA kernel was traced", kKernels), "",
                     "an export of a profile with --trace=cuda");
    }
    database_.for_each(kStrings, {"id", "value"}, [this](const SqliteRow& row) {
      if (row.integer(0)) strings_[*row.integer(0)] = row.text(1).value_or("");
    });
  }

  Profile read() {
    read_kernels();
    read_copies();
    read_memsets();
    read_calls();
    read_devices();
    return std::move(profile_);
  }

 private:
  std::string string(std::optional<std::int64_t> id) const {
    const auto known = id ? strings_.find(*id) : strings_.end();
    return known == strings_.end() ? "" : known->second;
  }

  // Columns 0 .. 6 of every kind of GPU work.
  static std::vector<std::string> work_columns(const std::vector<std::string>& more) {
    std::vector<std::string> columns{"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
  }

  static GpuActivity work(const SqliteRow& row, Work kind) {
    GpuActivity activity;
    activity.work = kind;
    activity.start = row.integer(0).value_or(0);
    activity.duration = std::max<std::int64_t>(0, row.integer(1).value_or(activity.start) - activity.start);
    activity.device = static_cast<std::uint64_t>(row.integer(2).value_or(0));
    activity.context = static_cast<std::uint64_t>(row.integer(3).value_or(0));
    activity.stream = static_cast<std::uint64_t>(row.integer(4).value_or(0));
    if (row.integer(5)) activity.correlation = static_cast<std::uint64_t>(*row.integer(5));
    activity.process = process_of(row.integer(6));
    return activity;
  }

  void read_kernels() {
    const auto columns = work_columns({"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
                                       "staticSharedMemory", "dynamicSharedMemory", "demangledName", "shortName"});
    database_.for_each(kKernels, columns, [this](const SqliteRow& row) {
      GpuActivity kernel = work(row, Work::kKernel);
      for (int i = 0; i < 3; ++i) {
        kernel.grid[static_cast<std::size_t>(i)] = clamped_u32(row.integer(7 + i));
        kernel.block[static_cast<std::size_t>(i)] = clamped_u32(row.integer(10 + i));
      }
      if (row.integer(13)) kernel.regs_per_thread = clamped_u32(row.integer(13));
      if (row.integer(14) || row.integer(15)) {
        kernel.smem_bytes = clamped_u32(row.integer(14).value_or(0) + row.integer(15).value_or(0));
      }
      const std::string demangled = string(row.integer(16));
      kernel.name = profile_.name_index(demangled.empty() ? string(row.integer(17)) : demangled);
      profile_.activities.push_back(kernel);
    });
  }

  void read_copies() {
    database_.for_each(kCopies, work_columns({"bytes", "copyKind"}), [this](const SqliteRow& row) {
      GpuActivity copy = work(row, copy_work(row.integer(8).value_or(0)));
      copy.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(7).value_or(0)));
      profile_.activities.push_back(copy);
    });
  }

  void read_memsets() {
    database_.for_each(kMemsets, work_columns({"bytes"}), [this](const SqliteRow& row) {
      GpuActivity memset = work(row, Work::kMemset);
      memset.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(7).value_or(0)));
      profile_.activities.push_back(memset);
    });
  }

  void read_calls() {
    if (!database_.has_table(kCalls)) {
      profile_.notes.push_back(fmt::format("no table {}: the host's calls are not known", kCalls));
      return;
    }
    database_.for_each(kCalls, {"start", "end", "globalTid", "correlationId", "nameId"}, [this](const SqliteRow& row) {
      const std::string name = string(row.integer(4));
      // Without names a call is one only where work has its correlation.
      const std::optional<CallKind> kind = name.empty() ? CallKind::kWork : call_kind_of(name);
      if (!kind || !row.integer(0)) return;
      HostCall call;
      call.kind = *kind;
      call.start = *row.integer(0);
      call.duration = std::max<std::int64_t>(0, row.integer(1).value_or(call.start) - call.start);
      call.thread = static_cast<std::uint64_t>(row.integer(2).value_or(0));
      call.process = process_of(row.integer(2));
      if (row.integer(3)) call.correlation = static_cast<std::uint64_t>(*row.integer(3));
      profile_.calls.push_back(call);
    });
    // Early versions have no globalPid beside kernels: then nothing is told apart by process.
    if (!database_.has_column(kKernels, "globalPid")) {
      for (HostCall& call : profile_.calls) call.process = 0;
      for (GpuActivity& activity : profile_.activities) activity.process = 0;
    }
  }

  void read_devices() {
    database_.for_each(kGpus,
                       {"id", "name", "smCount", "threadsPerWarp", "maxWarpsPerSm", "maxRegistersPerSm",
                        "maxShmemPerSm", "computeMajor"},
                       [this](const SqliteRow& row) {
                         DeviceProperties device;
                         device.name = row.text(1).value_or("");
                         device.num_sms = clamped_u32(row.integer(2));
                         device.max_threads_per_sm =
                             clamped_u32(row.integer(3).value_or(32) * row.integer(4).value_or(0));
                         device.registers_per_sm = clamped_u32(row.integer(5));
                         device.smem_bytes_per_sm = clamped_u32(row.integer(6));
                         device.compute_major = clamped_u32(row.integer(7));
                         profile_.devices[static_cast<std::uint64_t>(row.integer(0).value_or(0))] = device;
                       });
  }

  SqliteDatabase database_;
  Profile profile_;
  std::unordered_map<std::int64_t, std::string> strings_;
};

}  // namespace

Profile read_nsys_sqlite(const std::filesystem::path& path) { return NsysExport(path).read(); }

}  // namespace tessera::importer
